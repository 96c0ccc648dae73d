import Type from 'typebox'
import { newId } from '../../../../engine/shared/ids.ts'
import { toCents } from '../../../../engine/shared/money.ts'
import { commandRoute } from '../../../api/route.ts'
import { bounds } from '../../../base/bounds.ts'
import { refund, refundOf } from '../../../resources/payments/refund.ts'
import { amount, textUpTo } from '../../../schema/schema.ts'
import { forExisting } from '../../command-target.ts'

export const refundTransactionRoute = commandRoute({
  verb: 'POST',
  path: '/v1/transactions/:id/refund',
  operationId: 'refundTransaction',
  summary: 'Refund a transaction',
  description:
    'Refunds a PIX or card payment, in full or in part. A refund that the bank or acquirer has not confirmed yet is answered with 201 and the status PROCESSING; its amount is reserved.',
  tag: 'Transactions',
  permission: 'refunds.create',
  product: null,
  idempotent: true,
  status: 201,
  refusals: [404, 409, 422],
  body: Type.Object({
    amount: Type.Optional(amount(bounds.amountCentsMax, 'Default: all that can be refunded.')),
    reason: Type.Optional(textUpTo(bounds.reasonCharsMax, 'Recorded with the refund.')),
  }),
  answer: refund.schema,
  read: (body) => ({
    amountCents: body.amount === undefined ? null : toCents(Number(body.amount)),
    reason: body.reason?.trim() ?? null,
  }),
  command: (input, request) => ({
    type: 'RequestRefund',
    ...forExisting('transactionId', request),
    refundId: newId('rfd', request.atMs, request.entropy),
    ...input,
    address: request.address(),
  }),
  view: ({ state, reversalId, nowMs }) => {
    const transaction = state
    return { location: `/v1/transactions/${transaction.id}`, body: refundOf(transaction, reversalId, nowMs) }
  },
})
