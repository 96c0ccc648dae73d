import Type from 'typebox'
import { queryRoute } from '../../../api/route.ts'
import { transactionFacets } from '../../../resources/payments/transaction-figures.ts'
import { transactionReads } from '../../groups.ts'
import { filterParameters, readFilters } from './filters.ts'

export const getTransactionFacetsRoute = queryRoute({
  ...transactionReads,
  path: '/v1/transactions/facets',
  operationId: 'getTransactionFacets',
  summary: 'Get the values of filters',
  description:
    'Shows the values that occur and how many transactions have them. It takes the filters of the list, and counts what fits them.',
  parameters: Type.Object(filterParameters),
  answer: transactionFacets.schema,
  read: readFilters,
  query: ({ order: _, ...filters }, { accountId }) =>
    ({ type: 'FacetTransactions', accountId, asOf: null, ...filters }) as const,
  view: (facets) => ({ body: transactionFacets.view(facets) }),
})
