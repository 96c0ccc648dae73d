import { modulo10, modulo11 } from '../../../../engine/payments/methods/boleto/check-digits.ts'
import { addDays, type CalendarDate, daysBetween } from '../../../../engine/shared/calendar.ts'

/** The bar code of a typed line; null if it is not a bank boleto's line or a check digit is wrong. */
export const readDigitableLine = (text: string): string | null => {
  const line = text.replace(/[ .]/g, '')
  if (!/^\d{47}$/.test(line)) return null
  const fields = [line.slice(0, 9), line.slice(10, 20), line.slice(21, 31)]
  const digits = [line[9], line[20], line[31]]
  if (fields.some((field, n) => modulo10(field) !== digits[n])) return null
  const before = line.slice(0, 4)
  const after = line.slice(33) + line.slice(4, 9) + fields[1] + fields[2]
  return generalDigit(before + after) === Number(line[32]) ? before + line[32] + after : null
}

/** Modulo 11 over the other 43 digits. Results 10 and 11 become 1. */
const generalDigit = (digits: string): number => {
  const digit = modulo11(digits)
  return digit >= 10 ? 1 : digit
}

/**
 * The due date that a factor means at a reference date: the candidate between 3000 days before and 5500 days after it
 * (Itaú manual, annex 6). Null for `0000`, which means no date, or when no candidate is in range.
 */
export const dueDateOfFactor = (factor: string, reference: CalendarDate): CalendarDate | null => {
  const days = Number(factor)
  if (days === 0) return null
  for (let candidate = days; ; candidate += period) {
    const distance = candidate - daysBetween(base, reference)
    if (distance > 5500) return null
    if (distance >= -3000) return addDays(base, candidate)
  }
}

/** Day 0 of the due factor. */
const base = '1997-10-07' as CalendarDate
/** Factors 1000 to 9999 repeat after this many days. */
const period = 9000
