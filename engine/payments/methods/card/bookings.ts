import type { Account, AccountFact } from '../../../ledger/account.ts'
import { toCents } from '../../../shared/money.ts'
import { type Bookings, bookReceivable, reversalBooked } from '../../transaction/booking.ts'
import type { Transaction } from '../../transaction/transaction.ts'
import type { CardFact, ChargebackGrown, ChargebackLost, ChargebackOpened, ChargebackWon } from './facts.ts'

/** The account's bookings for card facts: receivables, and money that a chargeback holds or takes. */
export const cardBookings: Bookings<CardFact> = {
  CardApproved: (event, transaction, account) => [bookReceivable(event, transaction, account)],
  CardCaptured: (event, transaction, account) => [bookReceivable(event, transaction, account)],
  ChargebackOpened: (event, _, account) => [bookDispute(event, event.reversal, account, 1)],
  ChargebackGrown: (event, _, account) => [bookDispute(event, event.reversal, account, 1)],
  ChargebackWon: (event, _, account) => [bookDispute(event, event.release, account, -1)],
  ChargebackLost: (event, transaction, account) => [bookLoss(event, transaction, account)],
}

/** Moves money into (1) or out of (-1) the blocked amount while a chargeback is open. */
const bookDispute = (
  event: ChargebackOpened | ChargebackGrown | ChargebackWon,
  { scheduledCents, settledCents, schedule }: ChargebackOpened['reversal'],
  account: Account,
  sign: 1 | -1,
): AccountFact =>
  reversalBooked(event, account, 'CHARGEBACK', schedule, [
    { account: 'receivable', cents: toCents(-sign * scheduledCents) },
    { account: 'available', cents: toCents(-sign * settledCents) },
    { account: 'blocked', cents: toCents(sign * (scheduledCents + settledCents)) },
  ])

const bookLoss = (event: ChargebackLost, transaction: Transaction, account: Account): AccountFact => {
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
