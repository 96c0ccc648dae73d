import type { FieldUse, PayerField } from '../../../engine/checkout/offer.ts'

/** What a payer typed, as it was sent: shown again where something of it is wrong. */
export type Typed = Readonly<Record<string, string>>

/** Why fields were refused, in words, by the name of the field. */
export type FieldErrors = Readonly<Record<string, string>>

/** A form as it is shown: what was typed before, and what was wrong with it. */
export type FormState = { readonly typed: Typed; readonly errors: FieldErrors }

export const emptyForm: FormState = { typed: {}, errors: {} }

/** The name of the form's field for one of the merchant's own fields. */
export const customName = (key: string): string => `custom.${key}`

/** How often a field is asked where a boleto is chosen, which names its payer. */
export const useFor = (
  method: string | undefined,
  field: PayerField,
  collect: Readonly<Record<PayerField, FieldUse>>,
): FieldUse =>
  method === 'BOLETO' && (field === 'name' || field === 'document') ? 'REQUIRED' : collect[field]
