import { bounds } from '../bounds.ts'
import { type Columns, newColumns, type SegmentPaging } from '../columns.ts'
import { hashIn, mix } from '../hash.ts'
import {
  type KeyRun,
  newRunWriter,
  openRun,
  runValuesMax,
  type StoredRun,
  type ValueRange,
  valuesOfRun,
  visitRun,
  warmFilter,
} from './key-run.ts'
import { type KeySource, keySourceOf, mergeRuns } from './merge-runs.ts'
import {
  addKey,
  filteredRecords,
  goneFrom,
  keyRow,
  listedMore,
  newRecentKeys,
  type RecentKeys,
  recentKeySchema,
  sortedKeys,
  visitRecent,
} from './recent-keys.ts'

/**
 * A second key for a key, by which a row is known without a look at its state: both together are 80 bits, and among a hundred million keys of an
 * account some two are taken for one with a probability of 10⁻⁸.
 */
export const secondKey = (key: string): string => `${key}\u0000`

/**
 * Rows by key, of all tables of a shard: external ids, ids at other parties, documents, whatever an actor is looked up by. The
 * keys of late are in memory, older ones in sorted runs on disk. Only hashes are stored, so a caller checks the state.
 */
export type Keys = {
  /** Adds a row of a table, which its number tells, under a key. */
  readonly put: (table: number, key: string, row: number) => void
  /** Takes a row from under a key. */
  readonly remove: (table: number, key: string, row: number) => void
  /**
   * The rows that may have the key, in order, of a table with so many rows: under the same hash there may be one of another table, which has more of
   * them.
   */
  readonly find: (table: number, key: string, count: number) => readonly number[]
  /**
   * Adds a row to the list of a number, such as the payments of a payer. No filter knows of it, so lists cost no memory; a search reads a block of
   * each run. A row leaves no list: the reader of one checks its rows.
   */
  readonly addToList: (table: number, number: number, row: number) => void
  /** The rows that a list may have, in order, of a table with so many rows; null when they are more than `max`. */
  readonly listOf: (table: number, number: number, count: number, max: number) => readonly number[] | null
  /** What a snapshot has to write, as of now. */
  readonly freeze: () => FrozenKeys
  /** Takes stored records and runs, the newest run first. */
  readonly load: (number: number, records: Columns<unknown> | null, runs: readonly StoredRun[]) => void
  /** Runs that are worth being made one; null when there are none. */
  readonly toMerge: () => KeyMerge | null
  /** Reads filters into memory as far as that has room, step by step: the first looks for keys would wait for them. */
  readonly warm: () => Generator<void, void, undefined>
}

export type FrozenKeys = {
  /** The number of the records of late among stored columns, and they; null where they become a run. */
  readonly recent: { readonly number: number; readonly records: Columns<unknown> } | null
  /** Numbers of stored columns that no longer exist, with their records. */
  readonly dropped: readonly { readonly number: number; readonly records: Columns<unknown> }[]
  /** Records that become a run. */
  readonly sealed: SealedKeys | null
  readonly runs: readonly StoredRun[]
  /** Values of runs that were merged. */
  readonly replaced: readonly ValueRange[]
}

/** Writes a run in steps. */
export type RunWork = (
  value: number,
  put: (key: number, bytes: Buffer) => void,
) => Generator<void, KeyRun, undefined>

export type SealedKeys = {
  readonly valuesMax: number
  readonly write: RunWork
  readonly onWritten: (run: KeyRun) => void
}
/** A merge of runs; `onWritten` takes the new run in their place. */
export type KeyMerge = SealedKeys

export type KeysOptions = {
  /** How many keys of late become a run. */
  readonly recentMax?: number | undefined
  /** How many bits of hashes tell keys apart. Among few, hashes are those of several keys and tables, as in a shard with a hundred million keys. */
  readonly hashBits?: number | undefined
}

