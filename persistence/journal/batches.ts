import type { Database } from 'lmdb'
import { type Archive, openArchive } from '../archive/archive.ts'
import { type ArchiveEnd, archiveOf } from '../archive/format.ts'
import { bounds } from '../base/bounds.ts'
import { StoredVersionRefusal } from '../codec/codec.ts'
import {
  firstSealOf,
  type OpenBatch,
  openBatch,
  type StoredBatch,
  sealBatch,
  sealOf,
} from '../codec/sealed-batch.ts'
import { fittingValue, withChecksum } from '../disk/checked-value.ts'
import { Damaged } from '../disk/damage.ts'
import { requireSpace } from '../disk/disk-space.ts'
import { committed, lentValue } from '../disk/environment.ts'
import { identityAt } from './identity.ts'

/**
 * The batches of a journal on disk: one value for each group commit, keyed by the sequence of its first entry. Each is sealed: its
 * seal is a checksum of its bytes and of the seal before it, so a damaged, exchanged or missing one is noticed wherever it is read,
 * and the last seal of a journal stands for all of it.
 */
export type Batches = {
  /** The journal's path, for messages. */
  readonly path: string
  /** The sequence of the last entry; 0 when there is none. */
  readonly last: () => number
  /** The seal of the batch with this entry, as text: equal only for journals that are equal up to there. */
  readonly sealAt: (sequence: number) => string
  /** Stores the next batch, of `count` entries. Puts of one turn of the event loop are one transaction. */
  readonly put: (first: number, count: number, batch: Uint8Array) => Promise<unknown>
  /**
   * The batch with this entry. Throws `DamagedJournal` when it is not what was stored, and `HistoryUnavailable` where the archive
   * cannot be read.
   */
  readonly at: (sequence: number) => OpenBatch
  /** Some entries of a batch, this one among them, as a batch of their own; throws as `at` does. */
  readonly piece: (sequence: number) => StoredBatch
  /** As `piece`, with bytes that are valid until the next read of a database. */
  readonly lentPiece: (sequence: number) => StoredBatch
  /**
   * The batches from the one with this entry on; the first must continue the seal `after`, if given. Throws
   * `DamagedJournal` where a batch does not continue the one before it, or when they end before the entry `until`,
   * which is on disk; and `HistoryUnavailable` where the archive cannot be read.
   */
  readonly from: (sequence: number, until: number, after?: Uint8Array) => Iterable<OpenBatch>
  /** Removes the batches behind this entry, within a transaction. */
  readonly dropAfterSync: (sequence: number) => void
  /** The part that was packed. It begins with the first entry; whatever is behind its end is in the database. */
  readonly archive: Archive
  readonly archived: () => ArchiveEnd
  /** The identity that the seals begin with. */
  readonly identity: string
  /**
   * Records that the archive goes on to this end, which must be on disk there, and drops those batches here. Resolves when all are
   * gone; a crash in between leaves some, which are read from the archive.
   */
  readonly dropArchived: (end: ArchiveEnd) => Promise<void>
}

/** The database of a journal's batches. */
export type BatchDatabase = Database<Buffer, number>

/** What is read of it, by its owner and by others. */
export type BatchReads = {
  readonly get: (key: number) => Buffer | undefined
  /** The last entry at or before a key. */
  readonly before: (key: number) => BatchEntry | undefined
  /** The same, with a value that is valid until the next read of a database, where that is cheaper. */
  readonly lentBefore?: (key: number) => BatchEntry | undefined
  /** The entries from a key on, in order. */
  readonly entries: (start: number) => Iterable<BatchEntry>
}

type BatchEntry = { readonly key: unknown; readonly value: Buffer }

/** A batch is not what was stored, or is missing. */
export class DamagedJournal extends Damaged {
  /** The first entry that cannot be read. */
  readonly sequence: number

  constructor(path: string, sequence: number, cause?: unknown) {
    super(`${path} is damaged at entry ${sequence}`)
    if (cause !== undefined) this.cause = cause
    this.sequence = sequence
  }
}

/** The batches of a journal that is only read. */
export type ReadBatches = Omit<Batches, 'put' | 'dropAfterSync' | 'dropArchived'>

/** Opens the batches of a journal to read them as they are now, and the archive beside it. */
export const readBatches = (path: string, reads: BatchReads): ReadBatches => openBoth(path, reads).batches

/**
 * Opens the batches of a journal's database, and the archive beside it. The first batch continues the journal's identity, so a batch
 * of another journal does not fit.
 */
export const openBatches = (path: string, db: BatchDatabase): Batches => {
  const { batches, place, end, lastStored, isArchived } = openBoth(path, readsOf(db))
  // Now: a journal whose end is damaged is not opened.
  end()
  let recorded = place.archived.sequence

  const dropArchived = async (to: ArchiveEnd): Promise<void> => {
    const keys = [...db.getKeys({ start: archiveKey + 1, end: to.sequence, inclusiveEnd: true })]
    // Before the drop: it may be on disk a moment before this thread hears of it.
    place.archived = to
    for (let n = 0; n < keys.length || recorded < to.sequence; n += bounds.archiveDroppedTogether) {
      requireSpace(path, 0)
      const changes: Promise<unknown>[] =
        recorded < to.sequence ? [db.put(archiveKey, packArchiveEnd(to))] : []
      for (const key of keys.slice(n, n + bounds.archiveDroppedTogether)) changes.push(db.remove(key))
      await committed(Promise.all(changes))
      recorded = to.sequence
    }
  }

  return {
    ...batches,
    put: (first, count, batch) => {
      const value = sealBatch(first, batch, end().seal)
      place.end = { sequence: first + count - 1, seal: sealOf(value) }
      return db.put(first, value)
    },
    dropAfterSync: (sequence) => {
      if (isArchived(sequence + 1)) throw new DamagedJournal(path, sequence + 1)
      for (const key of db.getKeys({ start: sequence + 1 })) db.removeSync(key)
      place.end = lastStored()
    },
    dropArchived,
  }
}

