import type { Draft } from '../kernel/draft.ts'
import type { Event } from '../kernel/registry.ts'
import type { Account, AccountEvent, ScheduleChange } from '../ledger/account.ts'
import { type LedgerAccount, type Posting, transfer } from '../ledger/postings.ts'
import { scheduleOf } from '../ledger/receivables.ts'
import { settlementCompleted } from '../ledger/settle-day.ts'
import { assert } from '../shared/assert.ts'
import { dateIn } from '../shared/calendar.ts'
import type { MedId } from '../shared/ids.ts'
import { type Cents, toCents } from '../shared/money.ts'
import { boletoOf } from './methods/boleto/boleto.ts'
import type { BoletoCleared } from './methods/boleto/events.ts'
import type {
  CardApproved,
  CardCaptured,
  ChargebackLost,
  ChargebackOpened,
  ChargebackWon,
} from './methods/card/events.ts'
import type { CryptoPaid } from './methods/crypto/events.ts'
import { methodOf } from './methods/index.ts'
import type { ChargePaid, PaymentReturned } from './methods/pix/events.ts'
import { pixOf } from './methods/pix/pix.ts'
import type { ReceivedPixEvent } from './received/received.ts'
import { refundedCents } from './transaction/amounts.ts'
import type { TransactionChange } from './transaction/change.ts'
import type {
  ReceivablesSettled,
  RefundCompleted,
  TransactionEvent,
  TransactionSeeded,
} from './transaction/events.ts'
import { evolveTransaction } from './transaction/evolve.ts'
import type { Med, Refund, Transaction } from './transaction/transaction.ts'

/**
 * Writes the account's books and the received PIX that follow from a transaction's facts, in the same journal entry. It
 * only keeps books and cannot refuse.
 */
export const bookPayment = (draft: Draft, change: TransactionChange): void => {
  const account = draft.account()
  const { before, events } = change
  const { paidCents } = draft.find('transaction', events[0]!.id)!
  assert(
    paidCents === (before?.paidCents ?? 0) || events.some(isBooked),
    'a fact that collects money is booked',
  )
  draft.add(...mapBooked(change, (event, transaction) => bookingsOf(event, transaction, account)))
}

/**
 * Received PIX, which come before the facts of the charge they pay: merchants get the events in that order (decisions,
 * section 9).
 */
export const arrivalsOf = (draft: Draft, change: TransactionChange): readonly Event[] =>
  mapBooked(change, (event, transaction) =>
    event.type === 'ChargePaid' ? [receivedPix(event, transaction, draft.account())] : [],
  )

/** Calls back with each fact that has bookings, and the transaction as it was after it. */
const mapBooked = (
  { before, events }: TransactionChange,
  map: (event: TransactionEvent, transaction: Transaction) => readonly Event[],
): readonly Event[] => {
  const last = events.findLastIndex(isBooked)
  const mapped: Event[] = []
  let transaction = before
  for (const event of events.slice(0, last + 1)) {
    transaction = evolveTransaction(transaction, event)
    if (isBooked(event)) mapped.push(...map(event, transaction))
  }
  return mapped
}

const isBooked = ({ type }: TransactionEvent): boolean => type in bookings

const bookingsOf: Booking<TransactionEvent> = (event, transaction, account) =>
  (bookings[event.type] as Booking<TransactionEvent>)(event, transaction, account)

type Booking<Fact> = (event: Fact, transaction: Transaction, account: Account) => readonly Event[]

/** What follows from each fact; nothing from those that are left out. */
const bookings: {
  readonly [Type in TransactionEvent['type']]?: Booking<Extract<TransactionEvent, { readonly type: Type }>>
} = {
  ChargePaid: (event, transaction, account) => bookAtOnce(event, transaction, account),
  BoletoCleared: (event, transaction, account) => bookAtOnce(event, transaction, account),
  CryptoPaid: (event, transaction, account) => bookAtOnce(event, transaction, account),
  PaymentReturned: (event, transaction, account) => [receivedPix(event, transaction, account)],
  BoletoIssued: ({ atMs }, _, account) => [numbered(atMs, account)],
  CardApproved: (event, transaction, account) => [bookReceivable(event, transaction, account)],
  CardCaptured: (event, transaction, account) => [bookReceivable(event, transaction, account)],
  RefundRequested: (event, transaction, account) =>
    isReserved(transaction, event)
      ? [move(event, account, 'REFUND', 'available', 'blocked', event.amountCents)]
      : [],
  RefundFailed: (event, transaction, account) => {
    const refund = transaction.reversals.refunds.find(({ id }) => id === event.refundId)!
    return isReserved(transaction, refund)
      ? [move(event, account, 'REFUND', 'blocked', 'available', refund.amountCents)]
      : []
  },
  RefundCompleted: (event, transaction, account) => [bookRefund(event, transaction, account)],
  ChargebackOpened: (event, _, account) => [bookDispute(event, event.reversal, account, 1)],
  ChargebackWon: (event, _, account) => [bookDispute(event, event.release, account, -1)],
  ChargebackLost: (event, transaction, account) => [bookLoss(event, transaction, account)],
  MedOpened: (event, transaction, account) => [
    ...moveForMed(event, account, event.med.blockedCents),
    ...shortageOf(event, event.med.id, transaction, account),
  ],
  MedBlocked: (event, transaction, account) => [
    ...moveForMed(event, account, event.cents),
    ...shortageOf(event, event.medId, transaction, account),
  ],
  MedClosed: (event, transaction, account) => {
    const { blockedCents } = medIn(transaction, event.medId)
    return [
      ...moveForMed(event, account, event.returnedCents - blockedCents),
      ...shortageOf(event, event.medId, transaction, account),
    ]
  },
  MedContestWon: (event, _, account) => [
    move(event, account, 'MED', 'payer', 'available', event.amountCents),
  ],
  ReceivablesSettled: (event, transaction, account) => [settle(event, transaction, account)],
  TransactionSeeded: (event, _, account) => bookSeed(event, account),
}

