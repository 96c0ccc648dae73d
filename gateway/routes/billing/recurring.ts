import { queryRoute } from '../../api/route.ts'
import { recurringOverview } from '../../resources/billing/recurring-overview.ts'
import { subscriber } from '../../resources/billing/subscriber.ts'
import { subscriberStatus } from '../../resources/enumerations.ts'
import { listOfRows, listView } from '../../resources/list.ts'
import { oneOrMore, searchParameter } from '../../schema/schema.ts'
import { readScope } from '../catalog.ts'
import { pagingParameters, readPaging } from '../paging.ts'
import { searchTextOf } from '../search-text.ts'

export const getRecurringOverviewRoute = queryRoute({
  ...readScope,
  path: '/v1/recurring/overview',
  operationId: 'getRecurringOverview',
  summary: 'Get the recurring overview',
  description:
    'Shows the monthly recurring revenue, subscriptions by status, and what is late. Revenue is calculated from the terms of subscriptions, not from invoices.',
  answer: recurringOverview.schema,
  query: (_, { accountId }) => ({ type: 'OverviewRecurring', accountId }) as const,
  view: (overview) => ({ body: recurringOverview.view(overview) }),
})

export const listSubscribersRoute = queryRoute({
  ...readScope,
  path: '/v1/recurring/customers',
  operationId: 'listSubscribers',
  summary: 'List subscribers',
  description: 'Lists one row for each customer, with what the subscriptions are worth and what is late.',
  parameters: pagingParameters({
    status: oneOrMore(subscriberStatus),
    q: searchParameter('Searches customer id, document, name and e-mail.'),
  }),
  answer: listOfRows(subscriber.schema),
  read: (query) => readPaging(query, { statuses: query.status ?? [], search: searchTextOf(query.q) }),
  query: (input, { accountId }) => ({ type: 'ListSubscribers', accountId, ...input }) as const,
  view: (listed, input) => ({ body: listView(listed, input, subscriber.view) }),
})
