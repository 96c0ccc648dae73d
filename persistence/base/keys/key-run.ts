import { firstWhere } from '../bisect.ts'
import {
  addMember,
  type BloomFilter,
  bytesPerLine,
  filterLineOf,
  isInLine,
  newBloomFilter,
} from '../bloom-filter.ts'
import { isStored, sealBytes, sealedHeadBytes } from '../column-code.ts'
import { columnKey, DamagedColumns } from '../columns.ts'
import { type Derived, derivedOr, newDerived, type Pager } from '../pager.ts'
import { type KeyRecords, listedMore, newKeyRecords } from './recent-keys.ts'

/**
 * Keys on disk: records in order of hash, in blocks that are read for themselves. A filter rules out nearly all keys that the run does not have; its
 * pieces are in memory as far as that has room. The first hash of each block always is. Of one hash the newest records come first.
 */
export type KeyRun = {
  readonly stored: StoredRun
  readonly filter: readonly Derived<BloomFilter>[]
  readonly firsts: Uint32Array
  /** Blocks that were read lately. */
  readonly blocks: Map<number, Derived<KeyRecords>>
}

/** Where a run is: values from `value` on, first the blocks, then filter and first hashes in pieces. */
export type StoredRun = {
  readonly value: number
  readonly blocks: number
  readonly filterPieces: number
  readonly filterLines: number
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
const firstsBytes = 512 * 1024
/** A piece of a filter takes four pages with the heads of LMDB and of a sealed value. */
const linesPerPiece = 255
const filterBytes = linesPerPiece * bytesPerLine

/** The values that a run of so many records takes at most. */
export const runValuesMax = (records: number): number =>
  Math.ceil(records / recordsPerBlock) +
  Math.ceil((records * 2 + bytesPerLine) / filterBytes) +
  Math.ceil((records / 100 + 64) / firstsBytes) +
  2

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

  const putPieces = (bytes: Uint8Array, size: number): number => {
    for (let at = 0; at < bytes.length; at += size) putValue(bytes.subarray(at, at + size))
    return Math.ceil(bytes.length / size)
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
      const filterPieces = putPieces(new Uint8Array(filter.buffer), filterBytes)
      const ends = Uint32Array.from(firsts)
      const firstsPieces = putPieces(new Uint8Array(ends.buffer), firstsBytes)
      const filterLines = filter.byteLength / bytesPerLine
      return runOf({ value, blocks, filterPieces, filterLines, firstsPieces, records, hashes }, ends)
    },
  }
}

/** Opens a stored run. */
export const openRun = (stored: StoredRun, read: ReadValue): KeyRun => {
  const { value, blocks, filterPieces, firstsPieces } = stored
  return runOf(stored, joined(read, value + blocks + filterPieces, firstsPieces))
}

const runOf = (stored: StoredRun, firsts: Uint32Array): KeyRun => ({
  stored,
  filter: Array.from({ length: stored.filterPieces }, () => newDerived<BloomFilter>()),
  firsts,
  blocks: new Map(),
})

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

/** Reads the pieces of a run's filter that are not in memory, until that has no more room. Ends a step after each. */
export const warmFilter = function* (run: KeyRun, pager: Pager): Generator<void, void, undefined> {
  for (let piece = 0; piece < run.filter.length && pager.held + filterBytes <= pager.bytesMax; piece++) {
    filterPiece(run, piece, pager)
    yield
  }
}

const mayHaveKey = (run: KeyRun, hash: number, more: number, pager: Pager): boolean => {
  const line = filterLineOf(run.stored.filterLines, hash)
  const piece = Math.floor(line / linesPerPiece)
  return isInLine(filterPiece(run, piece, pager), line - piece * linesPerPiece, hash, more)
}

const filterPiece = ({ stored, filter }: KeyRun, piece: number, pager: Pager): BloomFilter => {
  const read = (): BloomFilter => {
    pager.reads += 1
    return new Uint32Array(openValue(pager.read, stored.value + stored.blocks + piece).buffer)
  }
  return derivedOr(pager, filter[piece]!, read, ({ byteLength }) => byteLength + keptBytes)!
}

/** Visits the rows of records with this hash, the newest first, until a visit returns false. */
export const visitRun = (
  run: KeyRun,
  hash: number,
  more: number,
  pager: Pager,
  visit: (row: number) => unknown,
): void => {
  if (more !== listedMore && !mayHaveKey(run, hash, more, pager)) return
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
