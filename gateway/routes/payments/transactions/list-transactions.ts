import { queryRoute } from '../../../api/route.ts'
import { listView } from '../../../resources/list.ts'
import { transaction } from '../../../resources/payments/transaction.ts'
import { totals, transactionList } from '../../../resources/payments/transaction-figures.ts'
import { todayOf } from '../../charge-input.ts'
import { transactionReads } from '../../groups.ts'
import { pagingParameters, readPaging } from '../../paging.ts'
import { filterParameters, readFilters, sortParameter } from './filters.ts'

export const listTransactionsRoute = queryRoute({
  ...transactionReads,
  path: '/v1/transactions',
  operationId: 'listTransactions',
  summary: 'List transactions',
  description:
    'Lists transactions of every kind. `totals` are over everything that fits the filters, not only over the page.',
  parameters: pagingParameters({ ...filterParameters, ...sortParameter }),
  answer: transactionList,
  read: (query) => {
    const paging = readPaging(query, {})
    if (!paging.ok) return paging
    const filters = readFilters(query)
    return filters.ok ? { ok: true, input: { ...paging.input, ...filters.input } } : filters
  },
  query: (input, { accountId }) => ({ type: 'ListTransactions', accountId, totals: true, ...input }) as const,
  view: (listed, input, request) => {
    const today = todayOf(request, listed)
    const list = listView(listed, input, (row) => transaction.view(row, today))
    return { body: { ...list, totals: listed.totals!.map(totals.view) } }
  },
})
