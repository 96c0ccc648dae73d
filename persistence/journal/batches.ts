import type { Database } from 'lmdb'
import { checksumOf, checksumBytes as sealBytes } from '../base/checksum.ts'
import { batchSize, StoredVersionRefusal } from '../codec/codec.ts'
import { Damaged } from '../disk/damage.ts'
import type { StoredBatch } from './batch-cache.ts'
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
  /** The batch with this entry. Throws `DamagedJournal` when it is not what was stored. */
  readonly at: (sequence: number) => StoredBatch
  /**
   * The batches from the one with this entry on; the first must continue the seal `after`, if given. Throws
   * `DamagedJournal` where a batch does not continue the one before it, or when they end before the entry `until`,
   * which is on disk.
   */
  readonly from: (sequence: number, until: number, after?: Uint8Array) => Iterable<SealedBatch>
  /** Removes the batches behind this entry, within a transaction. */
  readonly dropAfterSync: (sequence: number) => void
}

export type SealedBatch = StoredBatch & { readonly seal: Buffer }

export type BatchDatabase = Database<Buffer, number>

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

/**
 * A stored value is its seal, the seal before it, the sequence of its first entry (64 bits, little-endian) and the batch, so that it
 * can be checked without the others.
 */
const headBytes = 2 * sealBytes + 8

/** The seal that the first batch of a journal continues. */
export const firstSealOf = (identity: string): Buffer => checksumOf(identity)

/** Opens the stored value of the batch that begins at this entry; null when it is not what was stored. */
export const openBatch = (value: Buffer, first: number): OpenBatch | null => {
  const isWhole =
    value.length > headBytes &&
    Number(value.readBigUInt64LE(2 * sealBytes)) === first &&
    checksumOf(value.subarray(sealBytes)).equals(value.subarray(0, sealBytes))
  if (!isWhole) return null
  const bytes = value.subarray(headBytes)
  const seal = value.subarray(0, sealBytes)
  const previous = value.subarray(sealBytes, 2 * sealBytes)
  return { first, last: first + batchSize(bytes) - 1, bytes, seal, previous }
}

/** The value to store for the batch that begins at this entry, after a batch with this seal. */
export const sealBatch = (first: number, batch: Uint8Array, previous: Uint8Array): Buffer => {
  const value = Buffer.allocUnsafe(headBytes + batch.length)
  value.set(previous, sealBytes)
  value.writeBigUInt64LE(BigInt(first), 2 * sealBytes)
  value.set(batch, headBytes)
  checksumOf(value.subarray(sealBytes)).copy(value)
  return value
}

/** The seal of a stored value. */
export const sealOf = (value: Buffer): Buffer => Buffer.from(value.subarray(0, sealBytes))

export type OpenBatch = SealedBatch & {
  /** The seal of the batch before it. */
  readonly previous: Buffer
}

/**
 * Opens the batches of a journal's database. The first batch continues the journal's identity, so a batch of
 * another journal does not fit.
 */
export const openBatches = (path: string, db: BatchDatabase): Batches => {
  const firstSeal = firstSealOf(identityAt(path))

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

  /** The last batch that begins at or before this entry; null when there is none. */
  const batchAt = (sequence: number) => {
    try {
      for (const { key, value } of db.getRange({ start: sequence, reverse: true, limit: 1 }))
        return opened(value, key)
    } catch (error) {
      throw damage(error, sequence)
    }
    return null
  }

  const at = (sequence: number) => {
    const batch = batchAt(sequence)
    if (batch === null || sequence > batch.last) throw new DamagedJournal(path, sequence)
    return batch
  }

  const lastStored = (): { readonly sequence: number; readonly seal: Buffer } => {
    const batch = batchAt(Number.MAX_SAFE_INTEGER)
    return batch === null
      ? { sequence: 0, seal: firstSeal }
      : { sequence: batch.last, seal: Buffer.from(batch.seal) }
  }
  let end = lastStored()

  const from = function* (sequence: number, until: number, after?: Uint8Array) {
    if (sequence > until) return
    const { first, previous } = at(sequence)
    let seal = first === 1 ? firstSeal : (after ?? previous)
    let next = first
    try {
      for (const { key, value } of db.getRange({ start: first })) {
        const batch = opened(value, key)
        if (key !== next || !batch.previous.equals(seal)) throw new DamagedJournal(path, next)
        yield batch
        seal = batch.seal
        next = batch.last + 1
      }
    } catch (error) {
      throw damage(error, next)
    }
    if (next <= until) throw new DamagedJournal(path, next)
  }

  return {
    path,
    last: () => end.sequence,
    sealAt: (sequence) => at(sequence).seal.toString('base64url'),
    put: (first, count, batch) => {
      const value = sealBatch(first, batch, end.seal)
      end = { sequence: first + count - 1, seal: sealOf(value) }
      return db.put(first, value)
    },
    at,
    from,
    dropAfterSync: (sequence) => {
      for (const key of db.getKeys({ start: sequence + 1 })) db.removeSync(key)
      end = lastStored()
    },
  }
}
