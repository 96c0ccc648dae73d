import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { open } from 'lmdb'
import t, { type Test } from 'tap'
import {
  columnKey,
  columnsFrom,
  type SegmentPaging,
  storedKeysOf,
} from '../../../../persistence/base/columns.ts'
import {
  type KeyRun,
  openRun,
  type StoredRun,
  visitRun,
  warmFilter,
} from '../../../../persistence/base/keys/key-run.ts'
import { type Keys, newKeys } from '../../../../persistence/base/keys/keys.ts'
import { recentKeySchema } from '../../../../persistence/base/keys/recent-keys.ts'
import { newPager } from '../../../../persistence/base/pager.ts'
import { newTables, type Tables } from '../../../../persistence/index/tables.ts'
import { newReplyRegister } from '../../../../persistence/snapshot/reply-register.ts'
import { openStore, type Store } from '../../../../persistence/snapshot/store.ts'
import { newTableSnapshots } from '../../../../persistence/snapshot/table-snapshots.ts'
import { seeded } from '../../../engine/world.ts'

const folder = (t: Test): string => {
  const path = mkdtempSync(join(tmpdir(), 'keys-'))
  t.teardown(() => rmSync(path, { recursive: true, force: true }))
  return path
}

/** Keys on top of a store, which become a run when there are a thousand of them. */
const opened = (store: Store, recentMax = 1000) => {
  const paging: SegmentPaging = { pager: newPager(200_000, store.read) }
  const keys: Keys = newKeys(store.seed, paging, () => tables.newNumber(), { recentMax })
  const tables: Tables = newTables(store.seed, paging, keys)
  const snapshots = newTableSnapshots(tables, newReplyRegister(paging), keys, paging)
  snapshots.load(store.tableSnapshots(), store.keyRuns())
  return { keys, snapshots }
}

const never = (): boolean => false

t.test(
  'a row is found under its keys, through runs, merges and restarts, until it leaves them',
  async (t) => {
    const path = folder(t)
    const entropy = seeded(4)
    const random = (below: number): number => entropy() % below
    let store = openStore(path, entropy)
    let { keys, snapshots } = opened(store)
    const model = new Map<string, Set<number>>()
    let runsMax = 0
    let isSettled = true
    const compare = (own: Keys): readonly string[] =>
      [...model].flatMap(([name, rows]) => {
        const [table, key] = name.split(' ')
        const found = own.find(Number(table), key!, 50_000).join()
        const expected = [...rows].sort((a, b) => a - b).join()
        return found === expected ? [] : [`${name}: ${found} instead of ${expected}`]
      })
    for (let sequence = 1; sequence <= 60; sequence++) {
      for (let n = 0; n < 500; n++) {
        const table = 1 + random(3)
        const key = random(20) === 0 ? 'common' : `key-${random(4000)}`
        const name = `${table} ${key}`
        const rows = model.get(name) ?? new Set()
        model.set(name, rows)
        const row = random(50_000)
        const [known] = rows
        if (known !== undefined && random(3) === 0) {
          keys.remove(table, key, known)
          rows.delete(known)
        } else if (!rows.has(row)) {
          keys.put(table, key, row)
          rows.add(row)
        }
      }
      const taken = snapshots.freeze()
      const write = store.write({ sequence, accounts: [], cleared: [], ...taken })
      if (sequence % 10 === 0) t.strictSame(compare(keys), [], 'while they are being written')
      await write
      const merge = random(3) === 0 ? null : keys.toMerge()
      if (merge !== null && random(4) === 0) {
        // Left in the middle, as at the end of a process.
        await store.merge(merge, () => true)
        isSettled = false
      } else if (merge !== null) await store.merge(merge, never)
      runsMax = Math.max(runsMax, store.keyRuns().length)
      if (isSettled && random(6) !== 0) continue
      t.strictSame(compare(keys), [], `before restart ${sequence}`)
      await store.close()
      store = openStore(path, entropy)
      ;({ keys, snapshots } = opened(store))
      isSettled = true
      t.strictSame(compare(keys), [], `after restart ${sequence}`)
    }
    t.ok(runsMax > 3, 'there were runs to merge')
    t.strictSame(compare(keys), [])
    await store.close()
  },
)

