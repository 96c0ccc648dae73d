import type { Draft } from '../../kernel/draft.ts'
import type { CouponId, CustomerId, PlanId } from '../../shared/ids.ts'
import type { Cents } from '../../shared/money.ts'
import { redemptionKey } from '../subscription/redemption-key.ts'
import type { Coupon } from './coupon.ts'

export type CouponStatus = 'ACTIVE' | 'INACTIVE' | 'SCHEDULED' | 'EXPIRED' | 'EXHAUSTED'

/** The coupon's status now (decisions, section 23). It is computed, never stored, so no timer is needed. */
export const couponStatusAt = (coupon: Coupon, nowMs: number): CouponStatus => {
  if (!coupon.active) return 'INACTIVE'
  if (coupon.expiresAtMs !== null && nowMs >= coupon.expiresAtMs) return 'EXPIRED'
  if (coupon.startsAtMs !== null && nowMs < coupon.startsAtMs) return 'SCHEDULED'
  return isExhausted(coupon) ? 'EXHAUSTED' : 'ACTIVE'
}

const isExhausted = ({ maxRedemptions, redemptionsCount }: Coupon): boolean =>
  maxRedemptions !== null && redemptionsCount >= maxRedemptions

/** Reasons to refuse a coupon, in order of precedence: the first that applies is reported. */
export const couponRefusals = [
  'NOT_FOUND',
  'INACTIVE',
  'NOT_STARTED',
  'EXPIRED',
  'EXHAUSTED',
  'PLAN_NOT_ELIGIBLE',
  'CUSTOMER_LIMIT',
  'BELOW_MINIMUM',
] as const
export type CouponRefusal = (typeof couponRefusals)[number]

/** What a coupon is to be used for. Unknown values (null) are no reason to refuse it. */
export type CouponUse = {
  readonly planId: PlanId | null
  /** The plan's amount. */
  readonly amountCents: Cents | null
  /** How often this customer has redeemed it (see `redemptionsOf`). */
  readonly redemptionsByCustomer: number
  readonly nowMs: number
}

/** Why a coupon cannot be redeemed; null when it can. Validation and subscriptions share this rule. */
export const couponRefusal = (coupon: Coupon | undefined, use: CouponUse): CouponRefusal | null => {
  if (coupon === undefined || coupon.isRemoved) return 'NOT_FOUND'
  const { planIds, minAmountCents, maxRedemptionsPerCustomer } = coupon
  const { planId, amountCents, redemptionsByCustomer, nowMs } = use
  if (!coupon.active) return 'INACTIVE'
  if (coupon.startsAtMs !== null && nowMs < coupon.startsAtMs) return 'NOT_STARTED'
  if (coupon.expiresAtMs !== null && nowMs >= coupon.expiresAtMs) return 'EXPIRED'
  if (isExhausted(coupon)) return 'EXHAUSTED'
  if (planId !== null && planIds !== null && !planIds.includes(planId)) return 'PLAN_NOT_ELIGIBLE'
  if (maxRedemptionsPerCustomer !== null && redemptionsByCustomer >= maxRedemptionsPerCustomer)
    return 'CUSTOMER_LIMIT'
  if (amountCents !== null && minAmountCents !== null && amountCents < minAmountCents) return 'BELOW_MINIMUM'
  return null
}

/**
 * How often a customer has redeemed a coupon: once for each subscription that was made with it, and for each checkout session that was paid
 * with it or is being paid.
 */
export const redemptionsOf = (
  couponId: CouponId,
  customerId: CustomerId,
  lookup: Draft['lookup'],
): number => {
  const key = redemptionKey(couponId, customerId)
  const sessions = lookup('checkoutSession', key).filter(
    // The coupon of a session that began a subscription is that subscription's.
    ({ status, subscriptionId }) =>
      (status === 'PROCESSING' || status === 'COMPLETED') && subscriptionId === null,
  )
  return lookup('subscription', key).length + sessions.length
}
