import type { Work } from '../../engine/kernel/work.ts'
import type { ColumnArray } from '../base/column-code.ts'
import { type TimeSlice, yieldIfDue } from '../base/time-slice.ts'

/**
 * The amounts of some rows by group, in order, with everything that is summed up beside each: how many rows of a group lie in a range of amounts,
 * and their sums, follow from a few blocks. Bytes that can be stored, about four for each row.
 *
 * Of each group every column is a constant, or the same as the amounts, or blocks of 64 rows: for each block its lowest number and the sum of
 * the rows before it, and for each row what it has above the lowest. All numbers are little-endian, as in the arrays of this process.
 */
export type GroupedAmounts = { readonly groups: readonly AmountGroup[]; readonly bytes: Uint8Array }

/** A group's columns in the order of `Figures`: the amounts come first. */
export type AmountGroup = { readonly count: number; readonly columns: readonly OrderedColumn[] }

type OrderedColumn = Constant | SameAsAmounts | Blocks
type Constant = { readonly kind: 'CONSTANT'; readonly value: number }
type SameAsAmounts = { readonly kind: 'SAME' }
type Blocks = {
  readonly kind: 'BLOCKS'
  readonly lowest: Float64Array
  readonly before: Float64Array
  readonly above: ColumnArray
}

/**
 * The rows of some groups in a range of amounts: for each group of a run's figures, where its rows begin and end
 * (exclusive).
 */
export type GroupedRange = {
  readonly amounts: GroupedAmounts
  readonly count: number
  readonly from: readonly number[]
  readonly to: readonly number[]
}

const blockBits = 6
const blockRows = 1 << blockBits

/** Amounts below this can be grouped: with a row's number behind it, one is an exact double. */
export const groupedCentsMax = 2 ** 36
const rowsMax = 2 ** 16

/** The rows whose amounts are to be grouped, as they were at one moment. */
export type RowsToGroup = {
  /** How many rows each group has. */
  readonly counts: readonly number[]
  /** The place of each row's group. */
  readonly groups: Uint16Array
  readonly columns: readonly Float64Array[]
}

/** Groups rows, in milliseconds for each ten thousand. `mark` is stored in front of them. */
export const groupAmounts = function* (
  { counts, groups, columns }: RowsToGroup,
  mark: readonly number[],
  slice: TimeSlice,
): Work<GroupedAmounts> {
  const [cents] = columns as [Float64Array]
  const keys = new Float64Array(groups.length)
  const next = startsOf(counts)
  for (let row = 0; row < groups.length; row++) {
    const group = groups[row]!
    keys[next[group]!] = cents[row]! * rowsMax + row
    next[group]! += 1
  }
  yield* yieldIfDue(slice)
  const made: AmountGroup[] = []
  let start = 0
  for (const count of counts) {
    const ordered = keys.subarray(start, start + count).sort()
    start += count
    yield* yieldIfDue(slice)
    const amounts = new Float64Array(count)
    const own: OrderedColumn[] = []
    for (const column of columns) {
      const values = column === cents ? amounts : new Float64Array(count)
      for (let n = 0; n < count; n++) values[n] = column[ordered[n]! % rowsMax]!
      own.push(orderedColumn(values, amounts))
      yield* yieldIfDue(slice)
    }
    made.push({ count, columns: own })
  }
  return unpackAmounts(packAmounts(made, mark), mark.length)
}

const startsOf = (counts: readonly number[]): number[] => {
  let start = 0
  return counts.map((count) => {
    start += count
    return start - count
  })
}

const orderedColumn = (values: Float64Array, amounts: Float64Array): OrderedColumn => {
  const { length } = values
  const [first = 0] = values
  let isConstant = true
  let isSame = values !== amounts
  for (let n = 0; n < length && (isConstant || isSame); n++) {
    if (values[n] !== first) isConstant = false
    if (values[n] !== amounts[n]) isSame = false
  }
  if (isConstant) return { kind: 'CONSTANT', value: first }
  if (isSame) return { kind: 'SAME' }
  const blocks = Math.ceil(length / blockRows)
  const lowest = new Float64Array(blocks)
  const before = new Float64Array(blocks)
  const above = new Float64Array(length)
  let sum = 0
  let highest = 0
  for (let block = 0; block < blocks; block++) {
    const from = block << blockBits
    const to = Math.min(length, from + blockRows)
    let low = values[from]!
    for (let n = from + 1; n < to; n++) if (values[n]! < low) low = values[n]!
    lowest[block] = low
    before[block] = sum
    for (let n = from; n < to; n++) {
      const more = values[n]! - low
      above[n] = more
      if (more > highest) highest = more
      sum += values[n]!
    }
  }
  return { kind: 'BLOCKS', lowest, before, above: arrayOf(bytesFor(highest), above) }
}

