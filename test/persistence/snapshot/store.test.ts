import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { applyEntry } from '../../../engine/engine.ts'
import type { Entry } from '../../../engine/kernel/entry.ts'
import { newId } from '../../../engine/shared/ids.ts'
import { touch, viewsAt } from '../../../persistence/base/columns.ts'
import { type Keys, newKeys } from '../../../persistence/base/keys/keys.ts'
import { newPager } from '../../../persistence/base/pager.ts'
import { tableDifferences } from '../../../persistence/index/compare.ts'
import { newReversalIndex } from '../../../persistence/index/reversals.ts'
import { newTables, type Tables } from '../../../persistence/index/tables.ts'
import { openMemory, type StoredMemory } from '../../../persistence/shard/memory.ts'
import { newReplyRegister } from '../../../persistence/snapshot/reply-register.ts'
import { newSnapshotWriter } from '../../../persistence/snapshot/snapshot-writer.ts'
import { emptyStore, openStore } from '../../../persistence/snapshot/store.ts'
import { newTableSnapshots } from '../../../persistence/snapshot/table-snapshots.ts'
import { seeded } from '../../engine/world.ts'
import { accountNumber, newHistory } from '../index/history.ts'

const folder = (t: Test): string => {
  const path = mkdtempSync(join(tmpdir(), 'store-'))
  t.teardown(() => rmSync(path, { recursive: true, force: true }))
  return path
}

const accountId = accountNumber(1)

/** A history with a way to live through it, on a memory of one's choice. */
const newLife = () => {
  const history = newHistory(11)
  const tell = (memory: StoredMemory, entry: Entry): void =>
    void applyEntry(memory, history.append(entry), entry)
  const births = (memory: StoredMemory, count: number): void => {
    for (let n = 0; n < count; n++) tell(memory, history.birth(accountId, history.appended()))
  }
  return { history, tell, births }
}

const differences = (expected: StoredMemory, found: StoredMemory): readonly string[] =>
  tableDifferences(expected.tableOf(accountId, 'transaction')!, found.tableOf(accountId, 'transaction'))

t.test('a snapshot that is cut short leaves the snapshot before it, and the next one is whole', async (t) => {
  const path = folder(t)
  const { history, tell, births } = newLife()
  const first = openStore(path, () => 5)
  const memory = openMemory(first, history)
  tell(memory, history.opening(accountId))
  births(memory, 9_000)
  await first.write(memory.takeSnapshot(history.appended()))
  const sequence = history.appended()
  const before = openMemory(emptyStore(5), history)
  for (let n = 1; n <= sequence; n++) applyEntry(before, n, history.at(n))

  births(memory, 3_000)
  const { id } = history.at(5).events[0]!
  tell(memory, history.change(memory.find('transaction', id)!.state, 1))
  const taken = memory.takeSnapshot(history.appended())
  const accounts = (function* () {
    yield* taken.accounts
    throw new Error('killed')
  })()
  await t.rejects(first.write({ ...taken, accounts: accounts as never }), /killed/)
  await first.close()

  const second = openStore(path, () => 6)
  t.equal(second.sequence(), sequence)
  t.equal(second.seed, 5)
  const reopened = openMemory(second, history)
  t.strictSame(differences(before, reopened), [])
  for (let n = sequence + 1; n <= history.appended(); n++) applyEntry(reopened, n, history.at(n))
  t.strictSame(differences(memory, reopened), [])
  await second.write(reopened.takeSnapshot(history.appended()))
  await second.close()

  const third = openStore(path, () => 7)
  t.equal(third.sequence(), history.appended())
  t.strictSame(differences(memory, openMemory(third, history)), [])
  await third.close()
})

t.test('requests run between the columns of a segment, and what they change is not in it', async (t) => {
  /** Writes 9,000 charges, with work of others wherever the writer yields. */
  const written = async (stopwatch: () => number, between: (memory: StoredMemory, turn: number) => void) => {
    const { history, tell, births } = newLife()
    const memory = openMemory(emptyStore(5), history)
    tell(memory, history.opening(accountId))
    births(memory, 9_000)
    const { tableSnapshots } = memory.takeSnapshot(history.appended())
    const stored = new Map<number, Buffer>()
    const writer = newSnapshotWriter(
      { next: 0 },
      Buffer.from(new ArrayBuffer(8 * 1024 * 1024)),
      async (key, bytes) => void stored.set(key, Buffer.from(bytes)),
      () => undefined,
      stopwatch,
    )
    let turns = 0
    let isDone = false
    const other = (): void => {
      if (isDone) return
      between(memory, turns++)
      setImmediate(other)
    }
    setImmediate(other)
    const records = []
    for (const table of tableSnapshots) records.push(await writer.write(table))
    isDone = true
    await writer.end()
    return { stored, records, turns }
  }
  const alone = await written(
    () => 0,
    () => undefined,
  )
  let ms = 0
  const changed = await written(
    () => ms++,
    (memory, turn) => {
      const { rows } = memory.tableOf(accountId, 'transaction')!
      touch(rows, turn)
      viewsAt(rows, turn).createdAtMs[turn] = -1
    },
  )
  t.ok(changed.turns > 40, `${changed.turns} turns`)
  t.strictSame(changed.stored, alone.stored)
  t.strictSame(changed.records, alone.records)
})

