import type { Draft } from '../../kernel/draft.ts'
import { dateIn } from '../../shared/calendar.ts'
import type { CustomerId, SubscriberId, SubscriptionId } from '../../shared/ids.ts'
import { discountOf } from '../catalog/discount.ts'
import type { SubscriberFact } from '../subscriber/subscriber.ts'
import { isFinal, type Subscription } from '../subscription/subscription.ts'
import type { RevenueChange } from './figures.ts'

/**
 * Ends a draft: counts what it changed in subscriptions for their customers and for the account. An overview then reads
 * no subscription at all, however many there are.
 */
export const countRecurring = (draft: Draft): void => {
  const touched = new Set<SubscriptionId>()
  for (const { event } of draft.steps) if (event.actor === 'subscription') touched.add(event.id)
  for (const id of touched) count(draft, draft.before('subscription', id), draft.find('subscription', id)!)
}

/** Each customer has one subscriber, whose id follows from the customer's. */
export const subscriberIdOf = (customerId: CustomerId): SubscriberId =>
  `sbr${customerId.slice(3)}` as SubscriberId

const count = (draft: Draft, before: Subscription | undefined, after: Subscription): void => {
  const was = shareOf(before)
  const is = shareOf(after)
  const revenue = differenceOf(was.revenue, is.revenue)
  const overdueInvoices = is.overdueInvoices - was.overdueInvoices
  const overdueCents = is.overdueCents - was.overdueCents
  const isSame = before?.status === after.status && revenue.length === 0
  if (isSame && overdueInvoices === 0 && overdueCents === 0) return
  const atMs = draft.context.nowMs
  const change = {
    subscriptions: before === undefined ? 1 : 0,
    active: is.active - was.active,
    served: is.served - was.served,
    revenue,
    overdueInvoices,
    overdueCents,
  }
  draft.add({
    actor: 'account',
    type: 'RecurringCounted',
    id: after.accountId,
    atMs,
    date: dateIn(after.timeZone, atMs),
    from: before?.status ?? null,
    to: after.status,
    revenue,
    overdueInvoices,
    overdueCents,
    overdueCustomers: changesNothing(change) ? 0 : countForCustomer(draft, after, change, atMs),
  })
}

type Change = Omit<SubscriberFact, 'actor' | 'type' | 'id' | 'atMs' | 'first'>

const changesNothing = ({ subscriptions, active, served, revenue, ...overdue }: Change): boolean =>
  subscriptions === 0 &&
  active === 0 &&
  served === 0 &&
  revenue.length === 0 &&
  overdue.overdueInvoices === 0 &&
  overdue.overdueCents === 0

/** Counts the change for its customer. Returns how many more customers are late: -1, 0 or 1. */
const countForCustomer = (
  draft: Draft,
  { accountId, customerId, customer }: Subscription,
  change: Change,
  atMs: number,
): number => {
  const id = subscriberIdOf(customerId)
  const subscriber = draft.find('subscriber', id)
  const first = subscriber === undefined ? { accountId, customerId, customer } : null
  draft.add({ actor: 'subscriber', type: 'SubscriberCounted', id, atMs, first, ...change })
  const isLate = draft.find('subscriber', id)!.overdueInvoices > 0
  return Number(isLate) - Number((subscriber?.overdueInvoices ?? 0) > 0)
}

type Share = {
  readonly active: number
  readonly served: number
  readonly revenue: RevenueChange | null
  readonly overdueInvoices: number
  readonly overdueCents: number
}

const nothing: Share = { active: 0, served: 0, revenue: null, overdueInvoices: 0, overdueCents: 0 }

/** What one subscription adds to the figures. */
export const shareOf = (subscription: Subscription | undefined): Share => {
  if (subscription === undefined || isFinal(subscription)) return nothing
  const { status, plan, unpaid } = subscription
  const overdue = unpaid.filter((invoice) => invoice.status !== 'OPEN')
  const isPaying = status === 'ACTIVE' || status === 'PAST_DUE'
  const { interval, intervalCount } = plan
  return {
    active: status === 'ACTIVE' ? 1 : 0,
    served: isPaying || status === 'TRIALING' ? 1 : 0,
    revenue: isPaying ? { interval, intervalCount, cents: priceOf(subscription) } : null,
    overdueInvoices: overdue.length,
    overdueCents: overdue.reduce((sum, { totalCents }) => sum + totalCents, 0),
  }
}

/** The price of a cycle after the next discount. A discount for a single invoice does not recur, so it is left out. */
const priceOf = ({ plan, discount, discountCyclesLeft }: Subscription): number => {
  if (discount === null || discount.cycles === 1 || discountCyclesLeft === 0) return plan.amountCents
  return plan.amountCents - discountOf(plan.amountCents, discount)
}

const differenceOf = (was: RevenueChange | null, is: RevenueChange | null): readonly RevenueChange[] => {
  if (was !== null && is !== null && was.interval === is.interval && was.intervalCount === is.intervalCount) {
    const cents = is.cents - was.cents
    return cents === 0 ? [] : [{ ...is, cents }]
  }
  return [...(was === null ? [] : [{ ...was, cents: -was.cents }]), ...(is === null ? [] : [is])]
}