const readsOf = (db: BatchDatabase): BatchReads => ({
  get: (key) => db.get(key),
  before: (key) => {
    for (const entry of db.getRange({ start: key, reverse: true, limit: 1 })) return entry
    return undefined
  },
  lentBefore: (start) => {
    for (const key of db.getKeys({ start, reverse: true, limit: 1 }))
      return { key, value: lentValue(db, key)! }
    return undefined
  },
  entries: (start) => db.getRange({ start }),
})

/** What reads both parts of a log, which end at `place`. */
const openBoth = (path: string, reads: BatchReads) => {
  const identity = identityAt(path)
  const firstSeal = firstSealOf(identity)
  const archived = readArchiveEnd(path, reads.get(archiveKey)) ?? { sequence: 0, seal: firstSeal }
  const place = { archived, end: null as ArchiveEnd | null }
  const archive = openArchive(archiveOf(path), identity, () => place.archived)

  const opened = (value: Buffer, first: number): OpenBatch => {
    const batch = openBatch(value, first)
    if (batch === null) throw new DamagedJournal(path, first)
    return batch
  }

  /** The database throws on keys that it cannot read. */
  const damage = (error: unknown, sequence: number): unknown =>
    error instanceof DamagedJournal || error instanceof StoredVersionRefusal
      ? error
      : new DamagedJournal(path, sequence, error)

  /** The last batch here that begins at or before this entry; null when there is none. */
  const batchAt = (sequence: number, before = reads.before) => {
    try {
      const found = before(sequence)
      return found === undefined || found.key === archiveKey ? null : opened(found.value, sequenceOf(found))
    } catch (error) {
      throw damage(error, sequence)
    }
  }

  const isArchived = (sequence: number): boolean => sequence <= place.archived.sequence

  const storedAt = (sequence: number, before = reads.before) => {
    const batch = batchAt(sequence, before)
    if (batch === null || sequence > batch.last) throw new DamagedJournal(path, sequence)
    return batch
  }

  const at = (sequence: number) => (isArchived(sequence) ? archive.at(sequence) : storedAt(sequence))

  const lastStored = (): ArchiveEnd => {
    const batch = batchAt(Number.MAX_SAFE_INTEGER)
    return batch === null ? place.archived : { sequence: batch.last, seal: Buffer.from(batch.seal) }
  }

  /** The batches from one that begins with this entry, in the archive and then here. */
  const bothFrom = function* (first: number): Generator<OpenBatch> {
    if (isArchived(first)) yield* archive.from(first)
    const next = Math.max(first, place.archived.sequence + 1)
    try {
      for (const entry of reads.entries(next)) yield opened(entry.value, sequenceOf(entry))
    } catch (error) {
      throw damage(error, next)
    }
  }

  const from = function* (sequence: number, until: number, after?: Uint8Array) {
    if (sequence > until) return
    const { first, previous } = at(sequence)
    let seal = first === 1 ? firstSeal : (after ?? previous)
    let next = first
    for (const batch of bothFrom(first)) {
      const continues = batch.first === next && batch.previous.equals(seal)
      // The record of the archive's end holds the two parts together, wherever reading begins.
      if (!continues || (next === place.archived.sequence + 1 && !batch.previous.equals(place.archived.seal)))
        throw new DamagedJournal(path, next)
      yield batch
      seal = batch.seal
      next = batch.last + 1
    }
    if (next <= until) throw new DamagedJournal(path, next)
  }

  const end = (): ArchiveEnd => {
    place.end ??= lastStored()
    return place.end
  }
  const batches: ReadBatches = {
    path,
    identity,
    last: () => end().sequence,
    sealAt: (sequence) => at(sequence).seal.toString('base64url'),
    at,
    piece: (sequence) => (isArchived(sequence) ? archive.piece(sequence) : storedAt(sequence)),
    lentPiece: (sequence) =>
      isArchived(sequence) ? archive.piece(sequence) : storedAt(sequence, reads.lentBefore),
    from,
    archive,
    archived: () => place.archived,
  }
  return { batches, place, end, lastStored, isArchived }
}

/** The sequence that a key is. Throws for others. */
const sequenceOf = ({ key }: BatchEntry): number => {
  if (typeof key === 'number') return key
  throw new Error('a key is no number')
}

/** The key of the record that says where the archive ends; entries count from 1. */
export const archiveKey = 0

const packArchiveEnd = ({ sequence, seal }: ArchiveEnd): Buffer => {
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64LE(BigInt(sequence))
  return withChecksum(archiveKey, Buffer.concat([bytes, seal]))
}

/** Where the archive of a journal ends, according to its record; null without one. Throws `DamagedJournal`. */
export const readArchiveEnd = (path: string, stored: Buffer | undefined): ArchiveEnd | null => {
  if (stored === undefined) return null
  const bytes = fittingValue(archiveKey, stored)
  if (bytes === null) throw new DamagedJournal(path, 1)
  return { sequence: Number(bytes.readBigUInt64LE(0)), seal: Buffer.from(bytes.subarray(8)) }
}
