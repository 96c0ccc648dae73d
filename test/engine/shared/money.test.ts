import fc from 'fast-check'
import t from 'tap'
import {
  allocate,
  basisPointsDown,
  basisPointsOf,
  inInstallments,
  roundHalfUp,
  toCents,
} from '../../../engine/shared/money.ts'
import { seeded } from '../world.ts'

t.test('halves round up, and everything else to the nearest', async (t) => {
  t.equal(roundHalfUp(1n, 2n), 1n)
  t.equal(roundHalfUp(3n, 2n), 2n)
  t.equal(roundHalfUp(149n, 100n), 1n)
  t.equal(roundHalfUp(0n, 7n), 0n)
  t.throws(() => roundHalfUp(-1n, 2n))
})

t.test('basis points of an amount are exact where floating point is not', async (t) => {
  t.equal(basisPointsOf(toCents(10_000), 99), 99)
  t.equal(basisPointsOf(toCents(50), 99), 0)
  t.equal(basisPointsOf(toCents(51), 99), 1)
  t.equal(basisPointsOf(toCents(999_999_999_999), 99), 9_900_000_000)
})

t.test('a fraction of a centavo is refused', async (t) => {
  t.throws(() => toCents(0.1))
  t.throws(() => toCents(2 ** 53))
})

const cents = (values: readonly number[]) => values.map(toCents)

t.test('a total is split to the centavo, by largest remainder, the earlier first', async (t) => {
  t.strictSame(allocate(toCents(100), cents([1, 1, 1])), [34, 33, 33])
  t.strictSame(allocate(toCents(25), cents([15, 15, 9, 5, 5, 2])), [7, 7, 4, 3, 3, 1])
  t.strictSame(allocate(toCents(26), cents([15, 15, 9, 5, 5, 2])), [8, 8, 5, 2, 2, 1])
  t.strictSame(allocate(toCents(5), cents([0, 0])), [0, 0])
  t.strictSame(allocate(toCents(999_999_999_999), cents([999_999_999_999, 1])), [999_999_999_998, 1])
})

t.test('every share is its exact part, rounded up or down, and together they are the total', async (t) => {
  const weight = fc.oneof(fc.nat({ max: 9 }), fc.nat({ max: 999_999_999_999 }))
  const property = fc.property(
    fc.nat({ max: 999_999_999_999 }),
    fc.array(weight, { minLength: 1, maxLength: 13 }),
    (total, weights) => {
      const sum = weights.reduce((sum, weight) => sum + BigInt(weight), 0n)
      const shares = allocate(toCents(total), cents(weights))
      const isExact = shares.every((share, n) => {
        const down = sum === 0n ? 0n : (BigInt(total) * BigInt(weights[n]!)) / sum
        return BigInt(share) === down || (sum > 0n && weights[n]! > 0 && BigInt(share) === down + 1n)
      })
      const whole = shares.reduce((sum, share) => sum + share, 0)
      return isExact && whole === (sum === 0n ? 0 : total)
    },
  )
  t.doesNotThrow(() => fc.assert(property, { numRuns: 2000, seed: 1 }))
})

t.test('partial reversals never take more than is held, and end at nothing', async (t) => {
  const random = seeded(5)
  for (let round = 0; round < 2000; round++) {
    let held = cents(Array.from({ length: 1 + (random() % 6) }, () => random() % 1000))
    let left = held.reduce((sum, part) => sum + part, 0)
    while (left > 0) {
      const part = 1 + (random() % left)
      const shares = allocate(toCents(part), held)
      if (shares.some((share, n) => share < 0 || share > held[n]!)) t.fail(`${part} of ${held}`)
      if (shares.reduce((sum, share) => sum + share, 0) !== part) t.fail(`${part} of ${held} is not whole`)
      held = held.map((whole, n) => toCents(whole - shares[n]!))
      left -= part
    }
    if (held.some((part) => part !== 0)) t.fail('something is left')
  }
})

t.test('instalments add up; the first ones take what is left over', async (t) => {
  t.strictSame(inInstallments(toCents(10_000), 3), [3334, 3333, 3333])
  t.strictSame(inInstallments(toCents(11), 12), [1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0])
  t.throws(() => inInstallments(toCents(1), 0))
})

t.test('rounded down', async (t) => {
  t.equal(basisPointsDown(toCents(99_999), 200), 1999)
})
