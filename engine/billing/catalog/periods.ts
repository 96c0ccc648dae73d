import { unreachable } from '../../shared/assert.ts'
import { addDays, addMonths, type CalendarDate, daysBetween } from '../../shared/calendar.ts'
import type { BillingMethod, PlanTerms } from './plan.ts'

/** How long a cycle is. */
export type Cycle = Pick<PlanTerms, 'interval' | 'intervalCount'>

/** Days that one cycle covers, from `start` to the day before `end`, on which the next one starts. */
export type Period = { readonly start: CalendarDate; readonly end: CalendarDate }

/**
 * The first day of a cycle, counted from 0. Always reckoned from the anchor, never from the cycle before: after a short
 * month the day comes back (31 January, 28 February, 31 March), where a chain of additions would stay on the 28th.
 */
export const periodStart = (anchor: CalendarDate, cycle: Cycle, index: number): CalendarDate => {
  const length = cycleLengthOf(cycle)
  return 'days' in length ? addDays(anchor, index * length.days) : addMonths(anchor, index * length.months)
}

export const periodAt = (anchor: CalendarDate, cycle: Cycle, index: number): Period => ({
  start: periodStart(anchor, cycle, index),
  end: periodStart(anchor, cycle, index + 1),
})

export const daysIn = ({ start, end }: Period): number => daysBetween(start, end)

/** The first cycle that starts after this day, counted from 0: where billing goes on after a rest. */
export const firstPeriodAfter = (anchor: CalendarDate, cycle: Cycle, date: CalendarDate): number => {
  if (date < anchor) return 0
  const length = cycleLengthOf(cycle)
  // No cycle is longer than this, so the guess is never too late.
  const daysMax = 'days' in length ? length.days : length.months * 31
  let index = Math.floor(daysBetween(anchor, date) / daysMax)
  while (periodStart(anchor, cycle, index) <= date) index++
  return index
}

/**
 * The day on which a cycle's invoice is issued: early enough for the payer to pay by its first day, but not before the
 * cycle before has begun. The first invoice is issued on the anchor.
 */
export const issueDate = (
  anchor: CalendarDate,
  cycle: Cycle,
  index: number,
  method: BillingMethod,
): CalendarDate => {
  if (index === 0) return anchor
  const { start: earliest, end: start } = periodAt(anchor, cycle, index - 1)
  const wanted = addDays(start, -issueLeadDays[method])
  return wanted < earliest ? earliest : wanted
}

/**
 * The day by which it is to be paid: the first one of its cycle. The first invoice, and one that is issued late (after a
 * pause, or with the service down), leaves the payer the days that the method takes; none is due before its cycle starts.
 */
export const dueDate = (
  anchor: CalendarDate,
  cycle: Cycle,
  index: number,
  method: BillingMethod,
  issuedOn: CalendarDate,
): CalendarDate => {
  const start = periodStart(anchor, cycle, index)
  if (index > 0 && issuedOn <= issueDate(anchor, cycle, index, method)) return start
  const payable = addDays(issuedOn, daysToPay[method])
  return payable < start ? start : payable
}

/** Days before a cycle on which its invoice is issued (decisions, section 20). */
export const issueLeadDays: Readonly<Record<BillingMethod, number>> = { CREDIT_CARD: 0, PIX: 3, BOLETO: 7 }

/** Days that a payer has where there was no lead (decisions, section 20). */
export const daysToPay: Readonly<Record<BillingMethod, number>> = { CREDIT_CARD: 0, PIX: 1, BOLETO: 3 }

/** A month is not a number of days: a cycle has whole months, or whole days. */
export type CycleLength = { readonly months: number } | { readonly days: number }

export const cycleLengthOf = ({ interval, intervalCount }: Cycle): CycleLength => {
  switch (interval) {
    case 'CUSTOM':
      return { days: intervalCount }
    case 'WEEK':
      return { days: 7 * intervalCount }
    case 'MONTH':
      return { months: intervalCount }
    case 'QUARTER':
      return { months: 3 * intervalCount }
    case 'SEMESTER':
      return { months: 6 * intervalCount }
    case 'YEAR':
      return { months: 12 * intervalCount }
    default:
      return unreachable(interval)
  }
}
