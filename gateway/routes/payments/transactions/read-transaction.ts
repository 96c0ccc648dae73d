import type { TransactionId } from '../../../../engine/shared/ids.ts'
import { queryRoute } from '../../../api/route.ts'
import { notFound } from '../../../problems/problem.ts'
import { transaction } from '../../../resources/payments/transaction.ts'
import { detail, shownIn, transactionDetail } from '../../../resources/payments/transaction-detail.ts'
import { todayOf } from '../../charge-input.ts'
import { transactionReads } from '../../groups.ts'

export const getTransactionRoute = queryRoute({
  ...transactionReads,
  path: '/v1/transactions/:id',
  operationId: 'getTransaction',
  summary: 'Get one transaction',
  description:
    'Shows a transaction of any kind with its history. It is the object that the PIX, card and boleto operations show under the same id. Confirm here what a webhook told you.',
  refusals: [404],
  answer: transactionDetail,
  query: (_, { accountId, id }) =>
    ({ type: 'FindTransaction', accountId, transactionId: id as TransactionId, family: null }) as const,
  view: (found, _, request) => {
    if (found === null) return notFound('transaction')
    const today = todayOf(request, found)
    return {
      shows: shownIn(found, today),
      bodyOf: () => Object.assign(transaction.view(found.transaction, today), detail.view(found)),
    }
  },
})
