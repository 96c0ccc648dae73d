import type { Draft } from '../kernel/draft.ts'
import type { AnyFact } from '../kernel/registry.ts'
import type { Account, AccountFact } from '../ledger/account.ts'
import { transfer } from '../ledger/postings.ts'
import { settlementCompleted } from '../ledger/settle-day.ts'
import { assert } from '../shared/assert.ts'
import { dateIn } from '../shared/calendar.ts'
import { toCents } from '../shared/money.ts'
import { boletoOf } from './methods/boleto/boleto.ts'
import { boletoNumbered } from './methods/boleto/bookings.ts'
import { methodNames, methodOf, methods } from './methods/index.ts'
import { pixReceived } from './methods/pix/bookings.ts'
import type { ChargePaid } from './methods/pix/facts.ts'
import { refundedCents } from './transaction/amounts.ts'
import {
  accountFact,
  type Booking,
  type Bookings,
  moveBooked,
  paymentPostings,
  reversalBooked,
} from './transaction/booking.ts'
import type { TransactionChange } from './transaction/change.ts'
import { evolveTransaction } from './transaction/evolve.ts'
import type {
  CommonFact,
  ReceivablesSettled,
  RefundCompleted,
  TransactionFact,
  TransactionSeeded,
} from './transaction/facts.ts'
import type { Refund, Transaction } from './transaction/transaction.ts'

/**
 * Writes the account's books and the received PIX that follow from a transaction's facts, in the same journal entry. It
 * only keeps books and cannot refuse.
 */
export const bookPayment = (draft: Draft, change: TransactionChange): void => {
  const account = draft.account()
  const { before, events } = change
  const transaction = draft.find('transaction', events[0]!.id)!
  assert(
    transaction.paidCents === (before?.paidCents ?? 0) || events.some(isBooked),
    'a fact that collects money is booked',
  )
  draft.add(...mapFacts(change, isBooked, (event, then) => bookingsOf(event, then, account), transaction))
}

/**
 * Received PIX, which come before the facts of the charge they pay: merchants get the events in that order (decisions,
 * section 9).
 */
export const arrivalsOf = (draft: Draft, change: TransactionChange): readonly AnyFact[] =>
  mapFacts(change, isPayment, (event, transaction) => [
    pixReceived(event as ChargePaid, transaction, draft.account()),
  ])

/** Calls back with each fact that is meant, and the transaction as it was after it; how all of them leave it may be known. */
const mapFacts = (
  { before, events }: TransactionChange,
  isMeant: (event: TransactionFact) => boolean,
  map: (event: TransactionFact, transaction: Transaction) => readonly AnyFact[],
  after: Transaction | null = null,
): readonly AnyFact[] => {
  const last = events.findLastIndex(isMeant)
  const mapped: AnyFact[] = []
  let transaction = before
  for (let n = 0; n <= last; n++) {
    const event = events[n]!
    const isKnown = after !== null && n === events.length - 1
    const then = isKnown ? after : evolveTransaction(transaction, event)
    if (isMeant(event)) mapped.push(...map(event, then))
    transaction = then
  }
  return mapped
}

const isPayment = ({ type }: TransactionFact): boolean => type === 'ChargePaid'

const isBooked = ({ type }: TransactionFact): boolean => type in bookings

const bookingsOf: Booking<TransactionFact> = (event, transaction, account) =>
  (bookings[event.type] as Booking<TransactionFact>)(event, transaction, account)

/** Bookings for the facts that all methods share. */
const commonBookings: Bookings<CommonFact> = {
  RefundRequested: (event, transaction, account) =>
    isReserved(transaction, event)
      ? [moveBooked(event, account, 'REFUND', 'available', 'blocked', event.amountCents)]
      : [],
  RefundFailed: (event, transaction, account) => {
    const refund = transaction.reversals.refunds.find(({ id }) => id === event.refundId)!
    return isReserved(transaction, refund)
      ? [moveBooked(event, account, 'REFUND', 'blocked', 'available', refund.amountCents)]
      : []
  },
  RefundCompleted: (event, transaction, account) => [bookRefund(event, transaction, account)],
  ReceivablesSettled: (event, transaction, account) => [settle(event, transaction, account)],
  TransactionSeeded: (event, _, account) => bookSeed(event, account),
}

const bookings: Bookings<TransactionFact> = Object.assign(
  {},
  commonBookings,
  ...methodNames.map((name) => methods[name].bookings),
)

/**
 * A refunded PIX comes out of its reserve; a card refund comes out of what is still expected, then out of the balance.
 */
const bookRefund = (event: RefundCompleted, transaction: Transaction, account: Account): AccountFact => {
  const { amountCents, feeCents, scheduledCents, settledCents, schedule } = event.reversal
  const { isReserved } = methodOf(transaction).refunds!
  return reversalBooked(event, account, 'REFUND', schedule, [
    { account: 'payer', cents: amountCents },
    { account: 'fees', cents: toCents(-feeCents) },
    { account: 'receivable', cents: toCents(-scheduledCents) },
    { account: isReserved ? 'blocked' : 'available', cents: toCents(-settledCents) },
  ])
}

/** Books receivables that settle early, dated on the day of the fact, whenever they were expected. */
const settle = (
  event: ReceivablesSettled,
  { method, currency, id }: Transaction,
  account: Account,
): AccountFact => {
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
const bookSeed = (event: TransactionSeeded, account: Account): readonly AnyFact[] => {
  const { transaction } = event
  const booked: AccountFact[] = []
  const numbers = boletoOf(transaction)?.numbers
  if (numbers) booked.push(boletoNumbered(event.atMs, account))
  if (transaction.paidCents === 0 || transaction.currency !== 'BRL') return booked
  const lost = transaction.reversals.chargebacks.reduce((sum, { amountCents }) => sum + amountCents, 0)
  const backCents = toCents(refundedCents(transaction) + lost)
  const postings = paymentPostings(transaction.paidCents, transaction.feeCents, 'available')
  const back = transfer('available', 'payer', backCents)
  const fact = { transactionId: event.id, ...accountFact(event, account) }
  booked.push({
    type: 'PaymentBooked',
    currency: 'BRL',
    postings: [...postings, ...back],
    schedule: [],
    ...fact,
  })
  return booked
}

/** Whether a refund reserves balance when requested. A MED's money is blocked already. */
const isReserved = (transaction: Transaction, { origin }: Pick<Refund, 'origin'>): boolean =>
  methodOf(transaction).refunds!.isReserved && origin !== 'MED'
