import type { Values } from '../parts/form.tsx'
import { centsOf } from './format.ts'

/** The customer that a form describes; none without a name. */
export const customerOf = ({ customerName, customerDocument, customerEmail }: Values) => {
  const name = customerName?.trim()
  if (!name) return {}
  return {
    customer: {
      name,
      ...(customerDocument?.trim() && { document: customerDocument.replace(/[.\-/\s]/g, '') }),
      ...(customerEmail?.trim() && { email: customerEmail.trim() }),
    },
  }
}

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
