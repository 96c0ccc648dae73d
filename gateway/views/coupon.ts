import type { CouponValidation } from '../../engine/billing/catalog/catalog-queries.ts'
import type { Coupon } from '../../engine/billing/catalog/coupon.ts'
import { couponStatus } from '../../engine/billing/catalog/redemption.ts'
import { isoInstant } from '../../engine/shared/calendar.ts'

/** A coupon (decisions, section 23), with the status that it has at this time of its environment. */
export const couponView = (coupon: Coupon, nowMs: number) => ({
  id: coupon.id,
  object: 'coupon',
  code: coupon.code,
  name: coupon.name,
  discountType: coupon.percentBps === null ? 'FIXED' : 'PERCENT',
  percentBps: coupon.percentBps,
  amountOff: digits(coupon.amountOffCents),
  duration: coupon.duration,
  durationCycles: coupon.duration === 'REPEATING' ? coupon.cycles : null,
  maxRedemptions: coupon.maxRedemptions,
  maxRedemptionsPerCustomer: coupon.maxRedemptionsPerCustomer,
  startsAt: maybeInstant(coupon.startsAtMs),
  expiresAt: maybeInstant(coupon.expiresAtMs),
  planIds: coupon.planIds,
  minAmount: digits(coupon.minAmountCents),
  active: coupon.active,
  redemptionsCount: coupon.redemptionsCount,
  status: couponStatus(coupon, nowMs),
  metadata: coupon.metadata,
  createdAt: isoInstant(coupon.createdAtMs),
  updatedAt: isoInstant(coupon.updatedAtMs),
})

export const couponValidationView = ({
  coupon,
  refusal,
  amountCents,
  discountCents,
  nowMs,
}: CouponValidation) => ({
  object: 'coupon_validation',
  valid: refusal === null,
  reason: refusal,
  coupon: coupon && couponView(coupon, nowMs),
  amount: digits(amountCents),
  discountAmount: digits(discountCents),
  finalAmount: amountCents === null ? null : String(amountCents - discountCents!),
})

const digits = (cents: number | null): string | null => (cents === null ? null : String(cents))
const maybeInstant = (atMs: number | null): string | null => (atMs === null ? null : isoInstant(atMs))
