import { type Cents, toCents } from '../shared/money.ts'

/** Which instalments a payer may choose, and who pays for them (checkout, section 1). */
export type InstallmentTerms = {
  readonly max: number
  /** Up to so many cost the payer nothing. */
  readonly interestFreeUpTo: number
  /** Interest a month, in basis points. */
  readonly monthlyRateBps: number
  /** Plans with smaller instalments are left out. */
  readonly minInstallmentCents: Cents
}

/** One way to divide an amount: what each instalment is, and all of them. */
export type InstallmentPlan = {
  readonly installments: number
  readonly installmentCents: Cents
  readonly totalCents: Cents
  /** What the payer pays beyond the amount. */
  readonly interestCents: Cents
}

/** The plans that an amount can be paid in, from one payment upwards. One payment is always there. */
export const installmentPlans = (amountCents: Cents, terms: InstallmentTerms): readonly InstallmentPlan[] => {
  const plans: InstallmentPlan[] = []
  for (let n = 1; n <= terms.max; n++) {
    const plan = planOf(amountCents, n, n <= terms.interestFreeUpTo ? 0 : terms.monthlyRateBps)
    if (n === 1 || plan.installmentCents >= terms.minInstallmentCents) plans.push(plan)
  }
  return plans
}

/**
 * Without interest the instalments are those of the card's schedule, and the first shown. With interest each is that of the table of
 * Price, `amount · i · (1 + i)^n / ((1 + i)^n - 1)`, rounded up to a centavo: exact in whole numbers, with i in ten-thousandths.
 */
const planOf = (amountCents: Cents, installments: number, monthlyRateBps: number): InstallmentPlan => {
  if (installments === 1 || monthlyRateBps === 0) {
    const installmentCents = toCents(Math.ceil(amountCents / installments))
    return { installments, installmentCents, totalCents: amountCents, interestCents: toCents(0) }
  }
  const grown = (bps + BigInt(monthlyRateBps)) ** BigInt(installments)
  const over = grown - bps ** BigInt(installments)
  const dividend = BigInt(amountCents) * BigInt(monthlyRateBps) * grown
  const divisor = bps * over
  const installmentCents = toCents(Number((dividend + divisor - 1n) / divisor))
  const totalCents = toCents(installmentCents * installments)
  return { installments, installmentCents, totalCents, interestCents: toCents(totalCents - amountCents) }
}

const bps = 10_000n

/** The effective interest of a year that a monthly rate comes to, in basis points (CET without other costs). */
export const yearlyRateBps = (monthlyRateBps: number): number =>
  Math.round(((1 + monthlyRateBps / 10_000) ** 12 - 1) * 10_000)
