import type {
  AskedOperation,
  InquiryOutcome,
  ProviderAsk,
  ProviderInstance,
  ProviderModule,
  ProviderOutcome,
  Repeat,
} from '../port.ts'
import {
  cancelCharge,
  inquireCancelled,
  inquireCharge,
  inquireRegistered,
  readCharge,
  registerCharge,
} from './charges.ts'
import { type BankClient, openBankClient } from './client.ts'
import { type Deadline, deadlineIn, waits } from './deadline.ts'
import type { BankProfile } from './profile.ts'
import { askReturn, inquireReturn } from './returns.ts'
import { settingsOf } from './settings.ts'
import { refusalOf } from './verdict.ts'

/** A bank that speaks API Pix (Bacen OpenAPI 2.9.0; rails, section 2) as a module: all that differs between banks is in the profile. */
export const apiPix = (profile: BankProfile): ProviderModule => ({
  name: profile.name,
  label: profile.label,
  rails: ['PIX'],
  settings: settingsOf(profile),
  repeat: repeatsOf(),
  capabilities: { medFeed: profile.medFeed !== null },
  limits: profile.limits,
  open: (connection, io) => instanceOf(openBankClient(profile, connection, io)),
})

const repeatsOf = (): Readonly<Partial<Record<AskedOperation, Repeat>>> => ({
  REGISTER: 'SAFE',
  CANCEL: 'SAFE',
  READ_CHARGE: 'SAFE',
  RETURN: 'SAFE',
  REFUND: 'SAFE',
})

const instanceOf = (client: BankClient): ProviderInstance => {
  const within = <Outcome>(
    { answerWithinMs }: ProviderAsk,
    run: (deadline: Deadline) => Promise<Outcome>,
  ): Promise<Outcome> => run(deadlineIn(client.io, Math.min(answerWithinMs, waits.askMs)))

  return {
    ask: (ask) => within(ask, (deadline) => carryOutAsk(client, ask, deadline)),
    inquire: (ask) => within(ask, (deadline) => inquireAfter(client, ask, deadline)),
    health: async () => ({ works: true, detail: null, certificateEndsAtMs: client.certificateEndsAtMs() }),
    close: client.close,
  }
}

const carryOutAsk = async (
  client: BankClient,
  ask: ProviderAsk,
  deadline: Deadline,
): Promise<ProviderOutcome> => {
  switch (ask.operation) {
    case 'REGISTER':
      return registerCharge(client, ask, deadline)
    case 'CANCEL':
      return cancelCharge(client, ask, deadline)
    case 'READ_CHARGE':
      return readCharge(client, ask, deadline)
    case 'RETURN':
    case 'REFUND':
      return askReturn(client, ask, deadline)
    default:
      return { type: 'REFUSED', refusal: refusalOf({ name: null, text: `no ${ask.operation} at this bank` }) }
  }
}

const inquireAfter = async (
  client: BankClient,
  ask: ProviderAsk,
  deadline: Deadline,
): Promise<InquiryOutcome> => {
  switch (ask.operation) {
    case 'REGISTER':
      return inquireRegistered(client, ask, deadline)
    case 'CANCEL':
      return inquireCancelled(client, ask, deadline)
    case 'READ_CHARGE':
      return inquireCharge(client, ask, deadline)
    case 'RETURN':
    case 'REFUND':
      return inquireReturn(client, ask, deadline)
    default:
      return { type: 'NOT_FOUND' }
  }
}
