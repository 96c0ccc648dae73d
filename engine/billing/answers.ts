import { toldSteps } from '../audit/told-steps.ts'
import type { Answerers } from '../kernel/reader.ts'
import { assert } from '../shared/assert.ts'
import { dateIn } from '../shared/calendar.ts'
import { couponMatches, findPlan, isKept, planMatches, validateCoupon } from './catalog/answer-catalog.ts'
import type { CatalogQuery } from './catalog/catalog-queries.ts'
import { overviewOf } from './figures/figures.ts'
import {
  createdIn,
  invoiceMatches,
  isWanted,
  isWantedInvoice,
  statusFits,
  subscriberMatches,
  subscriptionFits,
  subscriptionMatches,
} from './subscription/filters.ts'
import type { SubscriptionQuery } from './subscription/queries.ts'

/** Answers about catalog, subscriptions, invoices and subscribers. */
export const billingAnswers: Answerers<CatalogQuery | SubscriptionQuery> = {
  FindPlan: (query, { memory }) => findPlan(query, memory),
  ListPlans: function* (query, { list, result }) {
    return result(yield* list('plan', query, isKept(query), planMatches(query)))
  },
  ListCoupons: function* (query, { list, nowMs, result }) {
    return result(yield* list('coupon', query, isKept(query), couponMatches(query, nowMs)))
  },
  ValidateCoupon: (query, { memory, nowMs, result }) => result(validateCoupon(query, memory, nowMs)),
  FindSubscription: ({ subscriptionId }, { find, memory }) => {
    const { value: subscription, sequence } = find('subscription', subscriptionId)
    if (subscription === null) return { value: null, sequence }
    const steps = toldSteps(memory, 'subscription', subscriptionId, ({ by }) => by)
    return { value: { subscription, steps }, sequence }
  },
  FindInvoice: ({ invoiceId }, { find, nowMs }) => {
    const { value: invoice, sequence } = find('invoice', invoiceId)
    return { value: invoice && { invoice, nowMs }, sequence }
  },
  ListSubscriptions: function* (query, { list, listByKey, result }) {
    return result(
      query.customerId === null
        ? yield* list('subscription', createdIn(query), subscriptionFits(query), subscriptionMatches(query))
        : listByKey('subscription', query.customerId, createdIn(query), (state) => isWanted(query, state)),
    )
  },
  ListInvoices: function* (query, { list, listByKey, result }) {
    const key = query.subscriptionId ?? query.customerId
    return result(
      key === null
        ? yield* list('invoice', query, statusFits(query), invoiceMatches(query))
        : listByKey('invoice', key, query, (state) => isWantedInvoice(query, state)),
    )
  },
  ListSubscribers: function* (query, { list, result }) {
    return result(yield* list('subscriber', query, statusFits(query), subscriberMatches(query)))
  },
  OverviewRecurring: (_, { account, nowMs, result }) => {
    assert(account !== undefined, 'a key exists only for an open account')
    const { recurring: figures, profile } = account
    return result({ figures, nowMs, ...overviewOf(figures, dateIn(profile.timeZone, nowMs)) })
  },
}
