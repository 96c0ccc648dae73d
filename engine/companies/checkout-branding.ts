import { type CardLimits, noCardLimits } from '../shared/card-limits.ts'
import type { PlanId } from '../shared/ids.ts'

/**
 * What a company says of itself on the pages of its checkout, and what its payers may do there by themselves (checkout,
 * sections 4 and 10). Its legal name and document are always shown, and its logo is that of the company.
 */
export type CheckoutBranding = {
  /** The name in front of the legal one; null for the trade name or the legal name. */
  readonly displayName: string | null
  /** The colour of buttons and of the focus, `#rrggbb` in lower case; null for the pages' own. */
  readonly accent: string | null
  readonly supportEmail: string | null
  readonly supportPhone: string | null
  readonly termsUrl: string | null
  readonly privacyUrl: string | null
  /** What a payer reads who has paid. */
  readonly thankYouText: string | null
  readonly portal: Portal
  /** Against those who test stolen cards. Payers are not told. */
  readonly cardLimits: CardLimits
}

/** The name that payers know a company by. */
export const nameForPayers = ({
  checkout,
  tradeName,
  name,
}: {
  readonly checkout: CheckoutBranding
  readonly tradeName: string | null
  readonly name: string
}): string => checkout.displayName ?? tradeName ?? name

/** What a payer may do with their own subscription. */
export type Portal = {
  readonly cancel: boolean
  readonly changeCard: boolean
  /** The plans that they may change to; empty for none. */
  readonly changePlan: readonly PlanId[]
}

/** That of a company which has chosen nothing: a payer may mend what fails, and end nothing that was agreed. */
export const plainBranding: CheckoutBranding = {
  displayName: null,
  accent: null,
  supportEmail: null,
  supportPhone: null,
  termsUrl: null,
  privacyUrl: null,
  thankYouText: null,
  portal: { cancel: false, changeCard: true, changePlan: [] },
  cardLimits: noCardLimits,
}
