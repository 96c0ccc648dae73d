// Routes of transactions of any method: list, export, facets, read, cancel and refund.
import Type from 'typebox'
import { commandRoute } from '../../../api/route.ts'
import { bounds } from '../../../base/bounds.ts'
import { transaction } from '../../../resources/payments/transaction.ts'
import { textUpTo } from '../../../schema/schema.ts'
import { todayOf } from '../../charge-input.ts'
import { forExisting } from '../../command-target.ts'
import { cancellationProblem } from '../cancelled.ts'

export const cancelTransactionRoute = commandRoute({
  verb: 'POST',
  path: '/v1/transactions/:id/cancel',
  operationId: 'cancelTransaction',
  summary: 'Cancel a transaction',
  description:
    'Possible while it is CREATED, PENDING or AUTHORIZED, that is before it is paid. A second call answers 409.',
  tag: 'Transactions',
  permission: 'charges.create',
  product: null,
  refusals: [404, 409],
  body: Type.Object({
    reason: Type.Optional(textUpTo(bounds.reasonCharsMax, 'Recorded with the cancellation.')),
  }),
  answer: transaction.schema,
  read: ({ reason }) => ({ reason: reason?.trim() ?? null }),
  command: ({ reason }, request) => ({
    type: 'CancelCharge',
    ...forExisting('transactionId', request),
    family: null,
    reason,
  }),
  view: (reply, _, request) => {
    const { state } = reply
    return cancellationProblem(state) ?? { body: transaction.view(state, todayOf(request, reply)) }
  },
})