const receivedPix = (
  event: ChargePaid | PaymentReturned,
  transaction: Transaction,
  account: Account,
): ReceivedPixEvent => ({
  actor: 'received',
  type: 'PixReceived',
  id: event.payment.receivedPixId,
  received: {
    id: event.payment.receivedPixId,
    accountId: account.id,
    transactionId: transaction.id,
    endToEndId: event.payment.endToEndId,
    txid: pixOf(transaction)!.txid,
    externalId: transaction.details.externalId,
    amountCents: event.type === 'ChargePaid' ? event.paidCents : event.amountCents,
    returnReason: event.type === 'ChargePaid' ? null : event.returnReason,
    pixKeyId: account.pixKey.id,
    pixKey: account.pixKey.key,
    payer: event.payment.payer,
    description: transaction.details.description,
    receivedAtMs: event.payment.paidAtMs,
  },
})

/**
 * The payment becomes a receivable less the fee, and the receivable becomes balance at once: a PIX, a cleared boleto and a confirmed
 * stablecoin settle immediately.
 */
const bookAtOnce = (
  event: ChargePaid | BoletoCleared | CryptoPaid,
  transaction: Transaction,
  account: Account,
): readonly Event[] => {
  const { receivables, feeCents } = event
  const { settlementId, expectedOn } = receivables[0]!
  const settlement = {
    id: settlementId!,
    method: transaction.method,
    currency: transaction.currency,
    grossCents: transaction.paidCents,
    feeCents,
    receivablesCount: receivables.length,
    transactionId: event.id,
    date: expectedOn,
    createdAtMs: event.atMs,
    completedAtMs: event.atMs,
  }
  return [bookReceivable(event, transaction, account), settlementCompleted(account, settlement, [])]
}

const bookReceivable = (
  event: ChargePaid | BoletoCleared | CryptoPaid | CardApproved | CardCaptured,
  { method, currency, paidCents }: Transaction,
  account: Account,
): AccountEvent => ({
  type: 'PaymentBooked',
  transactionId: event.id,
  currency,
  postings: payment(paidCents, event.feeCents, 'receivable'),
  schedule: scheduleOf(event.receivables, method),
  ...factOf(event, account),
})

/**
 * A refunded PIX comes out of its reserve; a card refund comes out of what is still expected, then out of the balance.
 */
const bookRefund = (event: RefundCompleted, transaction: Transaction, account: Account): AccountEvent => {
  const { amountCents, feeCents, scheduledCents, settledCents, schedule } = event.reversal
  const { isReserved } = methodOf(transaction).refunds!
  return reversalBooked(event, account, 'REFUND', schedule, [
    { account: 'payer', cents: amountCents },
    { account: 'fees', cents: toCents(-feeCents) },
    { account: 'receivable', cents: toCents(-scheduledCents) },
    { account: isReserved ? 'blocked' : 'available', cents: toCents(-settledCents) },
  ])
}

/** Moves money into (1) or out of (-1) the blocked amount while a chargeback is open. */
const bookDispute = (
  event: ChargebackOpened | ChargebackWon,
  { scheduledCents, settledCents, schedule }: ChargebackOpened['reversal'],
  account: Account,
  sign: 1 | -1,
): AccountEvent =>
  reversalBooked(event, account, 'CHARGEBACK', schedule, [
    { account: 'receivable', cents: toCents(-sign * scheduledCents) },
    { account: 'available', cents: toCents(-sign * settledCents) },
    { account: 'blocked', cents: toCents(sign * (scheduledCents + settledCents)) },
  ])