const bytesFor = (highest: number): Bytes =>
  highest < 2 ** 8 ? 1 : highest < 2 ** 16 ? 2 : highest < 2 ** 32 ? 4 : 8

type Bytes = 1 | 2 | 4 | 8
const arrays = { 1: Uint8Array, 2: Uint16Array, 4: Uint32Array, 8: Float64Array } as const
const arrayOf = (bytes: Bytes, values: Float64Array): ColumnArray => new arrays[bytes](values)

const constant = 0
const same = -1

const roundedUp = (bytes: number): number => (bytes + 7) & ~7

/** The mark, how many groups and columns there are, for each group its count and for each column its kind and constant, then the blocks. */
const packAmounts = (groups: readonly AmountGroup[], mark: readonly number[]): Uint8Array => {
  const all = groups.flatMap(({ columns }) => columns)
  const head = [
    ...mark,
    groups.length,
    groups[0]?.columns.length ?? 0,
    ...groups.flatMap(({ count, columns }) => [
      count,
      ...columns.flatMap((column) => [kindOf(column), column.kind === 'CONSTANT' ? column.value : 0]),
    ]),
  ]
  const parts = all.flatMap((column) =>
    column.kind === 'BLOCKS' ? [column.lowest, column.before, column.above] : [],
  )
  const bytes = parts.reduce((sum, { byteLength }) => sum + roundedUp(byteLength), 8 * head.length)
  const packed = new Uint8Array(bytes)
  packed.set(new Uint8Array(Float64Array.from(head).buffer))
  let at = 8 * head.length
  for (const { buffer, byteOffset, byteLength } of parts) {
    packed.set(new Uint8Array(buffer, byteOffset, byteLength), at)
    at += roundedUp(byteLength)
  }
  return packed
}

const kindOf = (column: OrderedColumn): number => {
  if (column.kind === 'BLOCKS') return column.above.BYTES_PER_ELEMENT
  return column.kind === 'CONSTANT' ? constant : same
}

/** Reads grouped amounts behind a mark of so many numbers; the bytes must be aligned to eight. */
export const unpackAmounts = (bytes: Uint8Array, markLength: number): GroupedAmounts => {
  const { buffer, byteOffset } = bytes
  const head = new Float64Array(buffer, byteOffset, bytes.length >> 3)
  let place = markLength
  const groupCount = head[place++]!
  const columnCount = head[place++]!
  let at = byteOffset + 8 * (place + groupCount * (1 + 2 * columnCount))
  const take = (size: Bytes, length: number): ColumnArray => {
    const array = new arrays[size](buffer as ArrayBuffer, at, length)
    at += roundedUp(array.byteLength)
    return array
  }
  const groups = Array.from({ length: groupCount }, () => {
    const count = head[place++]!
    const columns = Array.from({ length: columnCount }, (): OrderedColumn => {
      const kind = head[place++]!
      const value = head[place++]!
      if (kind === constant) return { kind: 'CONSTANT', value }
      if (kind === same) return { kind: 'SAME' }
      const blocks = Math.ceil(count / blockRows)
      const lowest = take(8, blocks) as Float64Array
      const before = take(8, blocks) as Float64Array
      return { kind: 'BLOCKS', lowest, before, above: take(kind as Bytes, count) }
    })
    return { count, columns }
  })
  return { groups, bytes }
}

/** The mark in front of stored amounts. */
export const markOf = (bytes: Uint8Array, length: number): readonly number[] =>
  bytes.length < 8 * length ? [] : Array.from(new Float64Array(bytes.buffer, bytes.byteOffset, length))

/** How many rows of a group have less than this amount. */
export const rowsBelow = ({ count, columns }: AmountGroup, cents: number): number => {
  const amounts = columns[0]!
  if (amounts.kind !== 'BLOCKS') return amounts.kind === 'CONSTANT' && amounts.value < cents ? count : 0
  const { lowest, above } = amounts
  let [low, high] = [0, lowest.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if (lowest[middle]! < cents) low = middle + 1
    else high = middle
  }
  if (low === 0) return 0
  const block = low - 1
  const end = Math.min(count, low << blockBits)
  let row = block << blockBits
  while (row < end && lowest[block]! + above[row]! < cents) row += 1
  return row
}

/** The sum of a column over the rows of a group from one place to another (exclusive). */
export const sumOfRows = (group: AmountGroup, column: number, from: number, to: number): number => {
  const own = group.columns[column]!
  if (own.kind === 'CONSTANT') return own.value * (to - from)
  if (own.kind === 'SAME') return sumOfRows(group, 0, from, to)
  return sumOfFirst(own, to) - sumOfFirst(own, from)
}

const sumOfFirst = ({ lowest, before, above }: Blocks, rows: number): number => {
  if (rows === 0) return 0
  const block = (rows - 1) >>> blockBits
  let sum = before[block]!
  for (let row = block << blockBits; row < rows; row++) sum += lowest[block]! + above[row]!
  return sum
}
