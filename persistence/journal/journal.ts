/**
 * Journals: append-only logs of entries or facts, written in group commits and sealed in a chain, so that damage
 * is noticed wherever it is read.
 */

import type { Entry } from '../../engine/kernel/entry.ts'
import { promised, type Waiter } from '../../engine/kernel/handler.ts'
import type { Journal } from '../../engine/kernel/ports.ts'
import { assert } from '../../engine/shared/assert.ts'
import { bounds } from '../base/bounds.ts'
import { batchSize, entriesWithin, packBatch, pieceOfBatch, unpackFromBatch } from '../codec/codec.ts'
import { codecVersion, type Layout } from '../codec/layout.ts'
import type { StoredBatch } from '../codec/sealed-batch.ts'
import { Damaged, requireUndamaged } from '../disk/damage.ts'
import { requireSpace } from '../disk/disk-space.ts'
import { committed, openEnvironment, orClose } from '../disk/environment.ts'
import { newBatchCache } from './batch-cache.ts'
import { type Batches, openBatches } from './batches.ts'

export type JournalMetrics = {
  commits: number
  entries: number
  bytes: number
  /** Receives the duration of each group commit. */
  readonly onCommit?: (ms: number) => void
}

/** Resolves when every entry up to this sequence is on disk. */
export const flushedUpTo = (journal: Pick<Journal, 'whenFlushed'>, sequence: number): Promise<void> =>
  promised((to) => journal.whenFlushed(sequence, to))

/** Where a journal stores group commits. */
export type BatchStore = {
  readonly batches: Batches
  /** What a commit has beyond this is a batch of its own, but no entry is split. */
  readonly batchBytesMax: number
  /** Resolves when the batches of a commit are as safe as this journal promises. */
  readonly write: (batches: readonly NewBatch[]) => Promise<unknown>
  readonly close: () => Promise<void>
}

/** A batch that is not stored yet. */
export type NewBatch = { readonly first: number; readonly count: number; readonly bytes: Buffer }

/** A journal on disk. */
export type StoredJournal<Record = Entry> = Journal<Record> & {
  /**
   * The checked bytes of a batch, or of a part of it, with this entry, valid until the next read of a database; for one not on disk, the batch as it
   * will be stored.
   */
  readonly batchAt: (sequence: number) => StoredBatch
  readonly batches: Omit<Batches, 'put' | 'dropAfterSync'>
  /** Drops what was decoded of stored entries: they are read anew, with the keys that there are then. */
  readonly forgetDecoded: () => void
}

/** The part of a journal that a memory reads. */
export type EntrySource = Pick<StoredJournal, 'appended' | 'at' | 'batchAt'>

/** A journal that also receives entries written by another node. */
export type ReplicatedJournal<Record> = StoredJournal<Record> & {
  /** The store holds every entry up to here. Only while this node appends none. */
  readonly follow: (last: number) => void
}

/** A journal in an LMDB environment of its own. */
export const openJournal = <Record>(
  path: string,
  layout: Layout<Record>,
  metrics: JournalMetrics,
  writtenVersion?: () => number,
): StoredJournal<Record> => {
  requireUndamaged(path)
  const db = openEnvironment<number>({ path })
  const batches = orClose(db, () => openBatches(path, db))
  const write: BatchStore['write'] = async (some) => {
    requireSpace(
      path,
      some.reduce((sum, { bytes }) => sum + bytes.length, 0),
    )
    // All issued in one turn of the event loop, so they are one transaction.
    return committed(Promise.all(some.map(({ first, count, bytes }) => batches.put(first, count, bytes))))
  }
  const { batchBytesMax } = bounds
  const close = (): Promise<void> => {
    batches.archive.close()
    return db.close()
  }
  return journalOn({ batches, batchBytesMax, write, close }, layout, metrics, writtenVersion)
}

/**
 * A journal over any batch store. While one group commit is under way the next batch gathers; when idle, the entries of
 * one turn of the event loop commit together. After a failed commit the journal takes no more and must be opened again
 * from disk. It writes the newest version, or that of `writtenVersion`, which never falls.
 */
