import type { CouponId, CustomerId } from '../../shared/ids.ts'

/** The lookup key of a customer's redemptions of a coupon, which may be limited. */
export const redemptionKey = (couponId: CouponId, customerId: CustomerId): string =>
  `${couponId} ${customerId}`
