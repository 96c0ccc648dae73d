import { unreachable } from '../../../../engine/shared/assert.ts'
import { type Problem, problem } from '../../../problems/problem.ts'

/**
 * Refuses card data before any other code sees the body: this service must never hold a card number or a security code
 * (payments-api, What the service does). Neither the body nor what was found in it is repeated or logged.
 */
export const refuseCardData = (body: unknown): Problem | null => {
  const card = (body as { readonly card?: unknown } | null)?.card
  return hasCardData(card) ? cardDataNotAllowed : null
}

const cardDataNotAllowed = problem('CARD_DATA_NOT_ALLOWED')

const forbiddenNames = new Set(['number', 'pan', 'cardnumber', 'cvv', 'cvc', 'cvv2', 'cvc2', 'securitycode'])

const hasCardData = (value: unknown): boolean => {
  switch (typeof value) {
    case 'string':
    case 'number':
      return isCardNumber(String(value))
    case 'object':
      if (value === null) return false
      return Object.entries(value).some(
        ([name, member]) => forbiddenNames.has(plain(name)) || hasCardData(member),
      )
    case 'boolean':
    case 'undefined':
      return false
    default:
      return unreachable(value as never)
  }
}

const plain = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, '')

/** 13 to 19 digits, however grouped, that end in a valid Luhn check digit (ISO/IEC 7812-1, annex B). */
const isCardNumber = (text: string): boolean => {
  const digits = text.replace(/[ -]/g, '')
  if (!/^\d{13,19}$/.test(digits)) return false
  let sum = 0
  for (let n = 0; n < digits.length; n++) {
    const digit = digits.charCodeAt(digits.length - 1 - n) - 48
    sum += n % 2 === 0 ? digit : digit > 4 ? 2 * digit - 9 : 2 * digit
  }
  return sum % 10 === 0
}
