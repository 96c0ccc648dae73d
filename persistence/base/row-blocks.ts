import {
  type ColumnArray,
  type ColumnType,
  encodePlain,
  sealedHeadBytes,
  sealInto,
  storedBytesMax,
  takeRows,
} from './column-code.ts'

/**
 * Some columns of a segment a second time, in blocks of few rows, each with a checksum of its own: a search that finds single rows in very many
 * segments reads a page for each, where the same columns by themselves are many pages each. All blocks of a segment are one stored value, which
 * begins with where each of them begins: as values of their own they would make the tree of a file many times as large, and a start checks all of it.
 */
export const blocksPerSegment = 64

/** The bytes before the first block: a checksum of all, where each block begins, and where the last one ends. */
export const blocksHeadBytes = sealedHeadBytes + ((4 * (blocksPerSegment + 1) + 7) & ~7)

/** Writes into the head of a segment's blocks where one begins, or after the last one where that ends. */
export const noteBlock = (head: Uint8Array, block: number, at: number): void =>
  new DataView(head.buffer, head.byteOffset + sealedHeadBytes).setUint32(4 * block, at, true)

/** A block among those of a segment; empty where the head does not have it. */
export const blockIn = (blocks: Uint8Array, block: number): Uint8Array => {
  if (blocks.length < blocksHeadBytes) return blocks.subarray(0, 0)
  const head = new DataView(blocks.buffer, blocks.byteOffset + sealedHeadBytes)
  return blocks.subarray(head.getUint32(4 * block, true), head.getUint32(4 * block + 4, true))
}

const headBytes = 8
const directoryBytes = (columns: number): number => (2 * columns + 7) & ~7

/** Room for a block of so many rows. */
export const blockBytesMax = (types: readonly ColumnType[], rows: number): number =>
  headBytes + directoryBytes(types.length) + types.reduce((sum, type) => sum + storedBytesMax(type, rows), 0)

/** Writes a block of so many rows of these columns into `into`, which is aligned to eight bytes. Returns the bytes written. */
export const encodeBlock = (
  columns: readonly ColumnArray[],
  types: readonly ColumnType[],
  first: number,
  rows: number,
  key: number,
  into: Uint8Array,
): number => {
  const view = new DataView(into.buffer, into.byteOffset)
  let at = headBytes + directoryBytes(types.length)
  into.fill(0, 0, at)
  types.forEach((type, n) => {
    view.setUint16(headBytes + 2 * n, at, true)
    const column = columns[n]!.subarray(first * type.width, (first + rows) * type.width)
    at += encodePlain(column, type, rows, into.subarray(at))
  })
  sealInto(into.subarray(0, at), key)
  return at
}

/** Takes rows out of the column at a place in a checked block of so many. */
export const takeFromBlock = (
  block: Uint8Array,
  column: number,
  type: ColumnType,
  rows: number,
  taken: Uint16Array,
  into: ColumnArray,
): void => {
  const start = new DataView(block.buffer, block.byteOffset).getUint16(headBytes + 2 * column, true)
  takeRows(block.subarray(start), type, rows, taken, into)
}
