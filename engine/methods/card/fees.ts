import { assert } from '../../assert.ts'
import { basisPointsOf, type Cents } from '../../money.ts'

export const brands = ['VISA', 'MASTERCARD', 'ELO', 'AMEX', 'HIPERCARD', 'OTHER'] as const
export type Brand = (typeof brands)[number]
export type CardType = 'CREDIT' | 'DEBIT'

/** A line of the fee table: a percentage of the captured amount, for a range of instalments. */
export type CardFee = {
  readonly brand: Brand
  readonly type: CardType
  readonly installmentsFrom: number
  readonly installmentsTo: number
  readonly percentBps: number
  /** Until the first instalment is in the balance: days of the calendar for credit, of business for debit. */
  readonly settlementDays: number
}

export const installmentsMax = 12

/** Basis points for one, two to six, and seven to twelve instalments (decisions, section 12). */
const creditBps: Readonly<Record<Brand, readonly [number, number, number]>> = {
  VISA: [319, 399, 459],
  MASTERCARD: [319, 399, 459],
  ELO: [369, 449, 509],
  AMEX: [399, 479, 539],
  HIPERCARD: [369, 449, 509],
  OTHER: [399, 479, 539],
}

export const cardFees: readonly CardFee[] = brands.flatMap((brand) => {
  const credit = (installmentsFrom: number, installmentsTo: number, percentBps: number): CardFee => ({
    brand,
    type: 'CREDIT',
    installmentsFrom,
    installmentsTo,
    percentBps,
    settlementDays: 30,
  })
  const [one, few, many] = creditBps[brand]
  const debit = { installmentsFrom: 1, installmentsTo: 1, percentBps: 199, settlementDays: 1 }
  return [
    credit(1, 1, one),
    credit(2, 6, few),
    credit(7, installmentsMax, many),
    { brand, type: 'DEBIT', ...debit } as const,
  ]
})

/** Fee on a captured amount, rounded half up. */
export const cardFee = (amountCents: Cents, brand: Brand, type: CardType, installments: number): Cents => {
  const fee = cardFees.find(
    (line) =>
      line.brand === brand &&
      line.type === type &&
      line.installmentsFrom <= installments &&
      installments <= line.installmentsTo,
  )
  assert(fee !== undefined, `${type} ${brand} has a fee for ${installments} instalments`)
  return basisPointsOf(amountCents, fee.percentBps)
}
