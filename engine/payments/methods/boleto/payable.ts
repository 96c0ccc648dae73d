import { type CalendarDate, daysBetween, nextBusinessDay } from '../../../shared/calendar.ts'
import { basisPointsDown, type Cents, toCents } from '../../../shared/money.ts'

export type PayableTerms = {
  readonly amountCents: Cents
  readonly dueDate: CalendarDate
  /** Granted while the boleto is not late. */
  readonly discountCents: Cents
  /** Charged once when it is late. */
  readonly fineBps: number
  /** Simple interest per month of 30 days, counted from the due date. */
  readonly interestBps: number
}

export type Payable = {
  readonly payableCents: Cents
  readonly fineCents: Cents
  readonly interestCents: Cents
  readonly discountCents: Cents
  readonly daysOverdue: number
}

/** Basis points per month of 30 days. */
const basisPointDays = 10_000n * 30n

/**
 * The last day on which a boleto is not late: a due date that is not a business day moves to the next one (Lei
 * 7.089/1983).
 */
export const effectiveDueDate = (dueDate: CalendarDate): CalendarDate => nextBusinessDay(dueDate)

/** What a boleto costs on a day in the company's time zone, all parts rounded down (decisions, section 14). */
export const payableOn = (terms: PayableTerms, day: CalendarDate): Payable => {
  const { amountCents, dueDate, discountCents, fineBps, interestBps } = terms
  if (day <= effectiveDueDate(dueDate)) {
    const payableCents = toCents(amountCents - discountCents)
    return { payableCents, fineCents: toCents(0), interestCents: toCents(0), discountCents, daysOverdue: 0 }
  }
  const daysOverdue = daysBetween(dueDate, day)
  const fineCents = basisPointsDown(amountCents, fineBps)
  const interestCents = toCents(
    Number((BigInt(amountCents) * BigInt(interestBps * daysOverdue)) / basisPointDays),
  )
  const payableCents = toCents(amountCents + fineCents + interestCents)
  return { payableCents, fineCents, interestCents, discountCents: toCents(0), daysOverdue }
}
