import type { Brand } from '../../engine/ledger/card-rates.ts'
import { defaultFees, feeOn } from '../../engine/ledger/fees.ts'
import { methodOf } from '../../engine/payments/methods/index.ts'
import type { ChargeOrigin, Method } from '../../engine/shared/method.ts'
import { type Cents, toCents } from '../../engine/shared/money.ts'

/** What the profile of a company has that agreed nothing of its own, beside its names. */
export const plainProfile = { address: null, fees: defaultFees, revision: 1 } as const

/** What such a company pays for a charge. */
export const usualFee = (
  paidCents: number,
  method: Method,
  charge: { readonly origin?: ChargeOrigin; readonly brand?: Brand; readonly installments?: number } = {},
): Cents => {
  const { origin = 'API', brand = 'VISA', installments = 1 } = charge
  const terms = methodOf({ method }).feeTerms(defaultFees, { origin, card: { brand, installments } })
  return feeOn(toCents(paidCents), method, terms)
}
