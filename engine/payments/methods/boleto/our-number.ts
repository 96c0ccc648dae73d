import { assert } from '../../../shared/assert.ts'
import { modulo11 } from './check-digits.ts'

const digits = 10

/**
 * The number of a boleto at its bank: ten digits from the company's own sequence and a modulo 11 digit (0 for 10 and
 * 11).
 */
export const ourNumber = (sequence: number): string => {
  const number = String(sequence).padStart(digits, '0')
  assert(sequence >= 1 && number.length === digits, 'a company has at most 9,999,999,999 boletos')
  const digit = modulo11(number)
  return number + (digit >= 10 ? '0' : String(digit))
}
