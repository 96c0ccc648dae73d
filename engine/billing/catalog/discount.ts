import { assert } from '../../shared/assert.ts'
import { basisPointsOf, type Cents } from '../../shared/money.ts'
import type { Discount } from './coupon.ts'

/**
 * What a discount takes off the plan's amount (decisions, section 23), never more than the amount. The unused rest of a
 * fixed discount is lost.
 */
export const discountOf = (
  base: Cents,
  { percentBps, amountOffCents }: Pick<Discount, 'percentBps' | 'amountOffCents'>,
): Cents => {
  const wanted = percentBps === null ? amountOffCents : basisPointsOf(base, percentBps)
  assert(wanted !== null, 'a discount is a percentage or an amount')
  return wanted < base ? wanted : base
}
