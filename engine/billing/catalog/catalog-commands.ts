import type { Request } from '../../kernel/command.ts'
import type { CouponId, PlanId } from '../../shared/ids.ts'
import type { Metadata } from '../../shared/metadata.ts'
import type { CouponChanges, NewCoupon } from './coupon.ts'
import type { DunningPolicy } from './dunning.ts'
import type { PlanChanges, PlanTerms } from './plan.ts'

declare module '../../kernel/registry.ts' {
  interface FolderCommands {
    readonly catalog: CatalogCommand
  }
}

/** Commands about plans, coupons and dunning policies. */
export type CatalogCommand =
  | CreatePlan
  | EditPlan
  | RemovePlan
  | CreateCoupon
  | EditCoupon
  | RemoveCoupon
  | SetDunningPolicy
  | RemoveDunningPolicy

export type CreatePlan = Request<'CreatePlan'> & {
  readonly planId: PlanId
  readonly terms: PlanTerms
  readonly metadata: Metadata
}
/** Members that are left out stay as they are. */
export type EditPlan = Request<'EditPlan'> & { readonly planId: PlanId; readonly changes: PlanChanges }
/** A plan that a subscription has used is only deactivated. */
export type RemovePlan = Request<'RemovePlan'> & { readonly planId: PlanId }

export type CreateCoupon = Request<'CreateCoupon'> & {
  readonly couponId: CouponId
  readonly coupon: Omit<NewCoupon, 'accountId'>
}
/** Members that are left out stay as they are. */
export type EditCoupon = Request<'EditCoupon'> & {
  readonly couponId: CouponId
  readonly changes: CouponChanges
}
/** A coupon that was redeemed is only deactivated. */
export type RemoveCoupon = Request<'RemoveCoupon'> & { readonly couponId: CouponId }

// Not `planId`, which would make the plan the command's actor: dunning policies belong to the account.
/** The policy of a plan, or (null) the company's. */
export type SetDunningPolicy = Request<'SetDunningPolicy'> & {
  readonly forPlan: PlanId | null
  readonly policy: DunningPolicy
}
export type RemoveDunningPolicy = Request<'RemoveDunningPolicy'> & { readonly forPlan: PlanId }
