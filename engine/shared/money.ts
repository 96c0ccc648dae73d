import { assert } from './assert.ts'

declare const cents: unique symbol

/**
 * Whole centavos of one charge; where the currency is a stablecoin, millionths of it (dashboard, section 3.1). Sums over many charges
 * are `bigint`.
 */
export type Cents = number & { readonly [cents]: true }

/** Casts a whole number to centavos. Throws when it is not whole or not exact. */
export const toCents = (value: number): Cents => {
  assert(Number.isSafeInteger(value), `${value} is a whole number of centavos`)
  return value as Cents
}

/** Rounds n/d half up, for n ≥ 0: floor((2n + d) / (2d)). Used for fees and averages. */
export const roundHalfUp = (n: bigint, d: bigint): bigint => {
  assert(n >= 0n && d > 0n, 'roundHalfUp takes n ≥ 0 and d > 0')
  return (2n * n + d) / (2n * d)
}

/** A share of an amount in basis points (1/100 of a percent), rounded half up. */
export const basisPointsOf = (amount: Cents, bps: number): Cents =>
  toCents(Number(roundHalfUp(BigInt(amount) * BigInt(bps), 10_000n)))

/** A share of an amount in basis points, rounded down, so that a payer is never asked for a fraction more. */
export const basisPointsDown = (amount: Cents, bps: number): Cents =>
  toCents(Number((BigInt(amount) * BigInt(bps)) / 10_000n))

/**
 * Splits a total by weights, exact to the centavo: each gets the whole part of its share, and the rest goes one each to
 * the largest remainders, the earlier first on ties. Empty when all weights are zero.
 *
 * Each partial reversal is split over what the parties still hold, so that none gives more than it has and the last one
 * leaves exactly nothing (decisions, section 1). Splitting the sum of all reversals and subtracting would not.
 */
export const allocate = (total: Cents, weights: readonly Cents[]): readonly Cents[] => {
  const sum = weights.reduce((sum, weight) => sum + BigInt(weight), 0n)
  if (sum === 0n) return weights.map(() => toCents(0))
  const exact = weights.map((weight) => BigInt(total) * BigInt(weight))
  const shares = exact.map((product) => product / sum)
  const missing = Number(BigInt(total) - shares.reduce((sum, share) => sum + share, 0n))
  const byRemainder = exact
    .map((product, place) => ({ place, remainder: product % sum }))
    .sort((a, b) => (a.remainder === b.remainder ? a.place - b.place : a.remainder > b.remainder ? -1 : 1))
  for (const { place } of byRemainder.slice(0, missing)) shares[place]! += 1n
  return shares.map((share) => toCents(Number(share)))
}

/** An amount in equal instalments; leftover centavos go one each to the first ones (decisions, section 16). */
export const inInstallments = (amount: Cents, count: number): readonly Cents[] => {
  assert(Number.isInteger(count) && count >= 1, 'there is at least one instalment')
  const base = Math.floor(amount / count)
  return Array.from({ length: count }, (_, n) => toCents(base + (n < amount % count ? 1 : 0)))
}
