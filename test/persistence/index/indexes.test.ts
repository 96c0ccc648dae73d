import t from 'tap'
import { newId } from '../../../engine/shared/ids.ts'
import { addHashed, findHashed, newHashIndex } from '../../../persistence/base/hash-index.ts'
import { compareIds, hashAt, idAt, isIdAt, packId } from '../../../persistence/base/packed-id.ts'
import { seeded } from '../../engine/world.ts'

t.test('an id comes back from 16 bytes, and packed ids are in the order of their texts', async (t) => {
  const entropy = seeded(5)
  const ids = Array.from({ length: 3000 }, (_, n) => newId('txn', 1_700_000_000_000 + (n % 7), entropy))
  ids.push(`txn_${'0'.repeat(26)}` as never, `txn_7${'Z'.repeat(25)}` as never)
  const packed = new Uint32Array(4 * ids.length)
  ids.forEach((id, n) => {
    packed.set(packId('txn', id)!, 4 * n)
  })
  const order = [...ids.keys()].sort((a, b) => compareIds(packed, a, packed, b))
  t.strictSame(
    order.map((n) => idAt('txn', packed, n)),
    [...ids].sort(),
  )
  t.ok(ids.every((id, n) => isIdAt(packed, n, packId('txn', id)!)))
  t.equal(
    new Set(ids.map((_, n) => hashAt(packed, n))).size,
    ids.length,
    'hashes of so few are all different',
  )
})

t.test('what has not the shape of an id is none', async (t) => {
  const id = `txn_${'0'.repeat(26)}`
  t.ok(packId('txn', id))
  for (const wrong of [
    '',
    'txn_1',
    `${id}0`,
    `rcv_${id.slice(4)}`,
    `txn-${id.slice(4)}`,
    `txn_8${'0'.repeat(25)}`,
    `txn_${'0'.repeat(25)}U`,
    `txn_${'0'.repeat(25)}a`,
    `txn_${'0'.repeat(25)}é`,
  ])
    t.equal(packId('txn', wrong), null, wrong)
  t.equal(packId('rpx', id), null)
})

t.test('an index finds every value by its hash, whatever else has it', async (t) => {
  const entropy = seeded(9)
  const hashes: number[] = []
  const index = newHashIndex((value) => hashes[value]!)
  const valuesOf = (hash: number): number[] => {
    const found: number[] = []
    findHashed(index, hash, (value) => {
      if (hashes[value] === hash) found.push(value)
      return false
    })
    return found
  }
  // Many values of one hash cannot be split; neighbours in their low bits can.
  for (let n = 0; n < 20_000; n++) {
    const hash = n % 4 === 0 ? 77 : n % 4 === 1 ? (77 | (entropy() << 12)) >>> 0 : entropy()
    addHashed(index, hash, hashes.push(hash) - 1)
  }
  const expected = new Map<number, number[]>()
  hashes.forEach((hash, value) => {
    expected.set(hash, [...(hash === 77 ? [] : (expected.get(hash) ?? [])), value])
  })
  const wrong = [...expected].filter(
    ([hash, values]) => hash !== 77 && valuesOf(hash).join() !== values.join(),
  )
  t.strictSame(wrong, [])
  t.equal(valuesOf(77).length, hashes.filter((hash) => hash === 77).length)
  t.equal(
    findHashed(index, 123_456_789, () => true),
    -1,
  )
})

t.test(
  'what an index is told to forget is gone when it grows, and room that was expected is enough',
  async (t) => {
    const entropy = seeded(2)
    const hashes = Array.from({ length: 10_000 }, entropy)
    for (const expected of [0, 10_000]) {
      let isForgetful = false
      const index = newHashIndex(
        (value) => (isForgetful && value % 2 === 0 ? null : hashes[value]!),
        expected,
      )
      for (let value = 0; value < 5_000; value++) addHashed(index, hashes[value]!, value)
      isForgetful = true
      for (let value = 5_000; value < 10_000; value++) addHashed(index, hashes[value]!, value)
      const lost = hashes.filter(
        (hash, value) => value % 2 === 1 && findHashed(index, hash, (other) => other === value) !== value,
      )
      t.strictSame(lost, [])
    }
  },
)
