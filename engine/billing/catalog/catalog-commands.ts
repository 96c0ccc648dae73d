import type { Request } from '../../kernel/command.ts'
import type { CouponId, PlanId } from '../../shared/ids.ts'
import type { Metadata } from '../../shared/metadata.ts'
import type { CouponChanges, CouponEvent } from './coupon.ts'
import type { DunningPolicy } from './dunning.ts'
import type { PlanChanges, PlanTerms } from './plan.ts'

declare module '../../kernel/registry.ts' {
  interface FolderCommands {
    readonly catalog: CatalogCommand
  }
}

/** What a company sells by: its plans, its coupons, and what it does about invoices that are not paid. */
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
/** What is not named stays as it is. */
export type EditPlan = Request<'EditPlan'> & { readonly planId: PlanId; readonly changes: PlanChanges }
/** A plan that a subscription had is only deactivated. */
export type RemovePlan = Request<'RemovePlan'> & { readonly planId: PlanId }

export type CreateCoupon = Request<'CreateCoupon'> & {
  readonly couponId: CouponId
  readonly coupon: Omit<Extract<CouponEvent, { type: 'CouponCreated' }>['coupon'], 'accountId'>
}
/** What is not named stays as it is. */
export type EditCoupon = Request<'EditCoupon'> & {
  readonly couponId: CouponId
  readonly changes: CouponChanges
}
/** A coupon that was redeemed is only deactivated. */
export type RemoveCoupon = Request<'RemoveCoupon'> & { readonly couponId: CouponId }

// Not `planId`, which names what a command is about: these are about the account.
/** The policy of a plan, or (null) of the company. */
export type SetDunningPolicy = Request<'SetDunningPolicy'> & {
  readonly forPlan: PlanId | null
  readonly policy: DunningPolicy
}
export type RemoveDunningPolicy = Request<'RemoveDunningPolicy'> & { readonly forPlan: PlanId }
