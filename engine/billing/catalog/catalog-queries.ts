import type { Listed, Paging, Question } from '../../kernel/query.ts'
import type { CustomerId, PlanId } from '../../shared/ids.ts'
import type { Cents } from '../../shared/money.ts'
import type { Coupon } from './coupon.ts'
import type { Plan } from './plan.ts'
import type { CouponRefusal, CouponStatus } from './redemption.ts'

declare module '../../kernel/registry.ts' {
  interface FolderQueries {
    readonly catalog: CatalogQuery
  }
  interface Answers {
    readonly FindPlan: Plan | null
    readonly ListPlans: Listed<Plan>
    readonly ListCoupons: Listed<Coupon>
    readonly ValidateCoupon: CouponValidation
  }
}

export type CatalogQuery = FindPlan | ListPlans | ListCoupons | ValidateCoupon

export type FindPlan = Question<'FindPlan'> & { readonly planId: PlanId }

export type ListPlans = Question<'ListPlans'> &
  Paging & {
    readonly active: boolean | null
    /** An id, or part of the name. */
    readonly search: string | null
  }

export type ListCoupons = Question<'ListCoupons'> &
  Paging & {
    readonly active: boolean | null
    readonly statuses: readonly CouponStatus[]
    /** An id, or part of the code or name. */
    readonly search: string | null
  }

/** Whether a coupon could be redeemed now, and what it would take off. */
export type ValidateCoupon = Question<'ValidateCoupon'> & {
  readonly code: string
  readonly planId: PlanId | null
  readonly customerId: CustomerId | null
  /** Null takes the plan's amount. */
  readonly amountCents: Cents | null
}

export type CouponValidation = {
  readonly coupon: Coupon | null
  readonly refusal: CouponRefusal | null
  /** Null when neither an amount nor a plan was given. */
  readonly amountCents: Cents | null
  /** Zero when it cannot be redeemed. */
  readonly discountCents: Cents | null
  /** Environment time. */
  readonly nowMs: number
}
