import type { ActorDefinition } from '../../kernel/actor.ts'
import { assert, unreachable } from '../../shared/assert.ts'
import { isoInstant } from '../../shared/calendar.ts'
import type { Coupon, CouponFact } from './coupon.ts'

/** Applies a fact to a coupon. */
export const evolveCoupon = (coupon: Coupon | undefined, event: CouponFact): Coupon => {
  if (event.type === 'CouponCreated') {
    assert(coupon === undefined, 'a coupon is created once')
    return {
      id: event.id,
      active: true,
      isRemoved: false,
      redemptionsCount: 0,
      isUsed: false,
      createdAtMs: event.atMs,
      updatedAtMs: event.atMs,
      ...event.coupon,
    }
  }
  assert(coupon !== undefined && !coupon.isRemoved, `${event.type} is about a coupon that is there`)
  const { redemptionsCount, maxRedemptions } = coupon
  switch (event.type) {
    case 'CouponChanged':
      return { ...coupon, ...event.changes, updatedAtMs: event.atMs }
    case 'CouponRedeemed':
      assert(maxRedemptions === null || redemptionsCount < maxRedemptions, 'a redemption is left')
      return { ...coupon, redemptionsCount: redemptionsCount + 1, isUsed: true, updatedAtMs: event.atMs }
    case 'RedemptionReleased':
      assert(redemptionsCount > 0, 'what is given back was redeemed')
      return { ...coupon, redemptionsCount: redemptionsCount - 1, updatedAtMs: event.atMs }
    case 'CouponRemoved':
      assert(!coupon.isUsed, 'a coupon that was redeemed is never removed')
      return { ...coupon, active: false, isRemoved: true, updatedAtMs: event.atMs }
    default:
      return unreachable(event)
  }
}

export const couponKind: ActorDefinition<Coupon, CouponFact> = {
  prefix: 'cpn',
  namedBy: 'couponId',
  evolve: evolveCoupon,
  createdAtMs: ({ createdAtMs }) => createdAtMs,
  auditedFields: (coupon) => ({
    code: coupon.code,
    name: coupon.name,
    percentBps: coupon.percentBps,
    amountOff: coupon.amountOffCents,
    duration: coupon.duration,
    cycles: coupon.cycles,
    maxRedemptions: coupon.maxRedemptions,
    maxRedemptionsPerCustomer: coupon.maxRedemptionsPerCustomer,
    startsAt: coupon.startsAtMs && isoInstant(coupon.startsAtMs),
    expiresAt: coupon.expiresAtMs && isoInstant(coupon.expiresAtMs),
    planIds: coupon.planIds,
    minAmount: coupon.minAmountCents,
    active: coupon.active,
    removed: coupon.isRemoved,
    metadata: coupon.metadata,
  }),
  label: ({ isRemoved, active }) => (isRemoved ? 'removed' : active ? 'active' : 'inactive'),
  // Removing a coupon frees its code.
  lookupKeys: ({ isRemoved, code }) => (isRemoved ? none : [code]),
}

const none: readonly string[] = []
