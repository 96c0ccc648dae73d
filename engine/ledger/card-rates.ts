import { assert } from '../shared/assert.ts'

export const brands = ['VISA', 'MASTERCARD', 'ELO', 'AMEX', 'HIPERCARD', 'OTHER'] as const
export type Brand = (typeof brands)[number]
export type CardType = 'CREDIT' | 'DEBIT'

/** A company's rates for one brand, in basis points of the captured amount. */
export type CardRates = {
  /** For one instalment, for two to six, and for seven to twelve. */
  readonly credit: readonly [one: number, few: number, many: number]
  readonly debit: number
}

export const installmentsMax = 12
/** Two to this many instalments share a rate. */
const fewInstallmentsMax = 6

const rates = (one: number, few: number, many: number): CardRates => ({
  credit: [one, few, many],
  debit: 199,
})

/** Rates without an individual agreement (decisions, section 12). */
export const defaultCardRates: Readonly<Record<Brand, CardRates>> = {
  VISA: rates(319, 399, 459),
  MASTERCARD: rates(319, 399, 459),
  ELO: rates(369, 449, 509),
  AMEX: rates(399, 479, 539),
  HIPERCARD: rates(369, 449, 509),
  OTHER: rates(399, 479, 539),
}

/** The rate of a payment, in basis points. */
export const cardBps = ({ credit, debit }: CardRates, type: CardType, installments: number): number => {
  assert(
    installments >= 1 && installments <= installmentsMax,
    `there is a fee for ${installments} instalments`,
  )
  if (type === 'CREDIT') return credit[installments === 1 ? 0 : installments <= fewInstallmentsMax ? 1 : 2]
  assert(installments === 1, 'a debit card pays at once')
  return debit
}

/** A line of the fee table: a percentage of the captured amount, for a range of instalments. */
export type CardFee = {
  readonly brand: Brand
  readonly type: CardType
  readonly installmentsFrom: number
  readonly installmentsTo: number
  readonly percentBps: number
  /** Days until the first instalment is in the balance: calendar days for credit, business days for debit. */
  readonly settlementDays: number
}

/** The rates as a table for people to read. */
export const cardFeeLines = (cards: Readonly<Record<Brand, CardRates>>): readonly CardFee[] =>
  brands.flatMap((brand) => {
    const line = (
      type: CardType,
      installmentsFrom: number,
      installmentsTo: number,
      settlementDays: number,
    ): CardFee => ({
      brand,
      type,
      installmentsFrom,
      installmentsTo,
      percentBps: cardBps(cards[brand], type, installmentsTo),
      settlementDays,
    })
    return [
      line('CREDIT', 1, 1, 30),
      line('CREDIT', 2, fewInstallmentsMax, 30),
      line('CREDIT', fewInstallmentsMax + 1, installmentsMax, 30),
      line('DEBIT', 1, 1, 1),
    ]
  })
