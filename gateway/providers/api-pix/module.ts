import type { Deadline } from '../http/http.ts'
import type {
  AskedOperation,
  InquiryOutcome,
  ProviderAsk,
  ProviderInstance,
  ProviderModule,
  ProviderOutcome,
  Repeat,
} from '../port.ts'
import { balanceAtBank } from './balance.ts'
import {
  cancelCharge,
  inquireCancelled,
  inquireChargeState,
  inquireRegistered,
  readChargeState,
  registerCharge,
} from './charges.ts'
import { type BankClient, openBankClient } from './client.ts'
import { waits, within } from './deadline.ts'
import { fetchNoticed } from './fetch.ts'
import { healthOfBank } from './health.ts'
import { registerBankHooks } from './hooks.ts'
import {
  callOffCharge,
  inquireCalledOff,
  inquireRetried,
  inquireScheduled,
  retryCharge,
  scheduleCharge,
} from './mandate-charges.ts'
import { endMandate, inquireEnded, inquireOffer, offerMandate } from './mandate-offers.ts'
import { defendMedAtBank, inquireDefence } from './meds.ts'
import { readBankNotice } from './notices.ts'
import { pollBank } from './poll.ts'
import type { BankProfile } from './profile.ts'
import { receivedAtBank } from './received.ts'
import { askReturn, inquireReturn } from './returns.ts'
import { inquireAtEfi, payOutAtEfi } from './sends-efi.ts'
import { openInterSends, type PayOuts } from './sends-inter.ts'
import { settingsOf } from './settings.ts'
import { statementAtBank } from './statement.ts'
import { bankRefusal } from './verdict.ts'

/** A bank that speaks API Pix (Bacen OpenAPI 2.9.0; rails, section 2) as a module: all that differs between banks is in the profile. */
export const apiPix = (profile: BankProfile): ProviderModule => ({
  name: profile.name,
  label: profile.label,
  institution: profile.institution,
  clearingCode: profile.clearingCode,
  rails: profile.payOut === null ? ['PIX'] : ['PIX', 'PAYOUT'],
  settings: settingsOf(profile),
  repeat: repeatsOf(profile),
  capabilities: {
    medFeed: profile.medFeed !== null,
    ...(profile.payOut === null ? {} : { payOutBy: ['PIX'] }),
  },
  limits: profile.limits,
  open: (connection, io) => instanceOf(openBankClient(profile, connection, io)),
})

const repeatsOf = ({ payOut, medFeed }: BankProfile): Readonly<Partial<Record<AskedOperation, Repeat>>> => ({
  REGISTER: 'SAFE',
  CANCEL: 'SAFE',
  READ_CHARGE: 'SAFE',
  RETURN: 'SAFE',
  REFUND: 'SAFE',
  // Efí finds a PIX by our id: a refusal of a repeat might be about the money that the first one holds. Inter finds none without the same
  // request, and has the first one back by it.
  ...(payOut === null ? {} : { PAY_OUT: payOut.kind === 'EFI' ? 'INQUIRE_FIRST' : 'SAFE' }),
  ...(medFeed === null ? {} : { DEFEND_MED: 'SAFE' }),
  MANDATE_CREATE: 'INQUIRE_FIRST',
  MANDATE_CANCEL: 'SAFE',
  SCHEDULE: 'SAFE',
  RESCHEDULE: 'SAFE',
  UNSCHEDULE: 'SAFE',
})

