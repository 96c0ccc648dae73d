import type { CalendarDate } from '../../../shared/calendar.ts'
import type { Cents } from '../../../shared/money.ts'
import { boletoBarCode } from './bar-code.ts'
import type { BoletoNumbers } from './boleto.ts'
import { ourNumber } from './our-number.ts'

/** No bank has this code: boletos are issued by the service itself, and none of them can be paid at a bank. */
const ownBankCode = '999'

/** The numbers of a company's nth boleto. No bank issues it, so the free field is ours: our number padded with zeros. */
export const boletoNumbers = (nth: number, amountCents: Cents, dueDate: CalendarDate): BoletoNumbers => {
  const bankCode = ownBankCode
  const number = ourNumber(nth)
  const freeField = number.padStart(25, '0')
  return {
    bankCode,
    ourNumber: number,
    barCode: boletoBarCode({ bankCode, dueDate, amountCents, freeField }),
  }
}

/** Our number within the digits that people type or scan, punctuated or not; null in any other text. */
export const ourNumberIn = (text: string): string | null => {
  const digits = text.replace(/[. ]/g, '')
  if (!/^999\d+$/.test(digits)) return null
  const free = freeFieldOf(digits)
  return free === null || !free.startsWith('0'.repeat(25 - ourNumberDigits))
    ? null
    : free.slice(-ourNumberDigits)
}

/** Where `boletoBarCode` and `digitableLine` write it. */
const freeFieldOf = (digits: string): string | null => {
  if (digits.length === 44) return digits.slice(19)
  return digits.length === 47 ? digits.slice(4, 9) + digits.slice(10, 20) + digits.slice(21, 31) : null
}

/** Ten of the sequence, and a check digit. */
const ourNumberDigits = 11
