/**
 * Figures of an account's subscriptions: each command adds its differences, so no overview reads a subscription.
 * `recount.ts` checks them.
 */
import { addDays, type CalendarDate } from '../../shared/calendar.ts'
import { copierOf } from '../../shared/copier.ts'
import { roundHalfUp } from '../../shared/money.ts'
import type { Cycle } from '../catalog/periods.ts'
import type { Interval } from '../catalog/plan.ts'
import type { SubscriptionStatus } from '../subscription/subscription.ts'
import { type CycleRevenue, monthlyRevenue } from './mrr.ts'

/** Sums over all subscriptions of an account, kept so that an overview reads none of them (decisions, section 25). */
export type RecurringFigures = {
  /** The number of the newest invoice. */
  readonly invoicesIssued: number
  readonly statuses: Readonly<Partial<Record<SubscriptionStatus, number>>>
  /** Revenue per cycle from active and late subscriptions, by cycle length (`MONTH 1`). */
  readonly revenue: Revenue
  readonly overdueInvoices: number
  readonly overdueCents: bigint
  readonly overdueCustomers: number
  /** What happened on each day of the last month. */
  readonly days: Readonly<Record<CalendarDate, RecurringDay>>
}

export type Revenue = Readonly<Record<string, bigint>>

type RecurringDay = { readonly created: number; readonly cancelled: number; readonly active: number }

/** What one command changed, as differences except for the status. */
export type RecurringChange = {
  readonly date: CalendarDate
  readonly from: SubscriptionStatus | null
  readonly to: SubscriptionStatus
  readonly revenue: readonly RevenueChange[]
  readonly overdueInvoices: number
  readonly overdueCents: number
  readonly overdueCustomers: number
}

export type RevenueChange = Cycle & { readonly cents: number }

export const noFigures: RecurringFigures = {
  invoicesIssued: 0,
  statuses: {},
  revenue: {},
  overdueInvoices: 0,
  overdueCents: 0n,
  overdueCustomers: 0,
  days: {},
}

export const copiedFigures = copierOf<RecurringFigures>()

/** The figures with a change applied. Days that no overview needs any more are dropped. */
export const counted = (figures: RecurringFigures, change: RecurringChange): RecurringFigures => {
  const { date, from, to } = change
  const statuses = { ...figures.statuses }
  statuses[to] = (statuses[to] ?? 0) + 1
  if (from !== null) statuses[from] = (statuses[from] ?? 0) - 1
  return copiedFigures(figures, {
    statuses,
    revenue: revenueWith(figures.revenue, change.revenue),
    overdueInvoices: figures.overdueInvoices + change.overdueInvoices,
    overdueCents: figures.overdueCents + BigInt(change.overdueCents),
    overdueCustomers: figures.overdueCustomers + change.overdueCustomers,
    days: from === to ? figures.days : daysWith(figures.days, date, from, to),
  })
}

/** Adds the changes per cycle length; a length that comes to zero is dropped. */
export const revenueWith = (revenue: Revenue, changes: readonly RevenueChange[]): Revenue => {
  if (changes.length === 0) return revenue
  const next: Record<string, bigint> = { ...revenue }
  for (const { interval, intervalCount, cents } of changes) {
    const key = `${interval} ${intervalCount}`
    next[key] = (next[key] ?? 0n) + BigInt(cents)
    if (next[key] === 0n) delete next[key]
  }
  return next
}

/** The monthly recurring revenue in centavos. */
export const mrrOf = (revenue: Revenue): bigint =>
  monthlyRevenue(
    Object.entries(revenue).map(([key, cents]): CycleRevenue => {
      const [interval, count] = key.split(' ')
      return { interval: interval as Interval, intervalCount: Number(count), cents }
    }),
  )

export type RecurringOverview = {
  readonly mrrCents: bigint
  readonly newLast30Days: number
  readonly cancelledLast30Days: number
  /** How many were active 30 days ago. */
  readonly activeBefore: number
  readonly churnBps: number
  readonly overdueRateBps: number
}

/** The overview as of today. */
export const overviewOf = (figures: RecurringFigures, today: CalendarDate): RecurringOverview => {
  const since = addDays(today, -30)
  let newLast30Days = 0
  let cancelledLast30Days = 0
  let activated = 0
  for (const [date, { created, cancelled, active }] of Object.entries(figures.days)) {
    if (date <= since || date > today) continue
    newLast30Days += created
    cancelledLast30Days += cancelled
    activated += active
  }
  const { ACTIVE: active = 0, PAST_DUE: pastDue = 0 } = figures.statuses
  const activeBefore = Math.max(0, active - activated)
  return {
    mrrCents: mrrOf(figures.revenue),
    newLast30Days,
    cancelledLast30Days,
    activeBefore,
    churnBps: bpsOf(cancelledLast30Days, activeBefore),
    overdueRateBps: bpsOf(pastDue, active + pastDue),
  }
}

const bpsOf = (part: number, whole: number): number =>
  whole <= 0 ? 0 : Number(roundHalfUp(10_000n * BigInt(part), BigInt(whole)))

const daysKept = 31

const daysWith = (
  days: RecurringFigures['days'],
  date: CalendarDate,
  from: SubscriptionStatus | null,
  to: SubscriptionStatus,
): RecurringFigures['days'] => {
  const { created, cancelled, active } = days[date] ?? { created: 0, cancelled: 0, active: 0 }
  const today: RecurringDay = {
    created: created + (from === null ? 1 : 0),
    cancelled: cancelled + (to === 'CANCELLED' ? 1 : 0),
    active: active + (to === 'ACTIVE' ? 1 : 0) - (from === 'ACTIVE' ? 1 : 0),
  }
  if (days[date] !== undefined) {
    const next: Record<CalendarDate, RecurringDay> = { ...days }
    next[date] = today
    return next
  }
  const oldest = addDays(date, -daysKept)
  const kept = Object.entries(days).filter(([day]) => day >= oldest)
  return Object.fromEntries([...kept, [date, today]])
}
