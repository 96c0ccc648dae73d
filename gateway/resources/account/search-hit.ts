import type { Static } from 'typebox'
import type { Invoice } from '../../../engine/billing/invoice/invoice.ts'
import { invoiceNumber } from '../../../engine/billing/invoice/issue.ts'
import type { Key } from '../../../engine/companies/api-key.ts'
import type { Endpoint } from '../../../engine/companies/endpoint.ts'
import type { SearchFound } from '../../../engine/search/queries.ts'
import { shortDecimalOf } from '../../../engine/shared/asset.ts'
import { isoInstant } from '../../../engine/shared/calendar.ts'
import { shownEmailOrNull } from '../../base/emails.ts'
import { described, namedObject } from '../../schema/named-schema.ts'
import { choice } from '../../schema/schema.ts'
import { webhookEndpoint } from '../developers/endpoint.ts'
import { apiKey } from '../developers/key.ts'
import { createdAt, listOf, nonNegativeAmountOf, nullableField, objectName, textOf } from '../fields.ts'

const searchHit = namedObject('SearchHit', 'One row of a search.', {
  object: described(
    choice(
      'transaction',
      'customer',
      'subscription',
      'invoice',
      'plan',
      'coupon',
      'api_key',
      'webhook_endpoint',
      'webhook_delivery',
      'transfer',
      'crypto_withdrawal',
    ),
    'What was found.',
  ),
  id: textOf('Its id.'),
  title: textOf('What people call it: a payer, a plan, a code, a URL.'),
  detail: nullableField(textOf('What tells it from others of the same title.')),
  status: nullableField(textOf('Its status; null for what has none.')),
  amount: nullableField(nonNegativeAmountOf('What it comes to; null for what has no amount.')),
  createdAt,
})

export const searchAnswer = namedObject('SearchResult', 'What a text leads to.', {
  object: objectName('search_result'),
  data: listOf(
    searchHit,
    'At most five of each kind, the kinds in this order: transactions, customers, subscriptions, invoices, plans, coupons, keys, endpoints, deliveries, transfers, withdrawals.',
  ),
})

type Hit = Static<typeof searchHit>

/** The hits in memory and directory, as rows. */
export const searchView = (
  found: SearchFound,
  keys: readonly Key[],
  endpoints: readonly Endpoint[],
  nowMs: number,
): Static<typeof searchAnswer> => ({
  object: 'search_result',
  data: [
    ...found.transaction.map(transactionHit),
    ...found.customer.map(customerHit),
    ...found.subscription.map(subscriptionHit),
    ...found.invoice.map(invoiceHit),
    ...found.plan.map(planHit),
    ...found.coupon.map(couponHit),
    ...keys.map((key) => keyHit(key, nowMs)),
    ...endpoints.map((endpoint) => endpointHit(endpoint, nowMs)),
    ...found.delivery.map(deliveryHit),
    ...found.transfer.map(transferHit),
    ...found.withdrawal.map(withdrawalHit),
  ],
})

const transactionHit = ({
  id,
  customer,
  details,
  method,
  status,
  amountCents,
  createdAtMs,
}: SearchFound['transaction'][number]): Hit => ({
  ...hit('transaction', id, createdAtMs),
  title: customer?.name ?? details.externalId ?? id,
  detail: method,
  status,
  amount: String(amountCents),
})

const customerHit = ({
  id,
  customer: { name, email, document },
  createdAtMs,
}: SearchFound['customer'][number]): Hit => ({
  ...hit('customer', id, createdAtMs),
  title: name,
  detail: shownEmailOrNull(email) ?? document,
})

const subscriptionHit = ({
  id,
  plan,
  customer,
  status,
  createdAtMs,
}: SearchFound['subscription'][number]): Hit => ({
  ...hit('subscription', id, createdAtMs),
  title: customer.name,
  detail: plan.name,
  status,
  amount: String(plan.amountCents),
})

const invoiceHit = ({ id, number, subscriptionId, status, totalCents, createdAtMs }: Invoice): Hit => ({
  ...hit('invoice', id, createdAtMs),
  title: invoiceNumber(number),
  detail: subscriptionId,
  status,
  amount: String(totalCents),
})

const planHit = ({ id, name, active, amountCents, createdAtMs }: SearchFound['plan'][number]): Hit => ({
  ...hit('plan', id, createdAtMs),
  title: name,
  status: activity(active),
  amount: String(amountCents),
})

const couponHit = ({ id, code, name, active, createdAtMs }: SearchFound['coupon'][number]): Hit => ({
  ...hit('coupon', id, createdAtMs),
  title: code,
  detail: name,
  status: activity(active),
})

const keyHit = (key: Key, nowMs: number): Hit => ({
  ...hit('api_key', key.id, key.createdAtMs),
  title: key.clientId,
  detail: `…${key.last4}`,
  status: apiKey.view(key, nowMs, undefined).status,
})

const endpointHit = (endpoint: Endpoint, nowMs: number): Hit => ({
  ...hit('webhook_endpoint', endpoint.id, endpoint.createdAtMs),
  title: endpoint.url,
  detail: endpoint.description,
  status: webhookEndpoint.view(endpoint, nowMs).status,
})

const deliveryHit = ({
  id,
  eventType,
  objectId,
  status,
  createdAtMs,
}: SearchFound['delivery'][number]): Hit => ({
  ...hit('webhook_delivery', id, createdAtMs),
  title: eventType,
  detail: objectId,
  status,
})

const transferHit = ({
  id,
  payee,
  method,
  status,
  amountCents,
  createdAtMs,
}: SearchFound['transfer'][number]): Hit => ({
  ...hit('transfer', id, createdAtMs),
  title: payee.name,
  detail: method,
  status,
  amount: String(amountCents),
})

const withdrawalHit = ({
  id,
  payee,
  amountCents,
  status,
  worthCents,
  createdAtMs,
}: SearchFound['withdrawal'][number]): Hit => ({
  ...hit('crypto_withdrawal', id, createdAtMs),
  title: payee.name,
  detail: `${shortDecimalOf(amountCents)} ${payee.asset}`,
  status,
  amount: String(worthCents),
})

const hit = (object: Hit['object'], id: string, createdAtMs: number) => ({
  object,
  id,
  detail: null,
  status: null,
  amount: null,
  createdAt: isoInstant(createdAtMs),
})

const activity = (isActive: boolean): string => (isActive ? 'ACTIVE' : 'INACTIVE')
