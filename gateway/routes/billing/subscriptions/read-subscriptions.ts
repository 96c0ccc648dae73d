import Type from 'typebox'
import { subscriptionDateFields } from '../../../../engine/billing/subscription/queries.ts'
import type { CustomerId, PlanId, SubscriptionId } from '../../../../engine/shared/ids.ts'
import { queryRoute } from '../../../api/route.ts'
import { notFound } from '../../../problems/problem.ts'
import { subscription } from '../../../resources/billing/subscription.ts'
import { subscriptionDetail } from '../../../resources/billing/subscription-detail.ts'
import { billingMethod, subscriptionStatus } from '../../../resources/enumerations.ts'
import { listOfRows, listView } from '../../../resources/list.ts'
import { described } from '../../../schema/named-schema.ts'
import { choice, idParameter, oneOrMore, searchParameter } from '../../../schema/schema.ts'
import { readScope } from '../../catalog.ts'
import { pagingParameters, readPaging } from '../../paging.ts'
import { searchTextOf } from '../../search-text.ts'

export const listSubscriptionsRoute = queryRoute({
  ...readScope,
  path: '/v1/subscriptions',
  operationId: 'listSubscriptions',
  summary: 'List subscriptions',
  description: 'Lists subscriptions, newest first, each with its newest invoice.',
  parameters: pagingParameters({
    dateField: Type.Optional(
      described(
        choice(...subscriptionDateFields),
        'What `from` and `to` are about: `createdAt`, the default, or `cancelledAt`, with which only cancelled ones are listed.',
      ),
    ),
    status: oneOrMore(subscriptionStatus),
    method: oneOrMore(billingMethod),
    planId: Type.Optional(idParameter('Only those of this plan.')),
    customerId: Type.Optional(idParameter('Only those of this customer.')),
    q: searchParameter('Searches ids, document, name and e-mail.'),
  }),
  answer: listOfRows(subscription.schema),
  read: (query) =>
    readPaging(query, {
      dateField: query.dateField ?? 'createdAt',
      statuses: query.status ?? [],
      methods: query.method ?? [],
      planId: (query.planId as PlanId | undefined) ?? null,
      customerId: (query.customerId as CustomerId | undefined) ?? null,
      search: searchTextOf(query.q),
    }),
  query: (input, { accountId }) => ({ type: 'ListSubscriptions', accountId, ...input }) as const,
  view: (listed, input) => ({ body: listView(listed, input, subscription.view) }),
})

export const getSubscriptionRoute = queryRoute({
  ...readScope,
  path: '/v1/subscriptions/:id',
  operationId: 'getSubscription',
  summary: 'Get one subscription',
  description:
    '`latestInvoice.payment` says how the newest invoice can be paid, by PIX or boleto; `events` what happened to it.',
  refusals: [404],
  answer: subscriptionDetail.schema,
  query: (_, { accountId, id }) =>
    ({ type: 'FindSubscription', accountId, subscriptionId: id as SubscriptionId }) as const,
  view: (found) => (found === null ? notFound('subscription') : { body: subscriptionDetail.view(found) }),
})
