import { firstWhere } from '../bisect.ts'
import { filterBetween } from './filter-rows.ts'
import type { GroupSums } from './group-sums.ts'
import { groupedRows } from './grouped-rows.ts'
import { rowsByAmount } from './rows-by-amount.ts'
import type { SegmentRows } from './segment-rows.ts'
import type { GroupedRows, SegmentStats, TransactionTable } from './table-type.ts'

/** A range of amounts, both ends included. */
export type AmountRange = {
  readonly leavesOut: (stats: SegmentStats) => boolean
  readonly covers: (stats: SegmentStats) => boolean
  /** The rows of a full segment inside it, ordered by amount; null when the segment has no such order. */
  readonly inside: (segment: number) => SegmentRows | null
  /** Those of them that belong to wanted groups, as ranges of its grouped rows; null for the same reason. */
  readonly grouped: (segment: number, sums: GroupSums) => GroupedRange | null
  /** Keeps those of the first `count` rows of a segment that are inside it. Returns how many. */
  readonly filter: (segment: number, rows: SegmentRows, count: number) => number
}

/** The rows of some groups in a range of amounts. The arrays are reused by the next call. */
export type GroupedRange = {
  readonly rows: GroupedRows
  readonly count: number
  /** For each group of the segment's figures, from where to where (exclusive) its rows are. */
  readonly from: Uint16Array
  readonly to: Uint16Array
}

/** Prepares a range of amounts for one table. */
export const amountRange = (table: TransactionTable, min: number, max: number): AmountRange => {
  const from = new Uint16Array(codesMax)
  const to = new Uint16Array(codesMax)
  let last: GroupedRange | null = null
  // Amounts are whole numbers.
  const nextAbove = Math.floor(max) + 1

  const places = (segment: number) => {
    const order = rowsByAmount(table, segment)
    if (order === null) return null
    const { amountCents } = table.rows.segments[segment]!.views
    const start = firstWhere(0, order.length, (n) => amountCents[order[n]!]! >= min)
    const end = firstWhere(0, order.length, (n) => amountCents[order[n]!]! > max)
    return { order, start, end }
  }

  return {
    leavesOut: (stats) => max < stats.minCents || min > stats.maxCents,
    covers: (stats) => min <= stats.minCents && stats.maxCents <= max,
    inside: (segment) => {
      const found = places(segment)
      return found === null ? null : found.order.subarray(found.start, found.end)
    },
    grouped: (segment, sums) => {
      const rows = groupedRows(table, segment)
      // Another object as soon as a row has changed.
      if (rows === null || rows === last?.rows) return rows && last
      const { codes } = table.segmentStats[segment]!.figures
      const { amountCents } = table.rows.segments[segment]!.views
      let count = 0
      codes.forEach((code, n) => {
        from[n] = rows.starts[n]!
        to[n] = from[n]!
        if (from[n] === rows.starts[n + 1] || !sums.wants(code)) return
        from[n] = placeIn(rows.rows, amountCents, from[n]!, rows.starts[n + 1]!, min)
        to[n] = placeIn(rows.rows, amountCents, from[n]!, rows.starts[n + 1]!, nextAbove)
        count += to[n]! - from[n]!
      })
      last = { rows, count, from, to }
      return last
    },
    filter: (segment, rows, count) =>
      filterBetween(table.rows.segments[segment]!.views.amountCents, min, max, rows, count),
  }
}

/** The first place of ordered rows, from one to another, with at least this amount. */
const placeIn = (
  rows: SegmentRows,
  amountCents: Float64Array,
  from: number,
  to: number,
  min: number,
): number => {
  let low = from
  let high = to
  while (low < high) {
    const middle = (low + high) >>> 1
    if (amountCents[rows[middle]!]! >= min) high = middle
    else low = middle + 1
  }
  return low
}

/** A segment has no more groups than rows. */
const codesMax = 4096
