import { addDays, addMonths, type CalendarDate, daysBetween } from '../../shared/calendar.ts'
import type { BillingMethod, Interval, PlanTerms } from './plan.ts'

/** How long a cycle is. */
export type Cycle = Pick<PlanTerms, 'interval' | 'intervalCount'>

/** The days from `start` to the day before `end`, when the next cycle starts. */
export type Period = { readonly start: CalendarDate; readonly end: CalendarDate }

/**
 * The first day of a cycle, counted from 0. It is computed from the anchor, not from the previous cycle: after a short
 * month the day comes back (31 January, 28 February, 31 March), where adding month by month would stay on the 28th.
 */
export const periodStart = (anchor: CalendarDate, cycle: Cycle, index: number): CalendarDate => {
  const length = cycleLengthOf(cycle)
  return 'days' in length ? addDays(anchor, index * length.days) : addMonths(anchor, index * length.months)
}

/** The days of a cycle, counted from 0. */
export const periodAt = (anchor: CalendarDate, cycle: Cycle, index: number): Period => ({
  start: periodStart(anchor, cycle, index),
  end: periodStart(anchor, cycle, index + 1),
})

/** How many days a period has. */
export const daysIn = ({ start, end }: Period): number => daysBetween(start, end)

/** The index of the first cycle that starts after this day: where billing continues after a break. */
export const firstPeriodAfter = (anchor: CalendarDate, cycle: Cycle, date: CalendarDate): number => {
  if (date < anchor) return 0
  const length = cycleLengthOf(cycle)
  // No cycle is longer than this, so the first guess is never too late.
  const daysMax = 'days' in length ? length.days : length.months * 31
  let index = Math.floor(daysBetween(anchor, date) / daysMax)
  while (periodStart(anchor, cycle, index) <= date) index++
  return index
}

/**
 * The day on which a cycle's invoice is issued: early enough to be paid by the cycle's first day, but not before the
 * previous cycle has begun. The first invoice is issued on the anchor.
 */
export const issueDate = (
  anchor: CalendarDate,
  cycle: Cycle,
  index: number,
  method: CollectionWay,
): CalendarDate => {
  if (index === 0) return anchor
  const { start: earliest, end: start } = periodAt(anchor, cycle, index - 1)
  const wanted = addDays(start, -issueLeadDays[method])
  return wanted < earliest ? earliest : wanted
}

/**
 * The due date of a cycle's invoice: the cycle's first day. The first invoice, and one issued late (after a pause or an
 * outage), gives the payer the days that the method takes. No invoice is due before its cycle starts.
 */
export const dueDate = (
  anchor: CalendarDate,
  cycle: Cycle,
  index: number,
  method: CollectionWay,
  issuedOn: CalendarDate,
): CalendarDate => {
  const start = periodStart(anchor, cycle, index)
  if (index > 0 && issuedOn <= issueDate(anchor, cycle, index, method)) return start
  const payable = addDays(issuedOn, daysToPay[method])
  return payable < start ? start : payable
}

/** How many days before its cycle an invoice is issued (decisions, section 20). */
const issueLeadDays: Readonly<Record<CollectionWay, number>> = {
  CREDIT_CARD: 0,
  PIX: 3,
  PIX_BY_MANDATE: 5,
  BOLETO: 7,
}

/** How many days a payer gets when there was no lead (decisions, section 20). */
export const daysToPay: Readonly<Record<CollectionWay, number>> = {
  CREDIT_CARD: 0,
  PIX: 1,
  // The payer's bank takes a charge two days before it is due, at the latest.
  PIX_BY_MANDATE: 3,
  BOLETO: 3,
}

/** How an invoice is collected: by mandate the payer's bank needs to know of it earlier than a payer. */
export type CollectionWay = BillingMethod | 'PIX_BY_MANDATE'

/** A month is not a fixed number of days, so a cycle is either whole months or whole days. */
export type CycleLength = { readonly months: number } | { readonly days: number }

const lengths: Readonly<Record<Interval, CycleLength>> = {
  CUSTOM: { days: 1 },
  WEEK: { days: 7 },
  MONTH: { months: 1 },
  QUARTER: { months: 3 },
  SEMESTER: { months: 6 },
  YEAR: { months: 12 },
}

/** The length of a cycle in months or days; weeks become days, quarters and years months. */
export const cycleLengthOf = ({ interval, intervalCount }: Cycle): CycleLength => {
  const one = lengths[interval]
  return 'days' in one ? { days: one.days * intervalCount } : { months: one.months * intervalCount }
}
