import type { Draft } from '../../kernel/draft.ts'
import type { PlanId } from '../../shared/ids.ts'
import type { Cents } from '../../shared/money.ts'
import { discountOf } from '../catalog/discount.ts'
import type { PlanTerms } from '../catalog/plan.ts'
import type { Subscription } from './subscription.ts'

/**
 * What the coupon takes off the plan's amount in a cycle that is billed next, which may be nothing by rounding; null where
 * the coupon is not for that cycle.
 */
export const nextDiscount = (
  draft: Draft,
  subscription: Subscription,
  planId: PlanId,
  plan: PlanTerms,
): Cents | null => {
  const { discount, discountCyclesLeft } = subscription
  const isOver = discount === null || discountCyclesLeft === 0
  return isOver || !fits(draft, subscription, planId, plan) ? null : discountOf(plan.amountCents, discount)
}

/** A coupon that is not for the new plan is lost with the change. */
export const discountAfterChange = (
  draft: Draft,
  subscription: Subscription,
  planId: PlanId,
  plan: PlanTerms,
): Pick<Subscription, 'discount' | 'discountCyclesLeft'> =>
  fits(draft, subscription, planId, plan)
    ? { discount: subscription.discount, discountCyclesLeft: subscription.discountCyclesLeft }
    : { discount: null, discountCyclesLeft: null }

const fits = (draft: Draft, subscription: Subscription, planId: PlanId, plan: PlanTerms): boolean => {
  if (planId === subscription.planId || subscription.couponId === null) return true
  const coupon = draft.find('coupon', subscription.couponId)
  if (coupon === undefined) return true
  const { planIds, minAmountCents } = coupon
  return (
    (planIds === null || planIds.includes(planId)) &&
    (minAmountCents === null || plan.amountCents >= minAmountCents)
  )
}
