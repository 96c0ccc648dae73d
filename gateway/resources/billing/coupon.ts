// What the API shows of subscriptions: plans, coupons, subscribers, invoices with their attempts, and policies for
// unpaid ones.
import Type from 'typebox'
import type { CouponValidation } from '../../../engine/billing/catalog/catalog-queries.ts'
import type { Coupon } from '../../../engine/billing/catalog/coupon.ts'
import { couponRefusals, couponStatusAt as statusOf } from '../../../engine/billing/catalog/redemption.ts'
import { described } from '../../schema/named-schema.ts'
import { choice } from '../../schema/schema.ts'
import { couponStatus } from '../enumerations.ts'
import {
  amountOf,
  booleanOf,
  count,
  datedFields,
  digitsOrNull,
  identityFields,
  instant,
  instantOrNull,
  listOf,
  nullableField,
  nullableText,
  objectField,
  ownMetadata,
  textOf,
} from '../fields.ts'
import { resource, same } from '../resource.ts'

/** A coupon with its status at an instant of its environment (decisions, section 23). */
export const coupon = resource<Coupon, [number]>('Coupon', 'A discount on what a plan costs.').with({
  ...identityFields('cpn', 'coupon'),
  code: [textOf('What subscribers type, in capitals.'), same],
  name: [described(nullableText, 'What you call it.'), same],
  discountType: [
    described(choice('PERCENT', 'FIXED'), 'Which of `percentBps` and `amountOff` is set.'),
    (c) => (c.percentBps === null ? 'FIXED' : 'PERCENT'),
  ],
  percentBps: [nullableField(Type.Integer(), 'What PERCENT takes off, in basis points: 100 is 1 %.'), same],
  amountOff: [nullableField(amountOf('What FIXED takes off.')), (c) => digitsOrNull(c.amountOffCents)],
  duration: [
    described(
      choice('ONCE', 'REPEATING', 'FOREVER'),
      'For the first cycle invoice, the first `durationCycles`, or all of them.',
    ),
    same,
  ],
  durationCycles: [
    nullableField(Type.Integer(), 'How many cycles REPEATING lasts.'),
    (c) => (c.duration === 'REPEATING' ? c.cycles : null),
  ],
  maxRedemptions: [nullableField(Type.Integer(), 'How often it can be redeemed; null: no limit.'), same],
  maxRedemptionsPerCustomer: [
    nullableField(Type.Integer(), 'How often one customer can redeem it; null: no limit.'),
    same,
  ],
  startsAt: [nullableField(instant, 'It cannot be redeemed before.'), (c) => instantOrNull(c.startsAtMs)],
  expiresAt: [
    nullableField(instant, 'It cannot be redeemed from then on.'),
    (c) => instantOrNull(c.expiresAtMs),
  ],
  planIds: [
    nullableField(listOf(textOf('A plan, `pln_…`.')), 'The plans that it is for; null: every plan.'),
    same,
  ],
  minAmount: [
    nullableField(amountOf('The least amount of a plan that it is for.')),
    (c) => digitsOrNull(c.minAmountCents),
  ],
  active: [booleanOf('False: it cannot be redeemed.'), same],
  redemptionsCount: [count('How often it was redeemed.'), same],
  status: [couponStatus, (c, nowMs) => statusOf(c, nowMs)],
  metadata: [ownMetadata, same],
  ...datedFields,
})

/** Whether a coupon can be redeemed, and what it would take off. */
export const couponValidation = resource<CouponValidation>(
  'CouponValidation',
  'Whether a coupon can be redeemed, and what it takes off.',
).with({
  ...objectField('coupon_validation'),
  valid: [booleanOf('Whether it could be redeemed now.'), ({ refusal }) => refusal === null],
  reason: [
    nullableField(choice(...couponRefusals), 'Why not: the first reason that holds, in this order.'),
    ({ refusal }) => refusal,
  ],
  coupon: [
    nullableField(coupon.schema, 'The coupon; null where no coupon has this code.'),
    (v) => v.coupon && coupon.view(v.coupon, v.nowMs),
  ],
  amount: [
    nullableField(amountOf('What it is taken off; null where neither `amount` nor a plan was named.')),
    ({ amountCents }) => digitsOrNull(amountCents),
  ],
  discountAmount: [nullableField(amountOf('What it takes off.')), (c) => digitsOrNull(c.discountCents)],
  finalAmount: [
    nullableField(amountOf('What is left to pay.')),
    ({ amountCents, discountCents }) => (amountCents === null ? null : String(amountCents - discountCents!)),
  ],
})
