import type { Rejection } from '../../../kernel/registry.ts'
import { issuerOf } from '../../../ledger/issuer.ts'
import { addDays, dateIn } from '../../../shared/calendar.ts'
import type { Methods } from '../../../shared/method.ts'
import { toCents } from '../../../shared/money.ts'
import type { ChargeContext } from '../../transaction/charge-context.ts'
import type { Seed } from '../method.ts'
import { barCodeCentsMax } from './bar-code.ts'
import { plainTerms, unissuedBoleto } from './boleto.ts'
import { dueDateMin } from './due-factor.ts'
import { boletoNumbers } from './numbers.ts'

/** A boleto that was due three days after it was issued. Refused if its bar code could not hold the amount or date. */
export const seedBoleto = (
  { status, amountCents, createdAtMs }: Seed,
  chargeContext: ChargeContext,
): Methods['BOLETO']['means'] | Rejection => {
  if (amountCents > barCodeCentsMax)
    return { reason: 'AMOUNT_ABOVE_METHOD_LIMIT', limitCents: toCents(barCodeCentsMax) }
  const { profile } = chargeContext.account
  const dueDate = addDays(dateIn(profile.timeZone, createdAtMs), 3)
  if (dueDate < dueDateMin) return { reason: 'CREATED_AT_TOO_EARLY' }
  const isRegistered = status !== 'FAILED'
  const numbers = isRegistered
    ? boletoNumbers(chargeContext.account.boletosIssued + 1, amountCents, dueDate)
    : null
  const boleto = { ...unissuedBoleto({ dueDate, ...plainTerms }), numbers }
  return { boleto: isRegistered ? { ...boleto, issuer: issuerOf(profile) } : boleto, pix: null }
}
