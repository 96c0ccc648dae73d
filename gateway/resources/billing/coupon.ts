import Type, { type Static } from 'typebox'
import type { CouponValidation } from '../../../engine/billing/catalog/catalog-queries.ts'
import type { Coupon } from '../../../engine/billing/catalog/coupon.ts'
import { couponRefusals, couponStatusAt as statusOf } from '../../../engine/billing/catalog/redemption.ts'
import { isoInstant } from '../../../engine/shared/calendar.ts'
import { described, namedObject } from '../../schema/named-schema.ts'
import { couponStatus } from '../enumerations.ts'
import {
  amountOf,
  booleanOf,
  count,
  dated,
  digitsOrNull,
  enumeration,
  identity,
  instant,
  instantOrNull,
  listOf,
  nullable,
  objectName,
  ownMetadata,
  text,
  textOf,
} from '../fields.ts'

/** A coupon (decisions, section 23). */
export const coupon = namedObject('Coupon', 'A discount on what a plan costs.', {
  ...identity('cpn', 'coupon'),
  code: textOf('What subscribers type, in capitals.'),
  name: described(text, 'What you call it.'),
  discountType: described(enumeration('PERCENT', 'FIXED'), 'Which of `percentBps` and `amountOff` is set.'),
  percentBps: nullable(Type.Integer(), 'What PERCENT takes off, in basis points: 100 is 1 %.'),
  amountOff: nullable(amountOf('What FIXED takes off.')),
  duration: described(
    enumeration('ONCE', 'REPEATING', 'FOREVER'),
    'For the first cycle invoice, the first `durationCycles`, or all of them.',
  ),
  durationCycles: nullable(Type.Integer(), 'How many cycles REPEATING lasts.'),
  maxRedemptions: nullable(Type.Integer(), 'How often it can be redeemed; null: no limit.'),
  maxRedemptionsPerCustomer: nullable(
    Type.Integer(),
    'How often one customer can redeem it; null: no limit.',
  ),
  startsAt: nullable(instant, 'It cannot be redeemed before.'),
  expiresAt: nullable(instant, 'It cannot be redeemed from then on.'),
  planIds: nullable(listOf(textOf('A plan, `pln_…`.')), 'The plans that it is for; null: every plan.'),
  minAmount: nullable(amountOf('The least amount of a plan that it is for.')),
  active: booleanOf('False: it cannot be redeemed.'),
  redemptionsCount: count('How often it was redeemed.'),
  status: couponStatus,
  metadata: ownMetadata,
  ...dated,
})

type View = Static<typeof coupon>

/** A coupon with its status at an instant of its environment. */
export const couponView = (coupon: Coupon, nowMs: number): View => ({
  id: coupon.id,
  object: 'coupon',
  code: coupon.code,
  name: coupon.name,
  discountType: coupon.percentBps === null ? 'FIXED' : 'PERCENT',
  percentBps: coupon.percentBps,
  amountOff: digitsOrNull(coupon.amountOffCents),
  duration: coupon.duration,
  durationCycles: coupon.duration === 'REPEATING' ? coupon.cycles : null,
  maxRedemptions: coupon.maxRedemptions,
  maxRedemptionsPerCustomer: coupon.maxRedemptionsPerCustomer,
  startsAt: instantOrNull(coupon.startsAtMs),
  expiresAt: instantOrNull(coupon.expiresAtMs),
  planIds: coupon.planIds,
  minAmount: digitsOrNull(coupon.minAmountCents),
  active: coupon.active,
  redemptionsCount: coupon.redemptionsCount,
  status: statusOf(coupon, nowMs),
  metadata: coupon.metadata,
  createdAt: isoInstant(coupon.createdAtMs),
  updatedAt: isoInstant(coupon.updatedAtMs),
})

/** Whether a coupon can be redeemed. */
export const couponValidation = namedObject(
  'CouponValidation',
  'Whether a coupon can be redeemed, and what it takes off.',
  {
    object: objectName('coupon_validation'),
    valid: booleanOf('Whether it could be redeemed now.'),
    reason: nullable(enumeration(...couponRefusals), 'Why not: the first reason that holds, in this order.'),
    coupon: nullable(coupon, 'The coupon; null where no coupon has this code.'),
    amount: nullable(amountOf('What it is taken off; null where neither `amount` nor a plan was named.')),
    discountAmount: nullable(amountOf('What it takes off.')),
    finalAmount: nullable(amountOf('What is left to pay.')),
  },
)

/** Whether a coupon can be redeemed, and what it would take off. */
export const couponValidationView = ({
  coupon,
  refusal,
  amountCents,
  discountCents,
  nowMs,
}: CouponValidation): Static<typeof couponValidation> => ({
  object: 'coupon_validation',
  valid: refusal === null,
  reason: refusal,
  coupon: coupon && couponView(coupon, nowMs),
  amount: digitsOrNull(amountCents),
  discountAmount: digitsOrNull(discountCents),
  finalAmount: amountCents === null ? null : String(amountCents - discountCents!),
})
