import {
  type ColumnArray,
  type ColumnType,
  encodePlain,
  sealInto,
  storedBytesMax,
  takeRows,
} from './column-code.ts'

/**
 * Some columns of a segment a second time, in blocks of few rows: a search that finds single rows in very many segments reads a page for each, where
 * the same columns by themselves are many pages each. So a block has as many rows as usually fit into a page of its own. LMDB puts what is shorter than
 * half of one into the leaves of its tree, and a start checks every leaf. A segment has so many blocks at most.
 */
export const blocksMax = 64

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
