import type { ActorFact } from '../../kernel/fact.ts'
import type { AccountId, CheckoutSessionId, CouponId, PlanId, SubscriptionId } from '../../shared/ids.ts'
import type { Metadata } from '../../shared/metadata.ts'
import type { Cents } from '../../shared/money.ts'

declare module '../../kernel/registry.ts' {
  interface ActorStates {
    readonly coupon: Coupon
  }
  interface ActorFacts {
    readonly coupon: CouponFact
  }
}

/** What a coupon takes off, and for how many cycles (decisions, section 23). Subscriptions keep a copy. */
export type Discount = {
  /** Share of the plan's amount; null when `amountOffCents` is set instead. */
  readonly percentBps: number | null
  readonly amountOffCents: Cents | null
  /** How many cycle invoices it applies to; null for all. */
  readonly cycles: number | null
}

export type Coupon = NewCoupon & {
  readonly id: CouponId
  readonly active: boolean
  readonly isRemoved: boolean
  /** Released redemptions are not counted. */
  readonly redemptionsCount: number
  /** Whether it was ever redeemed. */
  readonly isUsed: boolean
  readonly createdAtMs: number
  readonly updatedAtMs: number
}

/** What a coupon is created with. */
export type NewCoupon = Discount & {
  readonly accountId: AccountId
  /** In upper case; unique among coupons that are not removed. */
  readonly code: string
  readonly name: string | null
  readonly duration: 'ONCE' | 'REPEATING' | 'FOREVER'
  readonly maxRedemptions: number | null
  readonly maxRedemptionsPerCustomer: number | null
  readonly startsAtMs: number | null
  readonly expiresAtMs: number | null
  readonly planIds: readonly PlanId[] | null
  readonly minAmountCents: Cents | null
  readonly metadata: Metadata
}

/** What can be changed in a coupon. */
export type CouponChanges = Partial<Omit<NewCoupon, 'accountId'> & Pick<Coupon, 'active'>>

export type CouponFact =
  | (Fact<'CouponCreated'> & { readonly coupon: NewCoupon })
  | (Fact<'CouponChanged'> & { readonly changes: CouponChanges })
  | (Fact<'CouponRedeemed'> & { readonly redeemedBy: SubscriptionId | CheckoutSessionId })
  /** Its subscription ended before it was ever paid. */
  | (Fact<'RedemptionReleased'> & { readonly redeemedBy: SubscriptionId | CheckoutSessionId })
  | Fact<'CouponRemoved'>

type Fact<Type extends string> = ActorFact<'coupon', Type>
