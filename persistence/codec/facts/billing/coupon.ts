import type { CouponId } from '../../../../engine/shared/ids.ts'
import { json, number, text } from '../../layout.ts'
import type { FactLayouts } from '../fact-layouts.ts'

const head = { id: text<CouponId>(), atMs: number() }

export const couponFacts = {
  CouponCreated: [1, { ...head, coupon: json() }],
  CouponChanged: [2, { ...head, changes: json() }],
  CouponRedeemed: [3, { ...head, redeemedBy: text() }],
  RedemptionReleased: [4, { ...head, redeemedBy: text() }],
  CouponRemoved: [5, head],
} satisfies FactLayouts<'coupon'>
