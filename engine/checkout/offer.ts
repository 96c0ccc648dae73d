import type { PlanTerms } from '../billing/catalog/plan.ts'
import type { PlanId, SplitRuleId } from '../shared/ids.ts'
import type { Metadata } from '../shared/metadata.ts'
import type { Method } from '../shared/method.ts'
import type { Cents } from '../shared/money.ts'
import type { InstallmentTerms } from './installments.ts'

/** The methods that pages offer: those that a merchant can ask for a payment by. */
export const checkoutMethods = [
  'PIX',
  'BOLETO',
  'CREDIT_CARD',
  'DEBIT_CARD',
  'CRYPTO',
] as const satisfies readonly Method[]
export type CheckoutMethod = (typeof checkoutMethods)[number]

/** What pages ask the payer for. */
export const payerFields = ['name', 'document', 'email', 'phone', 'address'] as const
export type PayerField = (typeof payerFields)[number]
export type FieldUse = 'REQUIRED' | 'OPTIONAL' | 'HIDDEN'

export type Item = { readonly name: string; readonly quantity: number; readonly unitCents: Cents }

/** A field of the merchant's own that the page asks for. */
export type CustomField = {
  readonly key: string
  readonly label: string
  readonly required: boolean
  readonly type: 'TEXT' | 'NUMBER' | 'OPTION'
  /** What may be chosen; empty unless the type is OPTION. */
  readonly options: readonly string[]
}

/** The first address of an offer that is not over TLS, by its public name; null where all are. */
export const insecureUrl = ({
  successUrl,
  cancelUrl = null,
  embedOrigins = null,
}: Pick<Offer, 'successUrl'> & Partial<Pick<Offer, 'cancelUrl' | 'embedOrigins'>>): string | null => {
  const isOpen = (url: string | null): boolean => url !== null && !/^https:/i.test(url)
  if (isOpen(successUrl)) return 'successUrl'
  if (isOpen(cancelUrl)) return 'cancelUrl'
  const at = embedOrigins?.findIndex(isOpen) ?? -1
  return at === -1 ? null : `embed.origins[${at}]`
}

/** What sessions and links have in common: how the page charges, and what it shows and asks (checkout, section 1). */
export type Offer = {
  readonly mode: 'PAYMENT' | 'SUBSCRIPTION'
  /** The plan that is subscribed to; null for a payment. */
  readonly planId: PlanId | null
  readonly trialDays: number | null
  /** The terms of the plan as they were when the page was made, which payers are promised; missing for a payment. */
  readonly plan?: PlanTerms
  /**
   * Whether the code of a PIX also offers a mandate for the payments that follow: true where a page is refused otherwise, false for never.
   * Missing: wherever one can be offered.
   */
  readonly pixAutomatic?: boolean
  readonly items: readonly Item[]
  readonly methods: readonly CheckoutMethod[]
  readonly installments: InstallmentTerms
  readonly collect: Readonly<Record<PayerField, FieldUse>>
  readonly customFields: readonly CustomField[]
  readonly pixExpiresInSeconds: number
  readonly boletoDueDays: number
  readonly captures: boolean
  readonly threeDSecure: 'OFF' | 'WHEN_SUPPORTED' | 'REQUIRED'
  readonly allowsCoupons: boolean
  readonly splitRuleId: SplitRuleId | null
  readonly description: string | null
  readonly reference: string | null
  readonly metadata: Metadata
  readonly successUrl: string | null
  readonly cancelUrl: string | null
  readonly locale: 'pt-BR' | 'en' | 'auto'
  /** The origins of pages that may frame this one; null for none. */
  readonly embedOrigins: readonly string[] | null
}
