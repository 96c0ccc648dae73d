import type { Values } from '../parts/form.tsx'
import type { Schemas } from './api.ts'
import { amountTyped } from './format.ts'

/**
 * The customer that a form describes, with their address; none where nothing was typed. Whatever was typed is sent, so that the API says
 * what is missing, and where.
 */
export const customerOf = (values: Values): { customer?: Schemas['CustomerInput'] } => {
  const typed = typedBelow(values, 'customer', ['name', 'document', 'email'])
  const customer = {
    ...typed,
    ...(typed.document && { document: digitsOf(typed.document) }),
    ...addressOf(values, 'customer.address'),
  }
  return Object.keys(customer).length === 0 ? {} : { customer: customer as Schemas['CustomerInput'] }
}

/** The fields below a path of the API that were filled in, by their names there. */
const typedBelow = (values: Values, path: string, names: readonly string[]): Record<string, string> =>
  Object.fromEntries(
    names.flatMap((name) => {
      const value = values[`${path}.${name}`]?.trim()
      return value ? [[name, value]] : []
    }),
  )

/** A document without its punctuation. */
export const digitsOf = (document: string): string => document.replace(/[.\-/\s]/g, '')

/** The address that a form holds below a path of the API; none where nothing was typed. */
export const addressOf = (values: Values, path = 'address'): { address?: Schemas['AddressInput'] } => {
  const parts = typedBelow(values, path, [
    'street',
    'number',
    'complement',
    'district',
    'city',
    'state',
    'zip',
  ])
  if (Object.keys(parts).length === 0) return {}
  const address = {
    ...parts,
    ...(parts.state && { state: parts.state.toUpperCase() }),
    ...(parts.zip && { zip: parts.zip.replace(/\D/g, '') }),
  }
  return { address: address as Schemas['AddressInput'] }
}

/** The card that a form names. */
export const cardOf = (values: Values) => ({
  token: values['card.token']!,
  brand: values['card.brand'] as Schemas['Brand'],
  last4: values['card.last4']!,
})

/** The Sandbox's scenario that a form names, as metadata. */
export const scenarioOf = ({ scenario }: Values) =>
  scenario ? { metadata: { sandboxScenario: scenario } } : {}

/** An amount that a checked form holds, in the currency's smallest unit. */
export const unitsOf = (text: string | undefined, currency = 'BRL'): string => {
  const { units } = amountTyped(text ?? '', currency)
  if (units === null) throw new Error(`${text} was sent as an amount`)
  return units
}

/** A percentage that was typed, such as "2,5", in basis points; null if it is none. */
export const bpsOf = (text: string | undefined): number | null => {
  const found = /^\s*(\d{1,3})(?:[.,](\d{1,2}))?\s*%?\s*$/.exec(text ?? '')
  return found === null ? null : Number(found[1]) * 100 + Number((found[2] ?? '').padEnd(2, '0'))
}

/** A whole number that was typed; undefined where nothing was. */
export const wholeOf = (text: string | undefined): number | undefined =>
  text?.trim() ? Number(text) : undefined
