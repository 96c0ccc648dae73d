import type { Cents } from '../shared/money.ts'
import type { CheckoutMethod } from './offer.ts'

declare module '../kernel/registry.ts' {
  interface FolderRefusals {
    readonly checkout: CheckoutRefusal
  }
}

/** Why pages and links refuse. */
export type CheckoutRefusal =
  /** It is paid, or its time is over. */
  | { readonly reason: 'SESSION_CLOSED'; readonly status: 'COMPLETED' | 'EXPIRED' }
  /** The service has no address for pages. */
  | { readonly reason: 'PAGES_NOT_SET_UP' }
  | { readonly reason: 'SESSION_METHOD_NOT_OFFERED'; readonly allowed: readonly CheckoutMethod[] }
  | { readonly reason: 'INSTALLMENTS_NOT_OFFERED' }
  /** A charge is being decided, or cannot be cancelled before this instant (null: not at all). */
  | { readonly reason: 'PAYMENT_UNDER_WAY'; readonly method: CheckoutMethod; readonly untilMs: number | null }
  /** Another page of the payer's has made a charge, or ended one, since this one was shown. */
  | { readonly reason: 'PAGE_OUTDATED' }
  /** So many charges were made that no other is. */
  | { readonly reason: 'TOO_MANY_TRIES' }
  | { readonly reason: 'LINK_CLOSED'; readonly status: 'INACTIVE' | 'EXPIRED' | 'EXHAUSTED' }
  /** Everything that is left is being paid by others. */
  | { readonly reason: 'LINK_BUSY' }
  | { readonly reason: 'LINK_IN_USE'; readonly field: string }
  | { readonly reason: 'MAX_PAYMENTS_BELOW_COUNT'; readonly paymentsCount: number }
  | { readonly reason: 'AMOUNT_NOT_OFFERED'; readonly minCents: Cents; readonly maxCents: Cents }
  | { readonly reason: 'QUANTITY_NOT_OFFERED'; readonly min: number; readonly max: number }
  /** Cards pay an amount of the payer's own only from so much on: less is what those choose who test stolen cards. */
  | { readonly reason: 'CARD_AMOUNT_TOO_SMALL'; readonly minCents: Cents }
  /** The card's bank did not say that its holder pays, and the page wants it to. */
  | { readonly reason: 'CARD_NOT_AUTHENTICATED' }
  | { readonly reason: 'COUPONS_NOT_TAKEN' }
  /** In Production payers are sent nowhere without TLS. */
  | { readonly reason: 'INSECURE_URL'; readonly field: string }
  /** A coupon would leave nothing to pay. */
  | { readonly reason: 'NOTHING_TO_PAY' }
