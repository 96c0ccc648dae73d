import type { RefundShare } from '../../../engine/ledger/receivable.ts'
import { quoteRefundShares } from '../../../engine/ledger/receivables.ts'
import { refundableCents } from '../../../engine/payments/transaction/refundable.ts'
import type { Refund, Transaction } from '../../../engine/payments/transaction/transaction.ts'
import { described } from '../../schema/named-schema.ts'
import { choice } from '../../schema/schema.ts'
import { transactionStatus } from '../enumerations.ts'
import {
  amountOf,
  createdAtField,
  identityFields,
  instant,
  instantOrNull,
  listOf,
  nullableField,
  nullableText,
  textOf,
} from '../fields.ts'
import { part, resource, same } from '../resource.ts'

const share = part<RefundShare>().with({
  recipientId: [described(nullableText, 'Null is the company.'), same],
  amount: [amountOf('Its part.'), ({ amountCents }) => String(amountCents)],
})

/** A refund of a transaction, with what it leaves of the payment at an instant (decisions, section 15). */
export const refund = resource<Refund, [Transaction, number]>(
  'Refund',
  'Money that goes back to the payer, in full or in part.',
).with({
  ...identityFields('rfd', 'refund'),
  transactionId: [textOf('The transaction that it belongs to.'), (_, { id }) => id],
  amount: [amountOf('What is given back.'), (r) => String(r.amountCents)],
  status: [
    described(
      choice('PROCESSING', 'COMPLETED', 'FAILED'),
      'PROCESSING: the amount is reserved, and the bank or acquirer has not confirmed yet.',
    ),
    same,
  ],
  origin: [
    described(
      choice('API', 'DASHBOARD', 'CARD_CANCEL', 'MED', 'BANK'),
      'What asked for it. BANK: it was made at the bank itself, in its app.',
    ),
    same,
  ],
  reason: [described(nullableText, 'As it was sent.'), same],
  failureReason: [nullableField(choice('REFUSED_BY_PROVIDER', 'DISPUTE_OPENED'), 'Why it FAILED.'), same],
  failureMessage: [
    described(nullableText, 'What the bank or acquirer said of that, where it said something.'),
    (r) => r.failureMessage ?? null,
  ],
  feeReversedAmount: [amountOf('What of the fee comes back.'), (r) => String(r.feeReversedCents)],
  split: [
    listOf(share.schema, 'What each party gives back.'),
    (r, transaction) => givenBy(transaction, r).map(share.view),
  ],
  returnId: [nullableField(textOf('Id under which a PIX travels back.')), same],
  transactionStatus: [transactionStatus, (_, { status }) => status],
  refundableAmount: [
    amountOf('What can still be refunded.'),
    (_, transaction, nowMs) => String(refundableCents(transaction, nowMs)),
  ],
  createdAt: createdAtField,
  completedAt: [
    nullableField(instant, 'When the bank or acquirer confirmed it.'),
    (r) => instantOrNull(r.completedAtMs),
  ],
  failedAt: [
    nullableField(instant, 'When the bank or acquirer refused it.'),
    (r) => instantOrNull(r.failedAtMs),
  ],
})

/** The refund that a command created or changed. */
export const refundOf = (transaction: Transaction, reversalId: string | null, nowMs: number) =>
  refund.view(transaction.reversals.refunds.find(({ id }) => id === reversalId)!, transaction, nowMs)

/** The shares that parties gave: as recorded, or as they would be now. */
const givenBy = ({ receivables, split }: Transaction, refund: Refund): readonly RefundShare[] => {
  const { amountCents } = refund
  if (split === null) return [{ recipientId: null, amountCents }]
  return (refund.split ?? quoteRefundShares(receivables, amountCents, split)).filter(
    (part) => part.amountCents > 0,
  )
}
