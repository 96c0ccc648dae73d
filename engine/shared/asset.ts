import type { Asset } from './method.ts'
import { type Cents, toCents } from './money.ts'

/** The networks that carry stablecoins (dashboard, section 3.1). */
export const chainNetworks = ['TRON', 'ETHEREUM', 'POLYGON', 'BASE', 'SOLANA'] as const
export type Network = (typeof chainNetworks)[number]

/** The networks on which each stablecoin has six decimals, so that its smallest unit is a millionth everywhere. */
export const networksOf: Readonly<Record<Asset, readonly Network[]>> = {
  USDT: ['TRON', 'ETHEREUM', 'POLYGON'],
  USDC: ['ETHEREUM', 'POLYGON', 'BASE', 'SOLANA'],
}

export const assets = Object.keys(networksOf) as readonly Asset[]

/** The largest amount of a stablecoin that is moved at once, in millionths: fifteen digits, which numbers hold exactly. */
export const unitsMax = toCents(999_999_999_999_999)

/** A price in reais for one of an asset, in millionths of a real. */
export type RateMicros = number & { readonly [rate]: true }
declare const rate: unique symbol

/** Casts a whole number of millionths of a real to a rate. */
export const toRateMicros = (value: number): RateMicros => toCents(value) as number as RateMicros

/** The millionths of an asset that cost so many centavos, rounded up. */
export const unitsFor = (cents: Cents, rateMicros: RateMicros): bigint =>
  (BigInt(cents) * scale + BigInt(rateMicros) - 1n) / BigInt(rateMicros)

/** The millionths of an asset that so many centavos buy, rounded down. */
export const unitsBoughtWith = (cents: Cents, rateMicros: RateMicros): bigint =>
  (BigInt(cents) * scale) / BigInt(rateMicros)

/** The centavos that so many millionths of an asset are worth, rounded down. */
export const centsWorth = (units: Cents, rateMicros: RateMicros): bigint =>
  (BigInt(units) * BigInt(rateMicros)) / scale

/** The same rounded up: more than a limit in centavos exactly where the units are worth more. */
export const worthAtLeast = (units: Cents, rateMicros: RateMicros): Cents =>
  toCents(Number((BigInt(units) * BigInt(rateMicros) + scale - 1n) / scale))

/** A centavo is a hundredth; units and rates are millionths: 10⁶ · 10⁶ / 10². */
const scale = 10n ** 10n

/** Millionths as a decimal number with six decimals. */
export const decimalOf = (units: number): string => {
  const digits = String(Math.abs(units)).padStart(7, '0')
  return `${units < 0 ? '-' : ''}${digits.slice(0, -6)}.${digits.slice(-6)}`
}

/** The same without zeros at its end, as rates are written. */
export const shortDecimalOf = (micros: number): string => decimalOf(micros).replace(/\.?0+$/, '')

/** The millionths of a decimal number with at most six decimals; null for any other text. */
export const readDecimal = (text: string): number | null => {
  const found = /^(0|[1-9]\d{0,8})(?:\.(\d{1,6}))?$/.exec(text)
  return found === null ? null : Number(found[1]! + (found[2] ?? '').padEnd(6, '0'))
}