const instanceOf = (client: BankClient): ProviderInstance => {
  const payOuts = payOutsOf(client)
  const statement = statementAtBank(client)
  const { io } = client
  const inTime = <Outcome>(
    { answerWithinMs }: ProviderAsk,
    run: (deadline: Deadline) => Promise<Outcome>,
  ): Promise<Outcome> => within(io, Math.min(answerWithinMs, waits.askMs), run)

  return {
    ask: (ask) => inTime(ask, (deadline) => carryOutAsk(client, payOuts, ask, deadline)),
    inquire: (ask) => inTime(ask, (deadline) => inquireAfter(client, payOuts, ask, deadline)),
    readNotice: (raw) => readBankNotice(raw, client.settings.pixKey, io.realNow()),
    fetch: (notice) => within(io, waits.backgroundMs, (deadline) => fetchNoticed(client, notice, deadline)),
    registerHooks: (address) => registerBankHooks(client, address),
    poll: pollBank(client),
    received: receivedAtBank(client),
    ...(statement && { statement }),
    balance: () => balanceAtBank(client),
    health: () => healthOfBank(client),
    close: client.close,
  }
}

const carryOutAsk = async (
  client: BankClient,
  payOuts: PayOuts | null,
  ask: ProviderAsk,
  deadline: Deadline,
): Promise<ProviderOutcome> => {
  switch (ask.operation) {
    case 'REGISTER':
      return registerCharge(client, ask, deadline)
    case 'CANCEL':
      return cancelCharge(client, ask, deadline)
    case 'READ_CHARGE':
      return readChargeState(client, ask, deadline)
    case 'RETURN':
    case 'REFUND':
      return askReturn(client, ask, deadline)
    case 'PAY_OUT':
      return payOuts === null ? notOffered(ask) : payOuts.ask(ask, deadline)
    case 'DEFEND_MED':
      return client.profile.medFeed === null ? notOffered(ask) : defendMedAtBank(client, ask, deadline)
    case 'MANDATE_CREATE':
      return offerMandate(client, ask, deadline)
    case 'MANDATE_CANCEL':
      return endMandate(client, ask, deadline)
    case 'SCHEDULE':
      return scheduleCharge(client, ask, deadline)
    case 'RESCHEDULE':
      return retryCharge(client, ask, deadline)
    case 'UNSCHEDULE':
      return callOffCharge(client, ask, deadline)
    default:
      return notOffered(ask)
  }
}

const inquireAfter = async (
  client: BankClient,
  payOuts: PayOuts | null,
  ask: ProviderAsk,
  deadline: Deadline,
): Promise<InquiryOutcome> => {
  switch (ask.operation) {
    case 'REGISTER':
      return inquireRegistered(client, ask, deadline)
    case 'CANCEL':
      return inquireCancelled(client, ask, deadline)
    case 'READ_CHARGE':
      return inquireChargeState(client, ask, deadline)
    case 'RETURN':
    case 'REFUND':
      return inquireReturn(client, ask, deadline)
    case 'PAY_OUT':
      return payOuts === null ? { type: 'NOT_FOUND' } : payOuts.inquire(ask, deadline)
    case 'DEFEND_MED':
      return inquireDefence(client, ask, deadline)
    case 'MANDATE_CREATE':
      return inquireOffer(client, ask, deadline)
    case 'MANDATE_CANCEL':
      return inquireEnded(client, ask, deadline)
    case 'SCHEDULE':
      return inquireScheduled(client, ask, deadline)
    case 'RESCHEDULE':
      return inquireRetried(client, ask, deadline)
    case 'UNSCHEDULE':
      return inquireCalledOff(client, ask, deadline)
    default:
      return { type: 'NOT_FOUND' }
  }
}

/** How PIX are sent; null at a bank that sends none. */
const payOutsOf = (client: BankClient): PayOuts | null => {
  const { payOut } = client.profile
  if (payOut === null) return null
  return payOut.kind === 'INTER'
    ? openInterSends(client, payOut.repeatableHours)
    : {
        ask: (ask, deadline) => payOutAtEfi(client, ask, deadline),
        inquire: (ask, deadline) => inquireAtEfi(client, ask, deadline),
      }
}

const notOffered = ({ operation }: ProviderAsk): ProviderOutcome => ({
  type: 'REFUSED',
  refusal: bankRefusal({ name: null, text: `this bank offers no ${operation}` }),
})
