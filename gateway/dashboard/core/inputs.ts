import { filled, type Values } from '../parts/form.tsx'
import type { Schemas } from './api.ts'
import { centsOf } from './format.ts'

/** The customer that a form describes; none without a name. */
export const customerOf = ({ customerName, customerDocument, customerEmail }: Values) => {
  const name = customerName?.trim()
  if (!name) return {}
  return {
    customer: {
      name,
      ...(customerDocument?.trim() && { document: digitsOf(customerDocument) }),
      ...(customerEmail?.trim() && { email: customerEmail.trim() }),
    },
  }
}

/** A document without its punctuation. */
export const digitsOf = (document: string): string => document.replace(/[.\-/\s]/g, '')

/** The address that a form holds; none without a street. */
export const addressOf = (values: Values): { address?: Schemas['AddressInput'] } => {
  if (!values.street?.trim()) return {}
  const { complement, ...parts } = filled(values, 'street', 'number', 'complement', 'district', 'city')
  const state = (values.state ?? '').trim().toUpperCase()
  const zip = (values.zip ?? '').replace(/\D/g, '')
  return { address: { ...parts, state, zip, ...(complement && { complement }) } as Schemas['AddressInput'] }
}

/** The card that a form names. */
export const cardOf = ({ token, brand, last4 }: Values) => ({
  token: token!,
  brand: brand as Schemas['Brand'],
  last4: last4!,
})

/** The Sandbox's scenario that a form names, as metadata. */
export const scenarioOf = ({ scenario }: Values) =>
  scenario ? { metadata: { sandboxScenario: scenario } } : {}

/** An amount that a checked form holds. */
export const cents = (text: string | undefined): string => centsOf(text ?? '') ?? '0'

/** A percentage that was typed, such as "2,5", in basis points; null if it is none. */
export const bpsOf = (text: string | undefined): number | null => {
  const found = /^\s*(\d{1,3})(?:[.,](\d{1,2}))?\s*%?\s*$/.exec(text ?? '')
  return found === null ? null : Number(found[1]) * 100 + Number((found[2] ?? '').padEnd(2, '0'))
}

/** A whole number that was typed; undefined where nothing was. */
export const wholeOf = (text: string | undefined): number | undefined =>
  text?.trim() ? Number(text) : undefined
