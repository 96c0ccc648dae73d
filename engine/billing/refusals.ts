import type { AttemptId, InvoiceId } from '../shared/ids.ts'
import type { Method } from '../shared/method.ts'
import type { Cents } from '../shared/money.ts'
import type { Product } from '../shared/product.ts'
import type { CouponRefusal } from './catalog/redemption.ts'

declare module '../kernel/registry.ts' {
  interface FolderRefusals {
    readonly billing: BillingRefusal
  }
}

/** Why plans, coupons, subscriptions and invoices refuse. */
export type BillingRefusal =
  /** Subscriptions rely on this field, so it cannot change. */
  | { readonly reason: 'PLAN_IN_USE'; readonly field: string }
  | { readonly reason: 'COUPON_IN_USE'; readonly field: string }
  /** No mandate can be offered: the provider has none, or none with the interval of the plan. */
  | { readonly reason: 'PIX_AUTOMATIC_UNAVAILABLE'; readonly lacks: 'PROVIDER' | 'INTERVAL' }
  | { readonly reason: 'INTERVAL_COUNT_REQUIRED' }
  | { readonly reason: 'FIRST_INVOICE_TOO_LARGE'; readonly limitCents: Cents }
  | { readonly reason: 'INTERVAL_COUNT_OUT_OF_RANGE'; readonly countMax: number }
  | { readonly reason: 'MAX_REDEMPTIONS_BELOW_COUNT'; readonly redemptionsCount: number }
  | { readonly reason: 'COUPON_ENDS_BEFORE_IT_STARTS' }
  | { readonly reason: 'PLAN_INACTIVE' }
  | { readonly reason: 'METHOD_NOT_ACCEPTED'; readonly allowedMethods: readonly Method[] }
  | { readonly reason: 'SAME_PLAN' }
  | { readonly reason: 'COUPON_INVALID'; readonly why: CouponRefusal }
  | { readonly reason: 'INVOICE_OPEN'; readonly invoiceId: InvoiceId }
  | { readonly reason: 'ATTEMPT_IN_PROGRESS'; readonly attemptId: AttemptId }
  | { readonly reason: 'RETRY_LIMIT_REACHED' }
  | { readonly reason: 'CARD_REQUIRED' }
  | { readonly reason: 'START_IN_THE_PAST' }
  | { readonly reason: 'START_TOO_FAR'; readonly days: number }
  | { readonly reason: 'PRODUCT_NOT_ACTIVE'; readonly product: Product }
