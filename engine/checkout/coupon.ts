import { discountOf } from '../billing/catalog/discount.ts'
import { couponRefusal, redemptionsOf } from '../billing/catalog/redemption.ts'
import type { Draft } from '../kernel/draft.ts'
import { factOf } from '../kernel/fact.ts'
import type { Rejection } from '../kernel/registry.ts'
import type { CheckoutSessionId, CustomerId } from '../shared/ids.ts'
import type { Cents } from '../shared/money.ts'
import type { SessionDiscount } from './session.ts'

/** What a coupon takes off an amount that is paid once; only coupons that are for no plan do. */
export const discountFor = (
  draft: Draft,
  code: string,
  amountCents: Cents,
  customerId: CustomerId | null,
): SessionDiscount | Rejection => {
  const coupon = draft.lookup('coupon', code.trim().toUpperCase()).at(-1)
  const isForPlans = coupon !== undefined && coupon.planIds !== null
  const redemptionsByCustomer =
    coupon === undefined || customerId === null ? 0 : redemptionsOf(coupon.id, customerId, draft.lookup)
  const use = { planId: null, amountCents, redemptionsByCustomer, nowMs: draft.context.nowMs }
  const why = couponRefusal(coupon, use) ?? (isForPlans ? 'PLAN_NOT_ELIGIBLE' : null)
  if (why !== null) return { reason: 'COUPON_INVALID', why }
  const cents = discountOf(amountCents, coupon!)
  if (cents === amountCents) return { reason: 'NOTHING_TO_PAY' }
  return { couponId: coupon!.id, code: coupon!.code, cents }
}

/**
 * Redeems the coupon of a session while a charge can be paid: commands of an account never interleave, so the last redemption goes to one
 * payer, and the other is told before paying.
 */
export const redeemFor = (
  draft: Draft,
  id: CheckoutSessionId,
  { couponId, code, cents }: SessionDiscount,
  { amountCents, customerId }: { readonly amountCents: Cents; readonly customerId: CustomerId | null },
): Rejection | null => {
  const present = discountFor(draft, code, amountCents, customerId)
  if ('reason' in present) return present
  // Another coupon may have its code by now, or it takes off something else: the payer has seen another price.
  if (present.couponId !== couponId || present.cents !== cents)
    return { reason: 'COUPON_INVALID', why: 'NOT_FOUND' }
  draft.add({ type: 'CouponRedeemed', redeemedBy: id, ...factOf(draft, 'coupon', couponId) })
  return null
}

/** Gives back what was redeemed for a charge that was not paid. */
export const releaseFor = (draft: Draft, id: CheckoutSessionId, { couponId }: SessionDiscount): void => {
  if (draft.find('coupon', couponId) === undefined) return
  draft.add({ type: 'RedemptionReleased', redeemedBy: id, ...factOf(draft, 'coupon', couponId) })
}
