import type { CouponId, CustomerId } from '../../shared/ids.ts'

/** By what the redemptions of a coupon by one customer are found: there may be a limit to them. */
export const redemptionKey = (couponId: CouponId, customerId: CustomerId): string =>
  `${couponId} ${customerId}`
