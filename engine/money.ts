import { assert } from './assert.ts'

declare const cents: unique symbol

/** An integer number of centavos of one charge. Sums over many charges are `bigint`. */
export type Cents = number & { readonly [cents]: true }

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
