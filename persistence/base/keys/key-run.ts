import { firstWhere } from '../bisect.ts'
import { addMember, type BloomFilter, mayHave, newBloomFilter } from '../bloom-filter.ts'
import { isStored, sealBytes, sealedHeadBytes } from '../column-code.ts'
import { columnKey, DamagedColumns } from '../columns.ts'
import { type Derived, derivedOr, newDerived, type Pager } from '../pager.ts'
import { type KeyRecords, listedMore, newKeyRecords } from './recent-keys.ts'

/**
 * Keys on disk: records in order of hash, in blocks that are read for themselves. In memory there is a filter, so that a key which
 * the run does not have costs no read, and the first hash of each block. Of one hash the newest records come first.
 */
export type KeyRun = {
  readonly stored: StoredRun
  readonly filter: BloomFilter
  readonly firsts: Uint32Array
  /** Blocks that were read lately. */
  readonly blocks: Map<number, Derived<KeyRecords>>
}

/** Where a run is: values from `value` on, first the blocks, then filter and first hashes in pieces. */
export type StoredRun = {
  readonly value: number
  readonly blocks: number
  readonly filterPieces: number
  readonly firstsPieces: number
  readonly records: number
  /** How many different hashes its filter has, at most. */
  readonly hashes: number
}

/** Reads a stored value by its key. */
export type ReadValue = (key: number) => Uint8Array

/** A block is a page of LMDB's overflow values, less its head. */
const recordsPerBlock = 450
const blockHeadBytes = 8
const pieceBytes = 512 * 1024

/** The values that a run of so many records takes at most. */
export const runValuesMax = (records: number): number =>
  Math.ceil(records / recordsPerBlock) + pieces(records * 2 + 64) + pieces(records / 200 + 64) + 2

const pieces = (bytes: number): number => Math.ceil(bytes / pieceBytes)

/** Values in a row, by the first one's number. */
export type ValueRange = readonly [first: number, count: number]

/** All values of a run. */
export const valuesOfRun = ({ value, blocks, filterPieces, firstsPieces }: StoredRun): ValueRange => [
  value,
  blocks + filterPieces + firstsPieces,
]

/** More bits where runs are small, because there are more of them. */
const bitsFor = (hashes: number): number => (hashes >= 16_000_000 ? 12 : 16)

/** Writes a run's records, which come in order. `put` receives each value when it is complete. */
export const newRunWriter = (value: number, hashesMax: number, put: (key: number, bytes: Buffer) => void) => {
  const filter = newBloomFilter(hashesMax, bitsFor(hashesMax))
  const firsts: number[] = []
  const block = newKeyRecords(recordsPerBlock)
  let count = 0
  let records = 0
  let hashes = 0
  let next = value
  let lastHash = -1
  let lastMore = -1

  const putValue = (bytes: Uint8Array): void => {
    const key = columnKey(next++, 0)
    put(key, sealBytes(bytes, key))
  }

  const endBlock = (): void => {
    if (count === 0) return
    firsts.push(block.hash[0]!)
    const bytes = new Uint8Array(blockHeadBytes + 9 * count)
    new Uint32Array(bytes.buffer, 0, 1)[0] = count
    new Uint32Array(bytes.buffer, blockHeadBytes, count).set(block.hash.subarray(0, count))
    new Uint32Array(bytes.buffer, blockHeadBytes + 4 * count, count).set(block.row.subarray(0, count))
    bytes.set(block.more.subarray(0, count), blockHeadBytes + 8 * count)
    putValue(bytes)
    count = 0
  }

  const putPieces = (bytes: Uint8Array): number => {
    for (let at = 0; at < bytes.length; at += pieceBytes) putValue(bytes.subarray(at, at + pieceBytes))
    return pieces(bytes.length)
  }

  return {
    add: (hash: number, more: number, row: number): void => {
      if (more !== listedMore && (hash !== lastHash || more !== lastMore)) {
        addMember(filter, hash, more)
        hashes += 1
        lastHash = hash
        lastMore = more
      }
      block.hash[count] = hash
      block.more[count] = more
      block.row[count] = row
      count += 1
      records += 1
      if (count === recordsPerBlock) endBlock()
    },
    end: (): KeyRun => {
      endBlock()
      const blocks = next - value
      const filterPieces = putPieces(new Uint8Array(filter.buffer))
      const ends = Uint32Array.from(firsts)
      const firstsPieces = putPieces(new Uint8Array(ends.buffer))
      const stored = { value, blocks, filterPieces, firstsPieces, records, hashes }
      return { stored, filter, firsts: ends, blocks: new Map() }
    },
  }
}

/** Opens a stored run. */
export const openRun = (stored: StoredRun, read: ReadValue): KeyRun => {
  const { value, blocks, filterPieces, firstsPieces } = stored
  const from = value + blocks
  const filter = joined(read, from, filterPieces)
  return { stored, filter, firsts: joined(read, from + filterPieces, firstsPieces), blocks: new Map() }
}

const joined = (read: ReadValue, value: number, count: number): Uint32Array => {
  const parts = Array.from({ length: count }, (_, n) => openValue(read, value + n))
  return new Uint32Array(new Uint8Array(Buffer.concat(parts)).buffer)
}

const openValue = (read: ReadValue, value: number): Uint8Array<ArrayBuffer> => {
  const key = columnKey(value, 0)
  const sealed = read(key)
  if (!isStored(sealed, key)) throw new DamagedColumns(key)
  return new Uint8Array(sealed.subarray(sealedHeadBytes))
}

/** The records of a block. */
export const readBlock = ({ stored }: KeyRun, block: number, read: ReadValue): KeyRecords => {
  const { buffer } = openValue(read, stored.value + block)
  const count = new Uint32Array(buffer, 0, 1)[0]!
  return {
    hash: new Uint32Array(buffer, blockHeadBytes, count),
    row: new Uint32Array(buffer, blockHeadBytes + 4 * count, count),
    more: new Uint8Array(buffer, blockHeadBytes + 8 * count, count),
  }
}

const blockOf = (run: KeyRun, block: number, pager: Pager): KeyRecords => {
  let kept = run.blocks.get(block)
  if (kept === undefined) {
    kept = newDerived(() => void run.blocks.delete(block))
    run.blocks.set(block, kept)
  }
  const read = (): KeyRecords => {
    pager.reads += 1
    return readBlock(run, block, pager.read)
  }
  return derivedOr(pager, kept, read, ({ hash }) => 9 * hash.length + keptBytes)!
}

/** What a block in memory takes besides its records. */
const keptBytes = 400

/** Visits the rows of records with this hash, the newest first, until a visit returns false. */
export const visitRun = (
  run: KeyRun,
  hash: number,
  more: number,
  pager: Pager,
  visit: (row: number) => unknown,
): void => {
  if (more !== listedMore && !mayHave(run.filter, hash, more)) return
  const { firsts } = run
  // The first block that may have the hash: it may begin within the block before the first that begins with it.
  let block = Math.max(0, firstWhere(0, firsts.length, (n) => firsts[n]! >= hash) - 1)
  for (; block < firsts.length && firsts[block]! <= hash; block++) {
    const records = blockOf(run, block, pager)
    const { length } = records.hash
    for (let n = firstWhere(0, length, (at) => records.hash[at]! >= hash); n < length; n++) {
      if (records.hash[n] !== hash) break
      if (records.more[n] === more && visit(records.row[n]!) === false) return
    }
  }
}
