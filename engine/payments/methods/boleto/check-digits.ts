import { assert } from '../../../shared/assert.ts'

/**
 * The two check digits of a boleto (bank manuals, brazil.md 2.2). Modulo 10: weights 2, 1, 2, 1 … from the right,
 * adding up the digits of each product; the result completes the sum to the next ten.
 */
export const modulo10 = (digits: string): string => {
  let sum = 0
  for (let n = 0; n < digits.length; n++) {
    const product = digitAt(digits, digits.length - 1 - n) * (n % 2 === 0 ? 2 : 1)
    sum += product > 9 ? product - 9 : product
  }
  return String((10 - (sum % 10)) % 10)
}

/** Modulo 11: weights 2 to 9, repeating, from the right; the result is eleven less the remainder, from 0 to 11. */
export const modulo11 = (digits: string): number => {
  let sum = 0
  for (let n = 0; n < digits.length; n++) sum += digitAt(digits, digits.length - 1 - n) * (2 + (n % 8))
  return 11 - (sum % 11)
}

const digitAt = (digits: string, place: number): number => {
  const digit = digits.charCodeAt(place) - 48
  assert(digit >= 0 && digit <= 9, 'a check digit is over digits')
  return digit
}