t.test('what merges leave behind, finished or not, is removed from the disk', async (t) => {
  const path = folder(t)
  const entropy = seeded(8)
  let store = openStore(path, entropy)
  let { keys, snapshots } = opened(store)
  const write = async (sequence: number, count: number): Promise<void> => {
    for (let n = 0; n < count; n++) keys.put(1, `key-${sequence}-${n}`, n)
    await store.write({ sequence, accounts: [], cleared: [], ...snapshots.freeze() })
  }
  for (let sequence = 1; sequence <= 4; sequence++) await write(sequence, 1500)
  await store.merge(keys.toMerge()!, () => true)
  await write(5, 10)
  await store.close()
  store = openStore(path, entropy)
  ;({ keys, snapshots } = opened(store))
  await write(6, 10)
  await store.merge(keys.toMerge()!, never)
  await write(7, 10)
  const [run] = store.keyRuns()
  t.equal(store.keyRuns().length, 1)
  t.equal(run!.records, 6000)
  // What is stored: the run's values, and the columns of keys of late.
  await store.close()
  const root = open<Buffer, string>({ path, encoding: 'binary', maxDbs: 8 })
  const values = root.openDB<Buffer, number>({ name: 'values', encoding: 'binary' })
  const first = columnKey(run!.value, 0)
  t.strictSame(
    [...values.getKeys()].filter((key) => key < first),
    [],
    'nothing is left before the run',
  )
  await root.close()
})

t.test('a key that a run lacks costs a read once in hundreds of times', async (t) => {
  const store = openStore(folder(t), seeded(2))
  const { keys, snapshots } = opened(store)
  for (let n = 0; n < 30_000; n++) keys.put(1, `key-${n}`, n)
  await store.write({ sequence: 1, accounts: [], cleared: [], ...snapshots.freeze() })
  let reads = 0
  const read = (key: number): Uint8Array => {
    reads += 1
    return store.read(key)
  }
  const run = openRun(store.keyRuns()[0] as StoredRun, read)
  const pager = newPager(1_000_000, read)
  for (const _ of warmFilter(run, pager)) t.ok(pager.held > 0, 'the filter is held within the budget')
  reads = 0
  const entropy = seeded(3)
  for (let n = 0; n < 20_000; n++) visitRun(run, entropy(), entropy() & 255, pager, () => undefined)
  t.ok(reads < 20_000 / 200, `${reads} reads`)
  await store.close()
})

t.test('filters are read step by step while their runs are merged and leave the disk', async (t) => {
  const store = openStore(folder(t), seeded(6))
  const { keys, snapshots } = opened(store)
  const write = async (sequence: number): Promise<void> => {
    for (let n = 0; n < 1500; n++) keys.put(1, `key-${sequence}-${n}`, n)
    await store.write({ sequence, accounts: [], cleared: [], ...snapshots.freeze() })
  }
  for (let sequence = 1; sequence <= 4; sequence++) await write(sequence)
  const { value } = store.keyRuns()[3]!
  const steps = keys.warm()
  t.notOk(steps.next().done)
  await store.merge(keys.toMerge()!, never)
  await write(5)
  t.throws(() => store.read(columnKey(value, 0)), 'what was merged is gone')
  t.strictSame([...steps], [], 'and is not read')
  t.strictSame(keys.find(1, 'key-2-7', 2000), [7])
  await store.close()
})

