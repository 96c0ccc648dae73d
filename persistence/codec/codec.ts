/**
 * The bytes of stored facts and entries: layouts say how values become bytes, `facts/` has the layout of every
 * fact, and this file packs entries into batches. Bytes of every released version stay readable.
 */

import { Packr, Unpackr } from 'msgpackr'
import { assert } from '../../engine/shared/assert.ts'
import { firstWhere } from '../base/bisect.ts'
import { codecVersion, decode, encodeAll, type Layout, plainVersion } from './layout.ts'

const headBytes = 5

/**
 * The entries of one group commit: version, count (32 bits, little-endian like all numbers here), the end of each entry
 * relative to the first one's start, then the entries. One entry can be read without the others. Throws
 * `UpgradeUnfinished` for what cannot be written in that version.
 */
export const packBatch = <Record>(
  layout: Layout<Record>,
  records: readonly Record[],
  version = codecVersion,
): Buffer => {
  const { bytes, ends } = encodeAll(layout, records, version)
  const start = headBytes + 4 * records.length
  const batch = Buffer.allocUnsafe(start + bytes.length)
  batch[0] = version
  batch.writeUInt32LE(records.length, 1)
  for (let n = 0; n < ends.length; n++) batch.writeUInt32LE(ends[n]!, headBytes + 4 * n)
  bytes.copy(batch, start)
  return batch
}

/** How many entries a batch holds. Throws on bytes of an unknown version. */
export const batchSize = (bytes: Buffer): number => {
  checkVersion(bytes)
  return bytes.readUInt32LE(1)
}

/** The entry at a position in a batch. */
export const unpackFromBatch = <Record>(layout: Layout<Record>, bytes: Buffer, place: number): Record => {
  const entries = headBytes + 4 * batchSize(bytes)
  const start = place === 0 ? 0 : bytes.readUInt32LE(headBytes + 4 * (place - 1))
  const end = bytes.readUInt32LE(headBytes + 4 * place)
  assert(entries + end <= bytes.length, 'a stored batch is whole')
  return decode(layout, bytes, bytes[0], entries + start, entries + end)
}

/** The first entries of a batch as a batch of their own, byte for byte. */
export const firstOfBatch = (bytes: Buffer, count: number): Buffer => pieceOfBatch(bytes, 0, count)

/** The entries of a batch from one place to before another as a batch of their own, byte for byte. */
export const pieceOfBatch = (bytes: Buffer, from: number, to: number): Buffer => {
  const size = batchSize(bytes)
  assert(from >= 0 && from < to && to <= size, 'a batch has so many entries')
  const endOf = (place: number): number => (place === 0 ? 0 : bytes.readUInt32LE(headBytes + 4 * (place - 1)))
  const start = headBytes + 4 * size
  const head = Buffer.allocUnsafe(headBytes + 4 * (to - from))
  head[0] = bytes[0]!
  head.writeUInt32LE(to - from, 1)
  for (let place = from; place < to; place++)
    head.writeUInt32LE(endOf(place + 1) - endOf(from), headBytes + 4 * (place - from))
  return Buffer.concat([head, bytes.subarray(start + endOf(from), start + endOf(to))])
}

/** How many entries of a batch, from a place on, take at most so many bytes as a batch of their own; at least one. */
export const entriesWithin = (bytes: Buffer, from: number, bytesMax: number): number => {
  const size = batchSize(bytes)
  const before = from === 0 ? 0 : bytes.readUInt32LE(headBytes + 4 * (from - 1))
  const takes = (count: number): number =>
    headBytes + 4 * count + bytes.readUInt32LE(headBytes + 4 * (from + count - 1)) - before
  return Math.max(1, firstWhere(1, size - from + 1, (count) => takes(count) > bytesMax) - 1)
}

/** The batch that was cut into these pieces, byte for byte. */
export const joinedBatch = (pieces: readonly Buffer[]): Buffer => {
  if (pieces.length === 1) return pieces[0]!
  const count = pieces.reduce((sum, piece) => sum + batchSize(piece), 0)
  const head = Buffer.allocUnsafe(headBytes + 4 * count)
  head[0] = pieces[0]![0]!
  head.writeUInt32LE(count, 1)
  let at = headBytes
  let end = 0
  for (const piece of pieces) {
    const size = batchSize(piece)
    for (let place = 0; place < size; place++, at += 4)
      head.writeUInt32LE(end + piece.readUInt32LE(headBytes + 4 * place), at)
    end = head.readUInt32LE(at - 4)
  }
  return Buffer.concat([head, ...pieces.map((piece) => piece.subarray(headBytes + 4 * batchSize(piece)))])
}

const packr = new Packr({ useRecords: true, moreTypes: false, encodeUndefinedAsNil: false })
const unpackr = new Unpackr({ useRecords: true })

/** A value as MessagePack, for rarely written data. */
export const pack = (value: unknown): Buffer => {
  const packed = packr.pack(value)
  const bytes = Buffer.allocUnsafe(packed.length + 1)
  bytes[0] = plainVersion
  bytes.set(packed, 1)
  return bytes
}

/** The value packed by `pack`. Throws on bytes of an unknown version. */
export const unpack = (bytes: Buffer): unknown => {
  checkVersion(bytes)
  return unpackr.unpack(bytes.subarray(1))
}

/** Stored bytes have a version that this program does not read; the message is for the operator. */
export class StoredVersionRefusal extends Error {}

/** Stored bytes are of a newer version than this program. */
export class NewerVersionRefusal extends StoredVersionRefusal {}

/** The first version that was released. */
const firstVersion = 2

const checkVersion = (bytes: Buffer): void => {
  const version = bytes[0]!
  if (version < firstVersion)
    throw new StoredVersionRefusal(
      `stored bytes have version ${version}, from before the first release, which this program does not read: begin with a new data directory`,
    )
  if (version > codecVersion)
    throw new NewerVersionRefusal(
      `stored bytes have version ${version}; this program reads up to ${codecVersion}: start a newer version of the service`,
    )
}
