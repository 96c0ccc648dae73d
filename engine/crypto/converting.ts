import { centsWorth, type RateMicros, unitsBoughtWith } from '../shared/asset.ts'
import type { Currency } from '../shared/method.ts'
import { basisPointsOf, type Cents, toCents } from '../shared/money.ts'

/** What a conversion gives and takes (dashboard, section 3.3). Fee and tax are in reais. */
export type Converted = {
  readonly fromCents: Cents
  readonly toCents: Cents
  readonly feeCents: Cents
  readonly taxCents: Cents
}

/** Which way a conversion goes, and at which price. */
export type Pricing = {
  readonly fromCurrency: Currency
  readonly toCurrency: Currency
  readonly rateMicros: RateMicros
  readonly taxCents: Cents
}

const feeBps = 25
/** Above this an amount has more digits than the API takes. */
const centsMax = 999_999_999_999
const unitsMax = 999_999_999_999_999

/** Converts a given amount; null if nothing would be left, or if an amount would be too large. */
export const convertedFrom = (fromCents: Cents, pricing: Pricing): Converted | null => {
  const { fromCurrency, rateMicros, taxCents } = pricing
  const gross = fromCurrency === 'BRL' ? fromCents : exact(centsWorth(fromCents, rateMicros))
  if (gross === null || !fits(pricing.fromCurrency, fromCents)) return null
  const feeCents = basisPointsOf(gross, feeBps)
  const net = gross - feeCents - taxCents
  if (net <= 0) return null
  const to = fromCurrency === 'BRL' ? exact(unitsBoughtWith(toCents(net), rateMicros)) : toCents(net)
  if (to === null || to === 0 || !fits(pricing.toCurrency, to)) return null
  return { fromCents, toCents: to, feeCents, taxCents }
}

/** Converts the smallest amount that gives at least the wanted one; null as above. */
export const convertedTo = (wantedCents: Cents, pricing: Pricing): Converted | null => {
  const { fromCurrency, rateMicros, taxCents } = pricing
  const rate = BigInt(rateMicros)
  const net = fromCurrency === 'BRL' ? ceiling(BigInt(wantedCents) * rate, scale) : BigInt(wantedCents)
  const gross = smallestGross(net + BigInt(taxCents))
  const from = exact(fromCurrency === 'BRL' ? gross : ceiling(gross * scale, rate))
  return from === null ? null : convertedFrom(from, pricing)
}

/** The smallest gross amount that leaves this net. A centavo more raises the fee by one centavo at most. */
const smallestGross = (net: bigint): bigint => {
  let gross = (net * 10_000n) / BigInt(10_000 - feeBps)
  if (gross > BigInt(unitsMax)) return gross
  const leaves = (gross: bigint): bigint => gross - BigInt(basisPointsOf(toCents(Number(gross)), feeBps))
  while (gross > 0n && leaves(gross - 1n) >= net) gross--
  while (leaves(gross) < net) gross++
  return gross
}

const ceiling = (n: bigint, d: bigint): bigint => (n + d - 1n) / d
const scale = 10n ** 10n

const exact = (value: bigint): Cents | null => (value > BigInt(unitsMax) ? null : toCents(Number(value)))

const fits = (currency: Currency, cents: number): boolean =>
  cents <= (currency === 'BRL' ? centsMax : unitsMax)
