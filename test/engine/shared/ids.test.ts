import t from 'tap'
import {
  accountIdOf,
  companyIdOf,
  environmentOf,
  eventIdAt,
  newId,
  randomAlphanumerics,
} from '../../../engine/shared/ids.ts'
import { seeded } from '../world.ts'

t.test('ids have the prefix and 26 characters of base32, and sort by time', async (t) => {
  const entropy = seeded(3)
  const ids = Array.from({ length: 200 }, (_, n) => newId('txn', 1_700_000_000_000 + n * 1000, entropy))
  t.strictSame([...ids].sort(), ids)
  t.equal(new Set(ids).size, 200)
  t.ok(ids.every((id) => /^txn_[0-9A-HJKMNP-TV-Z]{26}$/.test(id)))
})

t.test('the id of an event follows from its place alone', async (t) => {
  const places = [
    [0, 1, 0],
    [0, 1, 1],
    [0, 2, 0],
    [1, 1, 0],
    [32_767, 2 ** 49, 32_767],
  ] as const
  const ids = places.map(([shard, sequence, index]) => eventIdAt(1_700_000_000_000, shard, sequence, index))
  t.equal(new Set(ids).size, ids.length)
  t.equal(eventIdAt(1_700_000_000_000, 0, 1, 0), ids[0])
  t.ok(ids.every((id) => /^evt_[0-9A-HJKMNP-TV-Z]{26}$/.test(id)))
})

t.test('random text uses every character of its alphabet, about equally', async (t) => {
  const entropy = seeded(5)
  const counts = new Map<string, number>()
  for (let n = 0; n < 2000; n++) {
    for (const char of randomAlphanumerics(31, entropy)) counts.set(char, (counts.get(char) ?? 0) + 1)
  }
  t.equal(counts.size, 62)
  t.ok(Math.min(...counts.values()) > 800 && Math.max(...counts.values()) < 1200)
  t.equal(randomAlphanumerics(31, entropy).length, 31)
})

t.test('an account id holds its company and environment', async (t) => {
  const id = accountIdOf('cmp_1' as never, 'PRODUCTION')
  t.equal(companyIdOf(id), 'cmp_1')
  t.equal(environmentOf(id), 'PRODUCTION')
  t.equal(environmentOf(accountIdOf('cmp_1' as never, 'SANDBOX')), 'SANDBOX')
})
