import { transactionSums } from './rows.ts'
import { rowsByAmount } from './rows-by-amount.ts'
import type { SegmentRows } from './segment-rows.ts'
import type { GroupedRows, TransactionTable } from './table-type.ts'

/** One sum for so many rows: fewer take more memory, more take longer to add up at both ends of a range. */
const rowsPerSum = 16

/**
 * A full segment's rows by group and then by amount: the rows of a group in a range of amounts are next to each other, and their sums
 * are a difference. Made on first use and after a row has changed; null while the segment still grows.
 */
export const groupedRows = (table: TransactionTable, segment: number): GroupedRows | null => {
  const stats = table.segmentStats[segment]!
  if (stats.grouped !== null) return stats.grouped
  const order = rowsByAmount(table, segment)
  if (order === null) return null
  const { views } = table.rows.segments[segment]!
  const { codes, values } = stats.figures
  const columns = transactionSums(views)
  const width = 1 + columns.length
  const starts = new Uint16Array(codes.length + 1)
  const next = new Map<number, number>()
  codes.forEach((code, n) => {
    next.set(code, starts[n]!)
    starts[n + 1] = starts[n]! + values[n * width]!
  })
  const rows: SegmentRows = new Uint16Array(order.length)
  for (const row of order) {
    const code = views.group[row]!
    const at = next.get(code)!
    rows[at] = row
    next.set(code, at + 1)
  }
  stats.grouped = { starts, rows, sums: columns.map((column) => sumsOf(column, rows)) }
  return stats.grouped
}

/** The sums of the first 0, 16, 32 … rows. */
const sumsOf = (column: Float64Array, rows: SegmentRows): Float64Array => {
  const sums = new Float64Array(1 + rows.length / rowsPerSum)
  let sum = 0
  for (let n = 0; n < rows.length; n++) {
    sum += column[rows[n]!]!
    if ((n + 1) % rowsPerSum === 0) sums[(n + 1) / rowsPerSum] = sum
  }
  return sums
}

/** The sum of a column over the rows from one place to another (exclusive). */
export const sumBetween = (
  { rows, sums }: GroupedRows,
  column: Float64Array,
  place: number,
  from: number,
  to: number,
): number => {
  const first = Math.floor(from / rowsPerSum)
  const last = Math.floor(to / rowsPerSum)
  let sum = sums[place]![last]! - sums[place]![first]!
  for (let n = last * rowsPerSum; n < to; n++) sum += column[rows[n]!]!
  for (let n = first * rowsPerSum; n < from; n++) sum -= column[rows[n]!]!
  return sum
}