const bookLoss = (event: ChargebackLost, transaction: Transaction, account: Account): AccountEvent => {
  const { amountCents, feeCents } = transaction.reversals.chargebacks.find(
    ({ id }) => id === event.chargebackId,
  )!
  return reversalBooked(
    event,
    account,
    'CHARGEBACK',
    [],
    [
      { account: 'payer', cents: amountCents },
      { account: 'fees', cents: toCents(-feeCents) },
      { account: 'blocked', cents: toCents(feeCents - amountCents) },
    ],
  )
}

/** Dated on the day it happens, whenever the receivables were expected. */
const settle = (
  event: ReceivablesSettled,
  { method, currency, id }: Transaction,
  account: Account,
): AccountEvent => {
  const { grossCents, feeCents, receivablesCount, settlementId, schedule, atMs } = event
  const settlement = {
    id: settlementId,
    method,
    currency,
    grossCents,
    feeCents,
    receivablesCount,
    transactionId: id,
    date: dateIn(account.profile.timeZone, atMs),
    createdAtMs: atMs,
    completedAtMs: atMs,
  }
  return settlementCompleted(account, settlement, schedule)
}

/** A seeded payment enters the balance, less what its status took back. Seeded stablecoins are in lists only. */
const bookSeed = (event: TransactionSeeded, account: Account): readonly Event[] => {
  const { transaction } = event
  const booked: AccountEvent[] = []
  const numbers = boletoOf(transaction)?.numbers
  if (numbers) booked.push(numbered(event.atMs, account))
  if (transaction.paidCents === 0 || transaction.currency !== 'BRL') return booked
  const lost = transaction.reversals.chargebacks.reduce((sum, { amountCents }) => sum + amountCents, 0)
  const backCents = toCents(refundedCents(transaction) + lost)
  const postings = payment(transaction.paidCents, transaction.feeCents, 'available')
  const back = transfer('available', 'payer', backCents)
  const fact = { transactionId: event.id, ...factOf(event, account) }
  booked.push({
    type: 'PaymentBooked',
    currency: 'BRL',
    postings: [...postings, ...back],
    schedule: [],
    ...fact,
  })
  return booked
}

const numbered = (atMs: number, account: Account): AccountEvent => ({
  actor: 'account',
  type: 'BoletoNumbered',
  id: account.id,
  atMs,
  number: account.boletosIssued + 1,
})

/** Whether a refund reserves balance when requested. A MED's money is blocked already. */
const isReserved = (transaction: Transaction, { origin }: Pick<Refund, 'origin'>): boolean =>
  methodOf(transaction).refunds!.isReserved && origin !== 'MED'

const payment = (paidCents: Cents, feeCents: Cents, to: LedgerAccount): readonly Posting[] => [
  { account: 'payer', cents: toCents(-paidCents) },
  { account: to, cents: toCents(paidCents - feeCents) },
  { account: 'fees', cents: feeCents },
]

/** Blocks money for a MED; a negative amount is free again. */
const moveForMed = (event: TransactionEvent, account: Account, cents: number): readonly AccountEvent[] => {
  if (cents === 0) return []
  const [from, to] = cents > 0 ? (['available', 'blocked'] as const) : (['blocked', 'available'] as const)
  return [move(event, account, 'MED', from, to, toCents(Math.abs(cents)))]
}

/** What is to be blocked for a MED from now on, where that is something else than before. */
const shortageOf = (
  event: TransactionEvent,
  medId: MedId,
  transaction: Transaction,
  account: Account,
): readonly AccountEvent[] => {
  const { status, amountCents, blockedCents } = medIn(transaction, medId)
  const missingCents = toCents(status === 'OPEN' ? amountCents - blockedCents : 0)
  const known = account.shortMeds?.find((short) => short.medId === medId)?.missingCents ?? 0
  if (missingCents === known) return []
  return [
    {
      type: 'MedShortageChanged',
      medId,
      transactionId: transaction.id,
      missingCents,
      ...factOf(event, account),
    },
  ]
}

const medIn = ({ reversals }: Transaction, medId: MedId): Med =>
  reversals.meds.find(({ id }) => id === medId)!

const move = (
  event: TransactionEvent,
  account: Account,
  cause: ReversalCause,
  from: LedgerAccount,
  to: LedgerAccount,
  cents: Cents,
): AccountEvent => reversalBooked(event, account, cause, [], transfer(from, to, cents))

const reversalBooked = (
  event: TransactionEvent,
  account: Account,
  cause: ReversalCause,
  schedule: readonly ScheduleChange[],
  postings: readonly Posting[],
): AccountEvent => ({
  type: 'ReversalBooked',
  cause,
  transactionId: event.id,
  // What is taken back was paid in reais: stablecoins are not refunded.
  currency: 'BRL',
  postings,
  schedule,
  ...factOf(event, account),
})

type ReversalCause = Extract<AccountEvent, { type: 'ReversalBooked' }>['cause']

const factOf = ({ atMs }: TransactionEvent, { id }: Account) => ({ actor: 'account', id, atMs }) as const
