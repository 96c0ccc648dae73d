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

const hasCardData = (value: unknown, isToken = false): boolean => {
  switch (typeof value) {
    case 'string':
    case 'number':
      return hasCardNumber(asciiOf(String(value)), isToken)
    case 'object':
      if (value === null) return false
      return Object.entries(value).some(
        ([name, member]) => forbiddenNames.has(plain(name)) || hasCardData(member, name === 'token'),
      )
    case 'boolean':
    case 'undefined':
      return false
    default:
      return unreachable(value as never)
  }
}

const plain = (name: string): string =>
  asciiOf(name)
    .toLowerCase()
    .replace(/[^a-z0-9]/g, '')

/** A text whose digits and letters of other widths, styles and scripts are the plain ones. */
const asciiOf = (text: string): string =>
  text.normalize('NFKC').replace(/(?![0-9])\p{Nd}/gu, (digit) => String(digitOf(digit.codePointAt(0)!)))

/** Digits of a script stand in blocks of ten, in their order (Unicode, section 4.6). */
const digitOf = (codePoint: number): number => {
  let value = 0
  while (value < 9 && /\p{Nd}/u.test(String.fromCodePoint(codePoint - value - 1))) value += 1
  return value
}

/**
 * Whether groups of digits between letters, whatever else separates them, make a card number, alone or with groups beside them such as an
 * expiry date. A token that has letters is the acquirer's own and may hold any digits.
 */
const hasCardNumber = (text: string, isToken: boolean): boolean => {
  const stretches = text.split(/\p{L}+/u)
  if (isToken && stretches.length > 1) return false
  return stretches.some((stretch) => {
    const groups = stretch.match(/[0-9]+/g) ?? []
    return groups.some((_, first) => {
      let digits = ''
      return groups.slice(first, first + lengthMax).some((group) => {
        digits += group
        return isCardNumber(digits)
      })
    })
  })
}

const lengthMax = 19

/** 13 to 19 digits that end in a valid Luhn check digit (ISO/IEC 7812-1, annex B). */
const isCardNumber = (digits: string): boolean => {
  if (digits.length < 13 || digits.length > lengthMax) return false
  let sum = 0
  for (let n = 0; n < digits.length; n++) {
    const digit = digits.charCodeAt(digits.length - 1 - n) - 48
    sum += n % 2 === 0 ? digit : digit > 4 ? 2 * digit - 9 : 2 * digit
  }
  return sum % 10 === 0
}
