import Type from 'typebox'
import type { CustomerId, InvoiceId, SubscriptionId } from '../../../engine/shared/ids.ts'
import { commandRoute, queryRoute } from '../../api/route.ts'
import { notFound } from '../../problems/problem.ts'
import { invoice, invoiceDetail } from '../../resources/billing/invoice.ts'
import { billingMethod, invoiceStatus } from '../../resources/enumerations.ts'
import { listOfRows, listView } from '../../resources/list.ts'
import { described } from '../../schema/named-schema.ts'
import { idParameter, oneOrMore, searchParameter } from '../../schema/schema.ts'
import { manageScope, readScope } from '../catalog.ts'
import { refusedField } from '../charge-input.ts'
import { forExisting } from '../command-target.ts'
import { pagingParameters, readPaging } from '../paging.ts'
import { refuseCardData } from '../payments/cards/card-data.ts'
import { cardInput, readCard, sealedCard } from '../payments/cards/create-payment.ts'
import { searchTextOf } from '../search-text.ts'
import { missingProduct } from './subscriptions/billing-means.ts'

export const listInvoicesRoute = queryRoute({
  ...readScope,
  path: '/v1/invoices',
  operationId: 'listInvoices',
  summary: 'List invoices',
  description: 'Lists the invoices of all subscriptions, newest first, without their attempts.',
  parameters: pagingParameters({
    status: oneOrMore(invoiceStatus),
    subscriptionId: Type.Optional(idParameter('Only those of this subscription.')),
    customerId: Type.Optional(idParameter('Only those of this customer.')),
    q: searchParameter('An id, or the number.'),
  }),
  answer: listOfRows(invoice.schema),
  read: (query) =>
    readPaging(query, {
      statuses: query.status ?? [],
      subscriptionId: (query.subscriptionId as SubscriptionId | undefined) ?? null,
      customerId: (query.customerId as CustomerId | undefined) ?? null,
      search: searchTextOf(query.q),
    }),
  query: (input, { accountId }) => ({ type: 'ListInvoices', accountId, ...input }) as const,
  view: (listed, input) => ({
    body: listView(listed, input, (row) => invoice.view(row, listed.nowMs)),
  }),
})

export const getInvoiceRoute = queryRoute({
  ...readScope,
  path: '/v1/invoices/:id',
  operationId: 'getInvoice',
  summary: 'Get one invoice',
  description:
    'Shows the invoice with its attempts. The last attempt says how the payer can pay it, by PIX or boleto.',
  refusals: [404],
  answer: invoiceDetail.schema,
  query: (_, { accountId, id }) => ({ type: 'FindInvoice', accountId, invoiceId: id as InvoiceId }) as const,
  view: (found) =>
    found === null ? notFound('invoice') : { body: invoiceDetail.view(found.invoice, found.nowMs) },
})

export const retryInvoiceRoute = commandRoute({
  ...manageScope,
  verb: 'POST',
  path: '/v1/invoices/:id/retry',
  operationId: 'retryInvoice',
  summary: 'Retry an invoice',
  description:
    'Tries once more to collect the invoice, with another card or method if one is sent; the subscription keeps it if the payment succeeds. Attempts that are planned stay planned. A card that is declined is 200, too: the attempt says FAILED. A card that was declined 15 times in 30 days, for whichever invoices, is refused; in the Sandbox a test token is one card.',
  idempotent: true,
  refusals: [404, 409, 422],
  guard: refuseCardData,
  body: Type.Object({
    method: Type.Optional(described(billingMethod, 'One of the methods of the plan.')),
    card: Type.Optional(cardInput),
  }),
  answer: invoiceDetail.schema,
  read: (body) => {
    if (body.card !== undefined && body.method !== undefined && body.method !== 'CREDIT_CARD')
      return refusedField('card', 'MUTUALLY_EXCLUSIVE', (say) =>
        say.onlyWith('card', 'method', 'CREDIT_CARD'),
      )
    return {
      ok: true,
      input: {
        method: body.method ?? (body.card === undefined ? null : ('CREDIT_CARD' as const)),
        card: body.card ? readCard(body.card) : null,
      },
    }
  },
  command: (input, request) => ({
    type: 'RetryInvoice',
    ...forExisting('invoiceId', request),
    ...input,
    card: input.card && sealedCard(input.card, request),
    missingProduct: missingProduct(input.method, request.company, request.environment),
  }),
  view: ({ state, nowMs }) => ({ body: invoiceDetail.view(state, nowMs) }),
})
