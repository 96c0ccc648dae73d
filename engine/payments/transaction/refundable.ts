import { dayMs } from '../../shared/calendar.ts'
import { type Cents, toCents } from '../../shared/money.ts'
import { methodOf } from '../methods/index.ts'
import type { RefundRules } from '../methods/method.ts'
import { heldCents, openDisputeOf, refundableStatuses } from './amounts.ts'
import type { Transaction } from './transaction.ts'

/** The largest refund possible now (decisions, section 15); 0 when none is. */
export const refundableCents = (transaction: Transaction, nowMs: number): Cents => {
  const { refunds } = methodOf(transaction)
  const isPossible =
    refunds !== null &&
    refundableStatuses.includes(transaction.status) &&
    openDisputeOf(transaction) === null &&
    nowMs <= refundableUntilMs(transaction, refunds)
  return isPossible ? heldCents(transaction) : toCents(0)
}

/** The last instant at which a refund can be requested. */
export const refundableUntilMs = (transaction: Transaction, { sinceMs, days }: RefundRules): number =>
  sinceMs(transaction) + days * dayMs