t.test('a damaged run is noticed where it is read', async (t) => {
  const store = openStore(folder(t), seeded(2))
  const { keys, snapshots } = opened(store)
  for (let n = 0; n < 2_000; n++) keys.put(1, `key-${n}`, n)
  await store.write({ sequence: 1, accounts: [], cleared: [], ...snapshots.freeze() })
  const [stored] = store.keyRuns()
  const damaged = (key: number): Uint8Array => {
    const bytes = Uint8Array.from(store.read(key))
    bytes[bytes.length - 1]! ^= 1
    return bytes
  }
  t.throws(() => openRun(stored!, damaged), /damaged at/)
  const run = openRun(stored!, store.read)
  t.throws(() => {
    for (let hash = 0; hash < 2 ** 32; hash += 2 ** 20)
      for (let more = 0; more < 256; more++) visitRun(run, hash, more, newPager(0, damaged), () => undefined)
  }, /damaged at/)
  await store.close()
})

t.test('a row of another table under the same hash is none of a table with fewer rows', async (t) => {
  const store = openStore(folder(t), () => 1)
  t.equal(store.seed, 1)
  const { keys, snapshots } = opened(store)
  keys.put(1, 'own-1857996', 30_000_000)
  keys.addToList(1, 414_561, 30_000_000)
  const found = (count: number) => [
    keys.find(2, 'other-1583703', count),
    keys.listOf(2, 13_846, count, 10),
    keys.listOf(2, 13_846, count, 0),
  ]
  const compare = (where: string): void => {
    t.strictSame(found(30_000_001), [[30_000_000], [30_000_000], null], `these hashes are the same, ${where}`)
    t.strictSame(found(30_000_000), [[], [], []], where)
  }
  compare('of late')
  for (let n = 0; n < 2_000; n++) keys.put(1, `key-${n}`, n)
  await store.write({ sequence: 1, accounts: [], cleared: [], ...snapshots.freeze() })
  t.equal(store.keyRuns().length, 1)
  compare('in a run')
  await store.close()
})

t.test('a run is looked into before the records that it is made of leave the disk', async (t) => {
  const store = openStore(folder(t), seeded(5))
  const { keys, snapshots } = opened(store, 30_000)
  const put = (from: number, to: number): void => {
    for (let n = from; n < to; n++) keys.put(1, `key-${n}`, n)
  }
  put(0, 20_000)
  await store.write({ sequence: 1, accounts: [], cleared: [], ...snapshots.freeze() })
  put(20_000, 40_000)
  const taken = snapshots.freeze()
  const { sealed, dropped } = taken.keys
  const [stored] = dropped[0]!.records.segments.flatMap((segment) => storedKeysOf(segment))
  const onWritten = (run: KeyRun): void => {
    sealed!.onWritten(run)
    t.ok(store.read(stored!).length > 0, 'what left memory is still read from there until now')
    t.strictSame(keys.find(1, 'key-5', 40_000), [5])
  }
  const own = { ...taken, keys: { ...taken.keys, sealed: { ...sealed!, onWritten } } }
  await store.write({ sequence: 2, accounts: [], cleared: [], ...own })
  t.equal(store.keyRuns().length, 1)
  t.throws(() => store.read(stored!))
  await store.close()
})

t.test('records of late come back from the snapshot', async (t) => {
  const store = openStore(folder(t), seeded(2))
  const { keys, snapshots } = opened(store)
  keys.put(7, 'a', 3)
  keys.remove(7, 'a', 3)
  keys.put(7, 'b', 4)
  await store.write({ sequence: 1, accounts: [], cleared: [], ...snapshots.freeze() })
  const again = opened(store)
  t.strictSame(again.keys.find(7, 'a', 5), [])
  t.strictSame(again.keys.find(7, 'b', 5), [4])
  t.strictSame(again.keys.find(7, 'b', 4), [], 'of a table with fewer rows')
  t.strictSame(again.keys.find(8, 'b', 5), [], 'of its table alone')
  const [stored] = [...store.tableSnapshots()]
  const paging: SegmentPaging = { pager: newPager(1000, store.read) }
  t.equal(columnsFrom(recentKeySchema, stored!.columns.records!, paging).count, 3)
  await store.close()
})
