import { checksumOf, checksumBytes as sealBytes } from '../base/checksum.ts'
import { batchSize } from './codec.ts'

/** The stored entries of one group commit, or a piece of them, from one sequence to another. */
export type StoredBatch = { readonly first: number; readonly last: number; readonly bytes: Buffer }

export type SealedBatch = StoredBatch & { readonly seal: Buffer }

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