/** No keys. `newNumber` gives numbers of stored columns. */
export const newKeys = (
  seed: number,
  paging: SegmentPaging,
  newNumber: () => number,
  { recentMax = bounds.recentKeysMax, hashBits = 40 }: KeysOptions = {},
): Keys => {
  const { pager } = paging
  let number: number | null = null
  let recent = newRecentKeys(newColumns(recentKeySchema, paging))
  /** Records that are on their way to a run, with all those before. */
  let sealed: RecentKeys | null = null
  /** The newest first. */
  let runs: readonly KeyRun[] = []
  let replaced: ValueRange[] = []
  let isMerging = false

  const unused = Math.max(0, 32 - hashBits)
  const cut = (hash: number): number => hash >>> unused
  const moreOf = (hash: number): number => (hashBits > 32 ? hash % listedMore : 0)

  const write = (table: number, key: string, row: number): void => {
    const hash = hashIn(seed, table, key)
    addKey(recent, cut(hash[0]!), moreOf(hash[1]!), row + 1)
  }

  /** A hash that no other number of the table has. */
  const listHash = (table: number, number: number): number =>
    cut(mix(Math.imul(number, 0x9e3779b1) ^ mix(seed ^ table)))

  const find = (table: number, key: string, count: number): readonly number[] => {
    const hashes = hashIn(seed, table, key)
    const hash = cut(hashes[0]!)
    const more = moreOf(hashes[1]!)
    const rows: number[] = []
    let spoken: Set<number> | null = null
    let last = -1
    const visit = (found: number): void => {
      const isGone = found >= goneFrom
      const row = isGone ? found - goneFrom : found
      if (row === last || spoken?.has(row)) return
      if (last !== -1) spoken ??= new Set([last])
      spoken?.add(row)
      last = row
      if (!isGone && row <= count) rows.push(row - 1)
    }
    visitRecent(recent, hash, more, visit)
    if (sealed !== null) visitRecent(sealed, hash, more, visit)
    for (const run of runs) visitRun(run, hash, more, pager, visit)
    return rows.length > 1 ? rows.sort((a, b) => a - b) : rows
  }

  const listOf = (table: number, number: number, count: number, max: number): readonly number[] | null => {
    const hash = listHash(table, number)
    const rows: number[] = []
    const visit = (found: number): boolean => found > count || rows.push(found - 1) <= max
    visitRecent(recent, hash, listedMore, visit)
    if (sealed !== null) visitRecent(sealed, hash, listedMore, visit)
    for (const run of runs) if (rows.length <= max) visitRun(run, hash, listedMore, pager, visit)
    return rows.length > max ? null : rows.sort((a, b) => a - b)
  }

  const freeze = (): FrozenKeys => {
    const stored = runs.map((run) => run.stored)
    const gone = replaced
    replaced = []
    if (recent.records.count < recentMax || sealed !== null) {
      if (recent.records.count === 0)
        return { recent: null, dropped: [], sealed: null, runs: stored, replaced: gone }
      number ??= newNumber()
      return {
        recent: { number, records: recent.records },
        dropped: [],
        sealed: null,
        runs: stored,
        replaced: gone,
      }
    }
    const own = recent
    const dropped = number === null ? [] : [{ number, records: own.records }]
    sealed = own
    recent = newRecentKeys(newColumns(recentKeySchema, paging))
    number = null
    return { recent: null, dropped, sealed: sealing(own), runs: stored, replaced: gone }
  }

  const sealing = (own: RecentKeys): SealedKeys => ({
    valuesMax: runValuesMax(own.records.count),
    write: function* (value, put) {
      const records = sortedKeys(own)
      const writer = newRunWriter(value, filteredRecords(records), put)
      yield
      const source: KeySource = { blocks: 1, read: () => records }
      yield* mergeRuns([source], runs.length === 0, writer)
      return writer.end()
    },
    onWritten: (run) => {
      sealed = null
      runs = [run, ...runs]
    },
  })

  const toMerge = (): KeyMerge | null => {
    const meant = isMerging ? null : runsToMerge(runs)
    if (meant === null) return null
    isMerging = true
    const records = meant.reduce((sum, { stored }) => sum + stored.records, 0)
    const hashes = meant.reduce((sum, { stored }) => sum + stored.hashes, 0)
    const areOldest = meant.includes(runs.at(-1)!)
    return {
      valuesMax: runValuesMax(records),
      write: function* (value, put) {
        const writer = newRunWriter(value, hashes, put)
        yield* mergeRuns(
          meant.map((run) => keySourceOf(run, pager.read)),
          areOldest,
          writer,
        )
        return writer.end()
      },
      onWritten: (run) => {
        isMerging = false
        const at = runs.indexOf(meant[0]!)
        runs = [...runs.slice(0, at), run, ...runs.slice(at + meant.length)]
        replaced.push(...meant.map(({ stored }) => valuesOfRun(stored)))
      },
    }
  }

  return {
    put: (table, key, row) => write(table, key, keyRow(row, false)),
    remove: (table, key, row) => write(table, key, keyRow(row, true)),
    find,
    addToList: (table, number, row) => addKey(recent, listHash(table, number), listedMore, row + 1),
    listOf,
    freeze,
    load: (own, records, stored) => {
      number = records === null ? null : own
      if (records !== null) recent = newRecentKeys(records as RecentKeys['records'])
      runs = stored.map((run) => openRun(run, pager.read))
    },
    toMerge,
    warm: function* () {
      for (const run of runs) {
        const pieces = warmFilter(run, pager)
        // Between steps one may have been merged, and its pieces may be gone.
        while (runs.includes(run) && !pieces.next().done) yield
      }
    },
  }
}

/**
 * Some runs in a row of about one size: so many that each key is written again only when its run has become so many times as large, and so few
 * that a search asks few filters.
 */
const runsToMerge = (runs: readonly KeyRun[]): readonly KeyRun[] | null => {
  for (let end = runs.length; end >= runsOfOneSize; end--) {
    const some = runs.slice(end - runsOfOneSize, end)
    const sizes = some.map(({ stored }) => stored.records)
    if (Math.max(...sizes) <= runsOfOneSize * Math.min(...sizes)) return some
  }
  return null
}

const runsOfOneSize = 4
