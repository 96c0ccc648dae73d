import { roundHalfUp } from '../../shared/money.ts'
import { type Cycle, cycleLengthOf } from '../catalog/periods.ts'

/** The sum that subscriptions with this cycle bring each cycle. */
export type CycleRevenue = Cycle & { readonly cents: bigint }

/**
 * The monthly recurring revenue in centavos (decisions, section 25). The sum is exact and rounded once: rounding each
 * subscription would add up to centavos that cannot be explained.
 */
export const monthlyRevenue = (revenues: Iterable<CycleRevenue>): bigint => {
  let sum: Fraction = { numerator: 0n, denominator: 1n }
  for (const revenue of revenues) sum = plus(sum, monthlyValue(revenue))
  return roundHalfUp(sum.numerator, sum.denominator)
}

export type Fraction = { readonly numerator: bigint; readonly denominator: bigint }

/** What a cycle's amount comes to per month: a year has 12 months, 52 weeks or 365 days. */
export const monthlyValue = ({ interval, intervalCount, cents }: CycleRevenue): Fraction => {
  if (interval === 'WEEK') return { numerator: 52n * cents, denominator: 12n * BigInt(intervalCount) }
  const length = cycleLengthOf({ interval, intervalCount })
  return 'days' in length
    ? { numerator: 365n * cents, denominator: 12n * BigInt(length.days) }
    : { numerator: cents, denominator: BigInt(length.months) }
}

/** In lowest terms: hundreds of different cycles would otherwise give a denominator of thousands of digits. */
const plus = (a: Fraction, b: Fraction): Fraction => {
  const numerator = a.numerator * b.denominator + b.numerator * a.denominator
  const denominator = a.denominator * b.denominator
  const divisor = greatestDivisor(numerator, denominator)
  return { numerator: numerator / divisor, denominator: denominator / divisor }
}

const greatestDivisor = (a: bigint, b: bigint): bigint => (b === 0n ? a : greatestDivisor(b, a % b))