export const journalOn = <Record>(
  { batches, batchBytesMax, write, close }: BatchStore,
  layout: Layout<Record>,
  metrics: JournalMetrics,
  writtenVersion = (): number => codecVersion,
): ReplicatedJournal<Record> => {
  let appended = batches.last()
  let flushed = appended
  let committing: Batch<Record> | undefined
  const gathering: Batch<Record>[] = []
  const cache = newBatchCache(bounds.batchCacheBytes)
  /** The entries read last: one entry makes several actors, which are often read together. */
  const unpacked: { readonly sequence: number; readonly record: Record }[] = []
  let failure: Error | undefined
  let notify: (sequence: number) => void = () => undefined

  const append = (record: Record): number => {
    if (failure !== undefined) throw failure
    let batch = gathering.at(-1)
    if (batch === undefined || batch.records.length >= bounds.batchEntriesMax) {
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
      notify(flushed)
      for (const waiting of batch.waiting) waiting.resolve()
      // At the end of the turn, so that everything from this turn is included.
      setImmediate(commit)
    }, fail)
  }

  const writeAll = async (first: number, records: readonly Record[]): Promise<void> => {
    const packed = packBatch(layout, records, writtenVersion())
    const startedMs = performance.now()
    await write(batchesOf(first, packed))
    metrics.commits += 1
    metrics.bytes += packed.length
    metrics.onCommit?.(performance.now() - startedMs)
  }

  const batchesOf = (first: number, packed: Buffer): readonly NewBatch[] => {
    const size = batchSize(packed)
    const made: NewBatch[] = []
    for (let from = 0; from < size; ) {
      const count = entriesWithin(packed, from, batchBytesMax)
      const bytes = count === size ? packed : pieceOfBatch(packed, from, from + count)
      made.push({ first: first + from, count, bytes })
      from += count
    }
    return made
  }

  const fail = (error: unknown): void => {
    failure = error instanceof Damaged ? error : new JournalFailure(error)
    for (const batch of [committing ?? [], gathering].flat())
      for (const waiting of batch.waiting) waiting.reject(failure)
  }

  const whenFlushed: Journal<Record>['whenFlushed'] = (sequence, to) => {
    if (sequence <= flushed) to.resolve()
    else if (failure !== undefined) to.reject(failure)
    else batchOf(sequence).waiting.push(to)
  }

  /** The batch with an entry that is not on disk yet. */
  const batchOf = (sequence: number): Batch<Record> => {
    if (committing !== undefined && sequence <= committing.last) return committing
    return gathering.find(({ last }) => sequence <= last)!
  }

  const at = (sequence: number): Record => {
    assert(sequence > 0 && sequence <= appended, `the journal has an entry ${sequence}`)
    if (sequence > flushed) {
      const { records, first } = batchOf(sequence)
      return records[sequence - first]!
    }
    const place = sequence % unpackedMax
    const known = unpacked[place]
    if (known?.sequence === sequence) return known.record
    const { bytes, first } = storedWith(sequence)
    const record = unpackFromBatch(layout, bytes, sequence - first)
    unpacked[place] = { sequence, record }
    return record
  }

  const storedWith = (sequence: number): StoredBatch =>
    cache.find(sequence) ?? cache.keep(batches.piece(sequence))

  const batchAt = (sequence: number): StoredBatch => {
    if (sequence <= flushed) return cache.find(sequence) ?? batches.lentPiece(sequence)
    const { first, last, records } = batchOf(sequence)
    return { first, last, bytes: packBatch(layout, records, writtenVersion()) }
  }

  const replay = function* (afterSequence: number) {
    for (const { first, last, bytes } of batches.from(afterSequence + 1, flushed))
      for (let sequence = Math.max(first, afterSequence + 1); sequence <= last; sequence++)
        yield { sequence, record: unpackFromBatch(layout, bytes, sequence - first) }
  }

  return {
    batches,
    appended: () => appended,
    flushed: () => flushed,
    append,
    whenFlushed,
    onFlushed: (listener) => {
      notify = listener
    },
    at,
    batchAt,
    replay,
    forgetDecoded: () => {
      unpacked.length = 0
    },
    follow: (last) => {
      assert(appended === flushed && last >= flushed, 'a journal that follows appends nothing')
      appended = last
      flushed = last
    },
    close: async () => {
      await flushedUpTo({ whenFlushed }, appended).catch(() => undefined)
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

const unpackedMax = 128

type Batch<Record> = {
  readonly records: Record[]
  /** The sequence of its first entry, which is its key. */
  readonly first: number
  /** The sequence of its last entry. */
  last: number
  /** Callers that wait until the batch is on disk. */
  readonly waiting: Waiter<void>[]
}

const newBatch = <Record>(first: number): Batch<Record> => ({ records: [], first, last: first, waiting: [] })
