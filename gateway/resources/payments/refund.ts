import Type, { type Static } from 'typebox'
import type { RefundShare } from '../../../engine/ledger/receivable.ts'
import { quoteRefundShares } from '../../../engine/ledger/receivables.ts'
import { refundableCents } from '../../../engine/payments/transaction/refundable.ts'
import type { Refund, Transaction } from '../../../engine/payments/transaction/transaction.ts'
import { isoInstant } from '../../../engine/shared/calendar.ts'
import { described, namedObject } from '../../schema/named-schema.ts'
import { transactionStatus } from '../enumerations.ts'
import {
  amountOf,
  createdAt,
  enumeration,
  identity,
  instant,
  instantOrNull,
  listOf,
  nullable,
  text,
  textOf,
} from '../fields.ts'

/** A refund (decisions, section 15). */
export const refund = namedObject('Refund', 'Money that goes back to the payer, in full or in part.', {
  ...identity('rfd', 'refund'),
  transactionId: textOf('The transaction that it belongs to.'),
  amount: amountOf('What is given back.'),
  status: described(
    enumeration('PROCESSING', 'COMPLETED', 'FAILED'),
    'PROCESSING: the amount is reserved, and the bank or acquirer has not confirmed yet.',
  ),
  origin: described(enumeration('API', 'DASHBOARD', 'CARD_CANCEL', 'MED'), 'What asked for it.'),
  reason: described(text, 'As it was sent.'),
  failureReason: nullable(enumeration('REFUSED_BY_PROVIDER', 'DISPUTE_OPENED'), 'Why it FAILED.'),
  feeReversedAmount: amountOf('What of the fee comes back.'),
  split: listOf(
    Type.Object({
      recipientId: described(text, 'Null is the company.'),
      amount: amountOf('Its part.'),
    }),
    'What each party gives back.',
  ),
  returnId: nullable(textOf('Id under which a PIX travels back.')),
  transactionStatus,
  refundableAmount: amountOf('What can still be refunded.'),
  createdAt,
  completedAt: nullable(instant, 'When the bank or acquirer confirmed it.'),
  failedAt: nullable(instant, 'When the bank or acquirer refused it.'),
})

type View = Static<typeof refund>

/** A refund, with what it leaves of the payment at an instant. */
export const refundView = (transaction: Transaction, refund: Refund, nowMs: number): View => ({
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
  completedAt: instantOrNull(refund.completedAtMs),
  failedAt: instantOrNull(refund.failedAtMs),
})

/** The refund that a command created or changed. */
export const refundOf = (transaction: Transaction, reversalId: string | null, nowMs: number) =>
  refundView(transaction, transaction.reversals.refunds.find(({ id }) => id === reversalId)!, nowMs)

/** The shares that parties gave: as recorded, or as they would be now. */
const givenBy = ({ receivables, split }: Transaction, refund: Refund): readonly RefundShare[] => {
  const { amountCents } = refund
  if (split === null) return [{ recipientId: null, amountCents }]
  return (refund.split ?? quoteRefundShares(receivables, amountCents, split)).filter(
    (part) => part.amountCents > 0,
  )
}
