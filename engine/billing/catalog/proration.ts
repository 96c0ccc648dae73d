import { assert } from '../../shared/assert.ts'
import { type CalendarDate, daysBetween } from '../../shared/calendar.ts'
import { type Cents, roundHalfUp, toCents } from '../../shared/money.ts'
import { type Cycle, cycleLengthOf, daysIn, type Period } from './periods.ts'
import type { PlanTerms } from './plan.ts'

/** What a change of plan costs within a period (decisions, section 22). */
export type Proration = {
  /** For the remaining days of the old plan. */
  readonly creditCents: Cents
  readonly chargeCents: Cents
  /** Negative when the credit is larger: the rest pays later invoices. */
  readonly netCents: Cents
  /** Including today. */
  readonly daysRemaining: number
  readonly daysInPeriod: number
}

/**
 * The price of changing plans within a period. Values cover the whole period, discounts included. The old value is that
 * of the plan held now, not of the last charge, so that a second upgrade also credits the first. A plan with another
 * cycle starts a new period today and so costs its full value.
 */
export const prorate = (change: {
  readonly period: Period
  readonly today: CalendarDate
  readonly oldValueCents: Cents
  readonly newValueCents: Cents
  readonly keepsCycle: boolean
}): Proration => {
  const { period, today, oldValueCents, newValueCents, keepsCycle } = change
  assert(period.start <= today && today < period.end, 'a plan changes within its period')
  const daysInPeriod = daysIn(period)
  const daysRemaining = daysBetween(today, period.end)
  const creditCents = share(oldValueCents, daysRemaining, daysInPeriod)
  const chargeCents = keepsCycle ? share(newValueCents, daysRemaining, daysInPeriod) : newValueCents
  return {
    creditCents,
    chargeCents,
    netCents: toCents(chargeCents - creditCents),
    daysRemaining,
    daysInPeriod,
  }
}

const share = (value: Cents, days: number, of: number): Cents =>
  toCents(Number(roundHalfUp(BigInt(value) * BigInt(days), BigInt(of))))

/** Whether two cycles have the same length. */
export const isSameCycle = (a: Cycle, b: Cycle): boolean =>
  a.interval === b.interval && a.intervalCount === b.intervalCount

/** Whether a plan costs more per day than another. Exact; a month counts as 365/12 days. */
export const isUpgrade = (plan: Price, than: Price): boolean => {
  const a = perDay(plan)
  const b = perDay(than)
  return a.cents * b.days > b.cents * a.days
}

type Price = Cycle & Pick<PlanTerms, 'amountCents'>

/** Price as centavos over a number of days. */
const perDay = (price: Price): { readonly cents: bigint; readonly days: bigint } => {
  const length = cycleLengthOf(price)
  const cents = BigInt(price.amountCents)
  return 'days' in length
    ? { cents, days: BigInt(length.days) }
    : { cents: 12n * cents, days: 365n * BigInt(length.months) }
}
