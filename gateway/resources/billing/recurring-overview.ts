import type { ToldOverview } from '../../../engine/billing/subscription/queries.ts'
import type { SubscriptionStatus } from '../../../engine/billing/subscription/subscription.ts'
import { isoInstant } from '../../../engine/shared/calendar.ts'
import { described } from '../../schema/named-schema.ts'
import { amountOf, brlField, count, instant, nonNegativeAmountOf, objectField } from '../fields.ts'
import { part, resource, same } from '../resource.ts'

const delinquency = part<ToldOverview>().with({
  invoices: [count('Invoices that are late.'), ({ figures }) => figures.overdueInvoices],
  amount: [amountOf('What these invoices come to.'), ({ figures }) => String(figures.overdueCents)],
  customers: [count('Customers who owe them.'), ({ figures }) => figures.overdueCustomers],
  rateBps: [
    count(
      'Share of PAST_DUE among ACTIVE and PAST_DUE subscriptions, in basis points; 0 where there are none.',
    ),
    ({ overdueRateBps }) => overdueRateBps,
  ],
})

const countOf = ({ figures }: ToldOverview, status: SubscriptionStatus): number =>
  figures.statuses[status] ?? 0

/** The figures of all subscriptions of a company, as of an instant (decisions, section 25). */
export const recurringOverview = resource<ToldOverview>(
  'RecurringOverview',
  'The figures of all subscriptions.',
).with({
  ...objectField('recurring_overview'),
  asOf: [described(instant, 'When it was calculated.'), ({ nowMs }) => isoInstant(nowMs)],
  currency: brlField,
  mrrAmount: [
    nonNegativeAmountOf('Monthly value of active and past due subscriptions, with recurring discounts.'),
    ({ mrrCents }) => String(mrrCents),
  ],
  arrAmount: [amountOf('Twelve times `mrrAmount`.'), ({ mrrCents }) => String(12n * mrrCents)],
  activeSubscriptions: [count('How many are ACTIVE.'), (o) => countOf(o, 'ACTIVE')],
  trialingSubscriptions: [count('How many are TRIALING.'), (o) => countOf(o, 'TRIALING')],
  pendingSubscriptions: [count('How many are PENDING.'), (o) => countOf(o, 'PENDING')],
  pastDueSubscriptions: [count('How many are PAST_DUE.'), (o) => countOf(o, 'PAST_DUE')],
  pausedSubscriptions: [count('How many are PAUSED.'), (o) => countOf(o, 'PAUSED')],
  suspendedSubscriptions: [count('How many are SUSPENDED.'), (o) => countOf(o, 'SUSPENDED')],
  newLast30Days: [count('How many were created in the last 30 days.'), same],
  cancelledLast30Days: [count('How many were cancelled in the last 30 days.'), same],
  activeBefore: [count('How many were ACTIVE 30 days ago: what `churnBps` is a share of.'), same],
  churnBps: [
    count(
      'Cancellations of the last 30 days, of what was active 30 days ago, in basis points; 0 where nothing was.',
    ),
    same,
  ],
  delinquency: [described(delinquency.schema, 'What is late.'), (o) => delinquency.view(o)],
})