t.test('a snapshot writes only what changed', async (t) => {
  const { history, tell, births } = newLife()
  const store = emptyStore()
  const memory = openMemory(store, history)
  tell(memory, history.opening(accountId))
  births(memory, 13_000)
  const values = () =>
    memory.tableOf(accountId, 'transaction')!.rows.segments.map(({ stored }) => stored?.value)
  await store.write(memory.takeSnapshot(history.appended()))
  const before = values()
  t.equal(before.length, 4)
  const { id } = history.at(5000).events[0]!
  tell(memory, history.change(memory.find('transaction', id)!.state, 1))
  births(memory, 1)
  await store.write(memory.takeSnapshot(history.appended()))
  const after = values()
  t.strictSame(
    after.map((value, n) => value === before[n]),
    [true, false, true, false],
  )
  t.strictSame(differences(memory, openMemory(store, history)), [])
})

t.test('what is cleared leaves the store with its values', async (t) => {
  const { history, tell, births } = newLife()
  const store = emptyStore()
  const memory = openMemory(store, history)
  tell(memory, history.opening(accountId))
  births(memory, 20)
  await store.write(memory.takeSnapshot(history.appended()))
  tell(memory, history.clearing(accountId))
  await store.write(memory.takeSnapshot(history.appended()))
  const tables = [...store.tableSnapshots()].filter(({ head }) => head.of === 'table')
  t.strictSame(tables, [])
  t.equal(openMemory(store, history).tableOf(accountId, 'transaction'), undefined)
  t.strictSame(store.cleared(), [[accountId, history.appended()]])
})

t.test(
  'parts are found by their ids and by their kind, also after a load, until their account is cleared',
  async (t) => {
    const entropy = seeded(3)
    const store = emptyStore()
    const opened = () => {
      const paging = { pager: newPager(Number.POSITIVE_INFINITY, store.read) }
      const keys: Keys = newKeys(0, paging, () => tables.newNumber())
      const tables: Tables = newTables(0, paging, keys)
      const tableSnapshots = newTableSnapshots(tables, newReplyRegister(paging), keys, paging)
      tableSnapshots.load(store.tableSnapshots(), store.keyRuns())
      return { tables, tableSnapshots, parts: newReversalIndex(tables, keys) }
    }
    const { tables, tableSnapshots, parts } = opened()
    const { history, tell, births } = newLife()
    const memory = openMemory(emptyStore(), history)
    tell(memory, history.opening(accountId))
    births(memory, 1)
    const table = tables.open(accountId, 'transaction')
    tableSnapshots.change(table)
    const refunds = Array.from({ length: 20 }, () => newId('rcv', 1_700_000_000_000, entropy))
    refunds.forEach((id, n) => {
      parts.put(table, n, { id, countsAtMs: null }, 100 + n)
      parts.put(table, n, { id, countsAtMs: 5000 + n }, 999)
    })
    const chargeback = newId('set', 1_700_000_000_000, entropy)
    parts.put(table, 3, { id: chargeback, countsAtMs: null }, 200)
    await store.write({ sequence: 1, accounts: [], cleared: [], ...tableSnapshots.freeze() })

    const { tables: others, parts: loaded } = opened()
    for (const known of [parts, loaded]) {
      t.strictSame(
        known.of(accountId, 'rcv'),
        refunds.map((id, n) => ({ id, createdSequence: 100 + n })),
        'oldest first, each once',
      )
      t.strictSame(known.of(accountId, 'set'), [{ id: chargeback, createdSequence: 200 }])
      t.strictSame(known.of(accountId, 'med'), [])
      t.strictSame(
        known.of(accountId, 'rcv', { fromMs: 5005, toMs: 5008 }).map(({ id }) => id),
        refunds.slice(5, 8),
        'those that count in a time',
      )
      t.strictSame(known.of(accountId, 'set', { fromMs: 0, toMs: 9e15 }), [], 'and none that does not count')
      t.equal(known.transactionRowOf(refunds[7]!)?.row, 7)
      t.equal(known.transactionRowOf(newId('rcv', 1, entropy)), undefined)
    }
    others.drop(accountId)
    t.equal(loaded.transactionRowOf(refunds[7]!), undefined)
  },
)

t.test('who waits for an answer is found among all', async (t) => {
  const { history, tell, births } = newLife()
  const store = emptyStore()
  const memory = openMemory(store, history)
  tell(memory, history.opening(accountId))
  births(memory, 5_000)
  t.strictSame([...memory.awaitingProvider()], [])
  const table = memory.tableOf(accountId, 'transaction')!
  for (const row of [3, 4_500]) {
    viewsAt(table.rows, row).awaitsProvider[row & table.rows.schema.mask] = 1
    table.segmentStats[row >>> table.rows.schema.bits]!.awaiting += 1
  }
  const expected = [3, 4_500].map((row) => history.at(row + 2).events[0]!.id)
  t.strictSame([...memory.awaitingProvider()], expected)
  await store.write(memory.takeSnapshot(history.appended()))
  t.strictSame([...openMemory(store, history).awaitingProvider()], expected, 'after a load too')
})
