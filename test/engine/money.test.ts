import t from 'tap'
import { basisPointsOf, roundHalfUp, toCents } from '../../engine/money.ts'

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
