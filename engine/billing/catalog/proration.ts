import { assert } from '../../shared/assert.ts'
import { type CalendarDate, daysBetween } from '../../shared/calendar.ts'
import { type Cents, roundHalfUp, toCents } from '../../shared/money.ts'
import { type Cycle, cycleLengthOf, daysIn, type Period } from './periods.ts'
import type { PlanTerms } from './plan.ts'

/** What a change of plan costs within a period (decisions, section 22). */
export type Proration = {
  /** For the days that are left of the old plan. */
  readonly creditCents: Cents
  readonly chargeCents: Cents
  /** Negative where the credit is more: it pays later invoices. */
  readonly netCents: Cents
  /** Today is one of them. */
  readonly daysRemaining: number
  readonly daysInPeriod: number
}

/**
 * The values are of the whole period, with their discounts: the old one of the plan that is held now, not of what was
 * charged last, so that a second upgrade gives back the first one too. A plan of another cycle begins a new period today,
 * and so costs its whole value.
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

export const isSameCycle = (a: Cycle, b: Cycle): boolean =>
  a.interval === b.interval && a.intervalCount === b.intervalCount

/** Whether a plan costs more a day than another, exactly; a month counts as 365/12 days. */
export const isUpgrade = (plan: Price, than: Price): boolean => {
  const a = perDay(plan)
  const b = perDay(than)
  return a.cents * b.days > b.cents * a.days
}

type Price = Cycle & Pick<PlanTerms, 'amountCents'>

/** So many centavos for so many days. */
const perDay = (price: Price): { readonly cents: bigint; readonly days: bigint } => {
  const length = cycleLengthOf(price)
  const cents = BigInt(price.amountCents)
  return 'days' in length
    ? { cents, days: BigInt(length.days) }
    : { cents: 12n * cents, days: 365n * BigInt(length.months) }
}
