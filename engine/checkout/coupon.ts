import { discountOf } from '../billing/catalog/discount.ts'
import { couponRefusal, redemptionsOf } from '../billing/catalog/redemption.ts'
import type { Draft } from '../kernel/draft.ts'
import { factOf } from '../kernel/fact.ts'
import type { Rejection } from '../kernel/registry.ts'
import type { CheckoutSessionId } from '../shared/ids.ts'
import { toCents } from '../shared/money.ts'
import type { CheckoutSession, SessionDiscount } from './session.ts'

type Priced = Pick<CheckoutSession, 'offer' | 'amountCents' | 'customerId'>

/** What a coupon takes off: of an amount that is paid once, only coupons that are for no plan do; of a plan, as of any subscription to it. */
export const discountFor = (
  draft: Draft,
  code: string,
  { offer, amountCents, customerId }: Priced,
): SessionDiscount | Rejection => {
  const { planId, plan } = offer
  const coupon = draft.lookup('coupon', code.trim().toUpperCase()).at(-1)
  const isForPlans = coupon !== undefined && coupon.planIds !== null
  const redemptionsByCustomer =
    coupon === undefined || customerId === null ? 0 : redemptionsOf(coupon.id, customerId, draft.lookup)
  const base = plan?.amountCents ?? amountCents
  const use = { planId, amountCents: base, redemptionsByCustomer, nowMs: draft.context.nowMs }
  const why = couponRefusal(coupon, use) ?? (isForPlans && planId === null ? 'PLAN_NOT_ELIGIBLE' : null)
  if (why !== null) return { reason: 'COUPON_INVALID', why }
  // In a trial nothing is due that it could take off: it begins with the first invoice.
  const cents = plan !== undefined && plan.trialDays > 0 ? toCents(0) : discountOf(base, coupon!)
  const canBeFree = plan !== undefined && offer.methods.includes('CREDIT_CARD')
  if (cents === amountCents && !canBeFree) return { reason: 'NOTHING_TO_PAY' }
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
  priced: Priced,
): Rejection | null => {
  const present = discountFor(draft, code, priced)
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
