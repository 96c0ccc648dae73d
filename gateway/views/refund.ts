import type { RefundShare } from '../../engine/ledger/receivable.ts'
import { quoteRefundShares } from '../../engine/ledger/receivables.ts'
import { refundableCents } from '../../engine/payments/transaction/refundable.ts'
import type { Refund, Transaction } from '../../engine/payments/transaction/transaction.ts'
import { isoInstant } from '../../engine/shared/calendar.ts'

/** A refund, with what it left of the payment (decisions, section 15). */
export const refundView = (transaction: Transaction, refund: Refund, nowMs: number) => ({
  id: refund.id,
  object: 'refund',
  transactionId: transaction.id,
  amount: String(refund.amountCents),
  status: refund.status,
  origin: refund.origin,
  reason: refund.reason,
  failureReason: refund.failureReason,
  feeReversedAmount: String(refund.feeReversedCents),
  split: givenBy(transaction, refund).map(({ recipientId, amountCents }) => ({
    recipientId,
    amount: String(amountCents),
  })),
  returnId: refund.returnId,
  transactionStatus: transaction.status,
  refundableAmount: String(refundableCents(transaction, nowMs)),
  createdAt: isoInstant(refund.createdAtMs),
  completedAt: refund.completedAtMs === null ? null : isoInstant(refund.completedAtMs),
  failedAt: refund.failedAtMs === null ? null : isoInstant(refund.failedAtMs),
})

/** Whose part it is: what it was, or would be now. */
const givenBy = ({ receivables, split }: Transaction, refund: Refund): readonly RefundShare[] => {
  const { amountCents } = refund
  if (split === null) return [{ recipientId: null, amountCents }]
  return (refund.split ?? quoteRefundShares(receivables, amountCents, split)).filter(
    (part) => part.amountCents > 0,
  )
}
