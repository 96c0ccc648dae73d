import type { CalendarDate } from '../../../engine/shared/calendar.ts'
import { toCents } from '../../../engine/shared/money.ts'
import type { AskedOperation, ProviderAsk } from '../../../gateway/providers/port.ts'
import { account } from '../../engine/world.ts'

/** An ask of this operation. */
export type AskOf<Name extends AskedOperation> = Extract<ProviderAsk, { readonly operation: Name }>

let made = 0

/** A part of an ask that every operation has, with a call that no other one has. */
const newHead = () => {
  const number = String(++made).padStart(26, '0')
  return {
    callId: `txn_${number}.2`,
    reference: `${number}02`,
    asked: 0,
    connectionId: 'a-connection',
    accountId: account,
    amountCents: toCents(10_000),
    openedAtMs: 1_000_000,
    nowMs: 1_000_000,
    answerWithinMs: 8_000,
    scenario: null,
  } as const
}

type Change = Partial<Omit<ProviderAsk, 'operation' | 'data'>>

const card = { token: 'tok_x', brand: 'VISA', last4: '4242', holderName: null } as const

export const anAuthorize = (
  change: Change = {},
  data: Partial<AskOf<'AUTHORIZE'>['data']> = {},
): AskOf<'AUTHORIZE'> => ({
  operation: 'AUTHORIZE',
  rail: 'CARD',
  ...newHead(),
  ...change,
  data: {
    card,
    customer: null,
    installments: 1,
    captures: true,
    attempt: null,
    merchantInitiated: null,
    networkReference: null,
    authentication: null,
    acceptsPart: false,
    ...data,
  },
})

/** What follows a sale: it names the reference of the ask that authorized it. */
export const afterSale = (
  operation: 'CAPTURE' | 'VOID' | 'REVERSE',
  { reference: saleReference }: Pick<ProviderAsk, 'reference'> = anAuthorize(),
  change: Change = {},
): AskOf<'CAPTURE' | 'VOID' | 'REVERSE'> =>
  ({ operation, rail: 'CARD', ...newHead(), ...change, data: { saleReference, tid: null } }) as AskOf<
    typeof operation
  >

export const aCardRefund = (change: Change = {}): AskOf<'REFUND'> => ({
  operation: 'REFUND',
  rail: 'CARD',
  ...newHead(),
  ...change,
  data: { rail: 'CARD', saleReference: 'a-sale', tid: '1', refundedBeforeCents: toCents(0) },
})

export const aPixRefund = (change: Change = {}): AskOf<'REFUND'> => ({
  operation: 'REFUND',
  rail: 'PIX',
  ...newHead(),
  ...change,
  data: { rail: 'PIX', endToEndId: 'E99999999202611201200abcdefghijk', description: null },
})

/** Everything that is asked of a bank about a mandate of Pix Automático and a charge by it. */
export const aboutMandates = (): readonly ProviderAsk[] => {
  const customer = {
    name: 'Ana',
    document: '12345678909',
    documentType: 'CPF',
    email: null,
    phone: null,
    address: null,
  } as const
  const dueDate = '2026-12-20' as CalendarDate
  const mandateId = 'RR99999999202611200000000abcd'
  const offer: AskOf<'MANDATE_CREATE'>['data'] = {
    journey: 'QR',
    contract: '01J00000000000000000000001',
    object: 'Plano mensal',
    customer,
    periodicity: 'MENSAL',
    startOn: dueDate,
    endOn: null,
    fixedCents: toCents(4_900),
    minCents: null,
    allowsRetries: true,
    txid: null,
    payerAccount: null,
  }
  const later = { txid: '0'.repeat(32), dueDate }
  const charge = { mandateId, dueDate, customer, description: null }
  return [
    { operation: 'MANDATE_CREATE', rail: 'PIX', ...newHead(), data: offer },
    { operation: 'SCHEDULE', rail: 'PIX', ...newHead(), data: charge },
    { operation: 'RESCHEDULE', rail: 'PIX', ...newHead(), data: later },
    { operation: 'UNSCHEDULE', rail: 'PIX', ...newHead(), data: later },
    { operation: 'MANDATE_CANCEL', rail: 'PIX', ...newHead(), data: { mandateId } },
  ]
}

export const aPayOut = (
  payee: Partial<AskOf<'PAY_OUT'>['data']['payee']> = {},
  change: Change = {},
): AskOf<'PAY_OUT'> => ({
  operation: 'PAY_OUT',
  rail: 'PAYOUT',
  ...newHead(),
  ...change,
  data: {
    by: 'PIX',
    payee: {
      name: 'Ana',
      document: '12345678909',
      pixKey: null,
      ispb: null,
      bankCode: '341',
      branch: '0001',
      account: '12345-6',
      ...payee,
    },
    endToEndId: null,
    bankNumber: null,
    description: null,
  },
})

export const aLookUp = (pixKey: string): AskOf<'LOOKUP_KEY'> => ({
  operation: 'LOOKUP_KEY',
  rail: 'KEYS',
  ...newHead(),
  amountCents: toCents(0),
  data: { pixKey },
})

export const anAddress = (change: Change = {}): AskOf<'OPEN_ADDRESS'> => ({
  operation: 'OPEN_ADDRESS',
  rail: 'CRYPTO',
  ...newHead(),
  ...change,
  data: { asset: 'USDT', network: 'POLYGON', watchedUntilMs: 2_000_000 },
})

export const aQuote = (): AskOf<'QUOTE'> => ({
  operation: 'QUOTE',
  rail: 'CRYPTO',
  ...newHead(),
  amountCents: toCents(0),
  data: { fromCurrency: 'BRL', toCurrency: 'USDT', midRateMicros: 5_400_000 as never },
})

export const aConversion = (change: Change = {}): AskOf<'CONVERT'> => ({
  operation: 'CONVERT',
  rail: 'CRYPTO',
  ...newHead(),
  ...change,
  data: {
    fromCurrency: 'BRL',
    toCurrency: 'USDT',
    fromCents: toCents(10_000),
    toCents: toCents(18_000_000),
    rateMicros: 5_454_000 as never,
  },
})

export const aSend = (end: string, change: Change = {}): AskOf<'SEND'> => ({
  operation: 'SEND',
  rail: 'CRYPTO',
  ...newHead(),
  ...change,
  data: {
    asset: 'USDT',
    network: 'POLYGON',
    units: toCents(10_000),
    address: `0x${end.padStart(40, '1')}`,
  },
})

/** The same ask, asked later and after it was asked before. */
export const repeated = <Asked extends ProviderAsk>(ask: Asked, afterMs = 60_000): Asked => ({
  ...ask,
  asked: ask.asked + 1,
  nowMs: ask.nowMs + afterMs,
})
