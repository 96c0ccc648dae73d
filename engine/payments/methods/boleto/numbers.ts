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
