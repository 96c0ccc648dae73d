import type { Draft } from '../../kernel/draft.ts'
import type { PlanId } from '../../shared/ids.ts'
import type { Cents } from '../../shared/money.ts'
import { discountOf } from '../catalog/discount.ts'
import type { PlanTerms } from '../catalog/plan.ts'
import type { Subscription } from './subscription.ts'

/** What the coupon takes off the next billed cycle, possibly zero after rounding; null when it does not apply. */
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

/** The discount after a change of plan: null when the coupon is not valid for the new plan. */
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
