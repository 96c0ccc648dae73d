import { mrrOf } from '../../engine/billing/catalog/figures.ts'
import { type Subscriber, subscriberStatus } from '../../engine/billing/subscriber/subscriber.ts'
import type { ToldOverview } from '../../engine/billing/subscription/queries.ts'
import { isoInstant } from '../../engine/shared/calendar.ts'
import { customerView } from './transaction.ts'

/** The figures of all subscriptions (decisions, section 25). */
export const recurringOverviewView = (overview: ToldOverview) => {
  const { figures, mrrCents, nowMs } = overview
  const { statuses } = figures
  return {
    object: 'recurring_overview',
    asOf: isoInstant(nowMs),
    currency: 'BRL',
    mrrAmount: String(mrrCents),
    arrAmount: String(12n * mrrCents),
    activeSubscriptions: statuses.ACTIVE ?? 0,
    trialingSubscriptions: statuses.TRIALING ?? 0,
    pendingSubscriptions: statuses.PENDING ?? 0,
    pastDueSubscriptions: statuses.PAST_DUE ?? 0,
    pausedSubscriptions: statuses.PAUSED ?? 0,
    suspendedSubscriptions: statuses.SUSPENDED ?? 0,
    newLast30Days: overview.newLast30Days,
    cancelledLast30Days: overview.cancelledLast30Days,
    churnBps: overview.churnBps,
    delinquency: {
      invoices: figures.overdueInvoices,
      amount: String(figures.overdueCents),
      customers: figures.overdueCustomers,
      rateBps: overview.overdueRateBps,
    },
  }
}

/** A customer with subscriptions. */
export const subscriberView = (subscriber: Subscriber) => ({
  object: 'subscriber',
  customerId: subscriber.customerId,
  customer: customerView(subscriber.customer),
  subscriptions: subscriber.subscriptions,
  activeSubscriptions: subscriber.activeSubscriptions,
  mrrAmount: String(mrrOf(subscriber.revenue)),
  overdueAmount: String(subscriber.overdueCents),
  firstSubscribedAt: isoInstant(subscriber.firstSubscribedAtMs),
  status: subscriberStatus(subscriber),
})
