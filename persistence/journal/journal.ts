import { type Database, open } from 'lmdb'
import type { Journal } from '../../engine/kernel/ports.ts'
import { assert } from '../../engine/shared/assert.ts'
import { batchSize, packBatch, unpackFromBatch } from '../codec/codec.ts'
import type { Layout } from '../codec/layout.ts'
import { requireSpace } from '../disk-space.ts'
import { limits } from '../limits.ts'
import { newBatchCache, type StoredBatch } from './batch-cache.ts'

export type JournalMetrics = {
  commits: number
  entries: number
  bytes: number
  /** Receives the duration of each group commit. */
  readonly onCommit?: (ms: number) => void
}

/** Where a journal stores group commits: one value each, keyed by the sequence of its first entry. */
export type BatchStore = {
  readonly db: BatchDatabase
  /** Longer ones are written in pieces. */
  readonly valueBytesMax: number
  /** Resolves when the batch is as safe as this journal promises. */
  readonly write: (first: number, value: Buffer) => Promise<unknown>
  readonly close: () => Promise<void>
}

export type BatchDatabase = Database<Buffer, number>

/** A journal that also receives entries written by another node. */
export type ReplicatedJournal<Record> = Journal<Record> & {
  /** The store holds every entry up to here. Only while this node appends none. */
  readonly follow: (last: number) => void
}

/** A journal in an LMDB environment of its own. */
export const openJournal = <Record>(
  path: string,
  layout: Layout<Record>,
  metrics: JournalMetrics,
): Journal<Record> => {
  // Without `overlappingSync: false`, a put resolves before the data is flushed, and `flushed` never reports a failure.
  const db = open<Buffer, number>({ path, encoding: 'binary', overlappingSync: false, cache: false })
  const write = async (first: number, value: Buffer): Promise<boolean> => {
    requireSpace(path, value.length)
    return db.put(first, value)
  }
  const valueBytesMax = Number.POSITIVE_INFINITY
  return journalOn({ db, valueBytesMax, write, close: () => db.close() }, layout, metrics)
}

/**
 * A journal over any batch store. While one group commit is under way the next batch gathers; when idle, the entries of
 * one turn of the event loop commit together. After a failed commit the journal takes no more and must be opened again
 * from disk.
 */
export const journalOn = <Record>(
  { db, valueBytesMax, write, close }: BatchStore,
  layout: Layout<Record>,
  metrics: JournalMetrics,
): ReplicatedJournal<Record> => {
  let appended = lastSequence(db)
  let flushed = appended
  let committing: Batch<Record> | undefined
  const gathering: Batch<Record>[] = []
  const batches = newBatchCache(limits.batchCacheBytes)
  let failure: Error | undefined
  let notify: (sequence: number) => void = () => undefined

  const append = (record: Record): number => {
    if (failure !== undefined) throw failure
    let batch = gathering.at(-1)
    if (batch === undefined || batch.records.length >= limits.batchEntriesMax) {
      batch = newBatch(appended + 1)
      gathering.push(batch)
      if (committing === undefined && gathering.length === 1) setImmediate(commit)
    }
    batch.records.push(record)
    appended += 1
    batch.last = appended
    return appended
  }

  const commit = (): void => {
    if (committing !== undefined || failure !== undefined) return
    const batch = gathering.shift()
    if (batch === undefined) return
    committing = batch
    writeAll(batch.first, batch.records).then(() => {
      flushed = batch.last
      committing = undefined
      metrics.entries += batch.records.length
      batch.resolve()
      notify(flushed)
      // At the end of the turn, so that everything from this turn is included.
      setImmediate(commit)
    }, fail)
  }

  const writeAll = async (first: number, records: readonly Record[]): Promise<void> => {
    const value = packBatch(layout, records)
    if (value.length > valueBytesMax && records.length > 1) {
      const half = records.length >> 1
      await writeAll(first, records.slice(0, half))
      await writeAll(first + half, records.slice(half))
      return
    }
    const startedMs = performance.now()
    await write(first, value)
    metrics.commits += 1
    metrics.bytes += value.length
    metrics.onCommit?.(performance.now() - startedMs)
  }

  const fail = (error: unknown): void => {
    failure = new JournalFailure(error)
    committing?.reject(failure)
    for (const batch of gathering) batch.reject(failure)
  }

  const settled = (sequence: number): Promise<void> | undefined => {
    if (sequence <= flushed) return undefined
    if (failure !== undefined) return Promise.reject(failure)
    if (committing !== undefined && sequence <= committing.last) return committing.settled
    return gathering.find(({ last }) => sequence <= last)!.settled
  }

  const at = (sequence: number): Record => {
    assert(sequence > 0 && sequence <= appended, `the journal has an entry ${sequence}`)
    if (sequence > flushed) {
      const batch = [committing, ...gathering].find((batch) => batch !== undefined && sequence <= batch.last)!
      return batch.records[sequence - batch.first]!
    }
    const batch = batches.find(sequence) ?? batches.keep(readBatch(db, sequence))
    return unpackFromBatch(layout, batch.bytes, sequence - batch.first)
  }

  const replay = function* (afterSequence: number) {
    const from = afterSequence < flushed ? firstOfBatch(db, afterSequence + 1) : afterSequence + 1
    for (const { key, value } of db.getRange({ start: from })) {
      const size = batchSize(value)
      for (let n = Math.max(0, afterSequence + 1 - key); n < size; n++)
        yield { sequence: key + n, record: unpackFromBatch(layout, value, n) }
    }
  }

  return {
    appended: () => appended,
    flushed: () => flushed,
    append,
    settled,
    onFlushed: (listener) => {
      notify = listener
    },
    at,
    replay,
    follow: (last) => {
      assert(appended === flushed && last >= flushed, 'a journal that follows appends nothing')
      appended = last
      flushed = last
    },
    close: async () => {
      await settled(appended)?.catch(() => undefined)
      await close()
    },
  }
}

/** The journal could not write: nothing of the batch is acknowledged, and the disk is unchanged. */
const JournalFailure = class extends Error {
  constructor(cause: unknown) {
    super(`the journal cannot write: ${cause instanceof Error ? cause.message : String(cause)}`, { cause })
  }
}

type Batch<Record> = {
  readonly records: Record[]
  /** The sequence of its first entry, which is its key. */
  readonly first: number
  /** The sequence of its last entry. */
  last: number
  readonly settled: Promise<void>
  readonly resolve: () => void
  readonly reject: (error: Error) => void
}

const newBatch = <Record>(first: number): Batch<Record> => {
  let resolve!: () => void
  let reject!: (error: Error) => void
  const settled = new Promise<void>((onResolve, onReject) => {
    resolve = onResolve
    reject = onReject
  })
  // A failed batch without waiters must not end the process; waiters still get the error.
  settled.catch(() => undefined)
  return { records: [], first, last: 0, settled, resolve, reject }
}

/** The sequence of the last entry; 0 for an empty journal. */
export const lastSequence = (db: BatchDatabase): number => {
  for (const { key, value } of db.getRange({ reverse: true, limit: 1 })) return key + batchSize(value) - 1
  return 0
}

const readBatch = (db: BatchDatabase, sequence: number): StoredBatch => {
  const first = firstOfBatch(db, sequence)
  const bytes = db.get(first)!
  return { first, last: first + batchSize(bytes) - 1, bytes }
}

/** The key of the batch with this sequence. */
const firstOfBatch = (db: BatchDatabase, sequence: number): number => {
  for (const key of db.getKeys({ start: sequence, reverse: true, limit: 1 })) return key
  throw new Error(`the journal has no batch with entry ${sequence}`)
}
