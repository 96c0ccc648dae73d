import type { Rejection } from '../../kernel/registry.ts'
import { asSettled, feeShare, reverse } from '../../ledger/receivables.ts'
import { toCents } from '../../shared/money.ts'
import type { RefundRules } from '../methods/method.ts'
import { keptCents, openDisputeOf } from './amounts.ts'
import type { ChargeContext } from './charge-context.ts'
import type { RefundCompleted } from './facts.ts'
import type { Refund, Transaction } from './transaction.ts'

/** The fact of a completed refund, with its effect on receivables, fee and balance. */
export const refundCompleted = (
  transaction: Transaction,
  refund: Pick<Refund, 'id' | 'amountCents'>,
  callId: string | null,
  chargeContext: ChargeContext,
  { returnsFee, newReturnId }: RefundRules,
  returnId: string | null = null,
): RefundCompleted => {
  const { amountCents } = refund
  // Each part returns its part of the fee, and the last one the exact rest. What a chargeback holds has its own.
  const { chargebacks } = transaction.reversals
  const open = chargebacks.find(({ status }) => status === 'OPEN' || status === 'UNDER_REVIEW')
  const heldFeeCents = toCents(transaction.feeCents - (open?.feeCents ?? 0))
  const heldCents = toCents(keptCents(transaction) - (open?.amountCents ?? 0))
  const feeCents = returnsFee ? feeShare(amountCents, heldFeeCents, heldCents) : toCents(0)
  const receivables = asSettled(transaction.receivables, chargeContext.settledAt)
  return {
    type: 'RefundCompleted',
    refundId: refund.id,
    callId,
    // A bank makes the id by which its money travels: where it does not say it, there is none to show.
    returnId: returnId ?? (transaction.connectionId === null ? newReturnId(chargeContext.context) : null),
    reversal: reverse(
      receivables,
      { grossCents: amountCents, feeCents },
      'REFUND',
      transaction,
      chargeContext,
    ),
    ...chargeContext.fact,
  }
}

/** The refusal while a chargeback or MED disputes the money; null when none does. */
export const disputeRefusal = (transaction: Transaction): Rejection | null => {
  const dispute = openDisputeOf(transaction)
  return dispute === null ? null : { reason: 'DISPUTE_OPEN', disputeId: dispute.id }
}
