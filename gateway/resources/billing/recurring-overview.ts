import Type, { type Static } from 'typebox'
import type { ToldOverview } from '../../../engine/billing/subscription/queries.ts'
import { isoInstant } from '../../../engine/shared/calendar.ts'
import { described, namedObject } from '../../schema/named-schema.ts'
import { amountOf, brlOnly, count, instant, nonNegativeAmountOf, objectName } from '../fields.ts'

/** The figures of all subscriptions (decisions, section 25). */
export const recurringOverview = namedObject('RecurringOverview', 'The figures of all subscriptions.', {
  object: objectName('recurring_overview'),
  asOf: described(instant, 'When it was calculated.'),
  currency: brlOnly,
  mrrAmount: nonNegativeAmountOf(
    'Monthly value of active and past due subscriptions, with recurring discounts.',
  ),
  arrAmount: amountOf('Twelve times `mrrAmount`.'),
  activeSubscriptions: count('How many are ACTIVE.'),
  trialingSubscriptions: count('How many are TRIALING.'),
  pendingSubscriptions: count('How many are PENDING.'),
  pastDueSubscriptions: count('How many are PAST_DUE.'),
  pausedSubscriptions: count('How many are PAUSED.'),
  suspendedSubscriptions: count('How many are SUSPENDED.'),
  newLast30Days: count('How many were created in the last 30 days.'),
  cancelledLast30Days: count('How many were cancelled in the last 30 days.'),
  churnBps: count('Cancellations of the last 30 days, of what was active 30 days ago, in basis points.'),
  delinquency: Type.Object(
    {
      invoices: count('Invoices that are late.'),
      amount: amountOf('What they come to.'),
      customers: count('Customers who owe them.'),
      rateBps: count('Share of PAST_DUE among ACTIVE and PAST_DUE subscriptions, in basis points.'),
    },
    { description: 'What is late.' },
  ),
})

/** The figures of all subscriptions of a company, as of an instant. */
export const recurringOverviewView = (overview: ToldOverview): Static<typeof recurringOverview> => {
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
