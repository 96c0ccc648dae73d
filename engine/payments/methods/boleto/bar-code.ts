import { assert } from '../../../shared/assert.ts'
import type { CalendarDate } from '../../../shared/calendar.ts'
import type { Cents } from '../../../shared/money.ts'
import { modulo10, modulo11 } from './check-digits.ts'
import { dueFactor } from './due-factor.ts'

export type BoletoCode = {
  /** Three digits. */
  readonly bankCode: string
  readonly dueDate: CalendarDate
  /** At most ten digits. */
  readonly amountCents: Cents
  /** 25 digits in the bank's own layout. */
  readonly freeField: string
}

/** The largest amount that its ten digits can hold. */
export const barCodeCentsMax = 9_999_999_999

/** The 44 digits of the bar code: bank, currency 9 (real), check digit, due factor, amount, free field (FEBRABAN). */
export const boletoBarCode = ({ bankCode, dueDate, amountCents, freeField }: BoletoCode): string => {
  const amount = String(amountCents).padStart(10, '0')
  assert(/^\d{3}$/.test(bankCode), 'a bank code has three digits')
  assert(/^\d{10}$/.test(amount), 'a boleto has at most ten digits of centavos')
  assert(/^\d{25}$/.test(freeField), 'a free field has 25 digits')
  const before = `${bankCode}9`
  const after = `${dueFactor(dueDate)}${amount}${freeField}`
  return before + generalDigit(before + after) + after
}

/** Modulo 11 over the other 43 digits. Results 0, 10 and 11 become 1. */
const generalDigit = (digits: string): string => {
  const digit = modulo11(digits)
  return digit >= 10 ? '1' : String(digit)
}

/**
 * The 47 digits that people type: the free field in three groups with a check digit each, then general digit, factor
 * and amount.
 */
export const digitableLine = (barCode: string): string => {
  const free = barCode.slice(19)
  const fields = [barCode.slice(0, 4) + free.slice(0, 5), free.slice(5, 15), free.slice(15)]
  return fields.map((field) => field + modulo10(field)).join('') + barCode.slice(4, 19)
}

/** As printed: `AAAAA.AAAAA BBBBB.BBBBBB CCCCC.CCCCCC D EEEEEEEEEEEEEE`. */
export const formattedLine = (line: string): string => {
  const field = (from: number, to: number): string =>
    `${line.slice(from, from + 5)}.${line.slice(from + 5, to)}`
  return `${field(0, 10)} ${field(10, 21)} ${field(21, 32)} ${line[32]} ${line.slice(33)}`
}
