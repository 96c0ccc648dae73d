import { firstWhere } from '../bisect.ts'
import { filterBetween } from './filter-rows.ts'
import type { SegmentRows } from './group-sums.ts'
import type { SegmentStats, TransactionTable } from './table-type.ts'

/** A range of amounts, both ends included. */
export type AmountRange = {
  readonly leavesOut: (stats: SegmentStats) => boolean
  readonly covers: (stats: SegmentStats) => boolean
  /** The rows of a full segment inside it, ordered by amount; null when the segment has no such order. */
  readonly inside: (segment: number) => SegmentRows | null
  /** The rows of a full segment outside it, if they are the smaller part. The array is reused by the next call. */
  readonly outside: (segment: number) => SegmentRows | null
  /** Keeps those of the first `count` rows of a segment that are inside it. Returns how many. */
  readonly filter: (segment: number, rows: SegmentRows, count: number) => number
}

/** Prepares a range of amounts for one table. */
export const amountRange = (table: TransactionTable, min: number, max: number): AmountRange => {
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
    outside: (segment) => {
      const found = places(segment)
      if (found === null) return null
      const { order, start, end } = found
      if (2 * (end - start) < order.length) return null
      others.set(order.subarray(0, start))
      others.set(order.subarray(end), start)
      return others.subarray(0, start + order.length - end)
    },
    filter: (segment, rows, count) =>
      filterBetween(table.rows.segments[segment]!.views.amountCents, min, max, rows, count),
  }
}

/**
 * A full segment's rows ordered by amount, which never changes: a range of amounts is a slice of it, with the largest
 * at the end. Made on first use; null while the segment still grows.
 */
export const rowsByAmount = (table: TransactionTable, segment: number): SegmentRows | null => {
  const stats = table.segmentStats[segment]!
  const { rowsPerSegment } = table.rows.schema
  if (table.rows.count < (segment + 1) * rowsPerSegment || !stats.figures.isExact) return null
  if (stats.byAmount === null) {
    const { amountCents } = table.rows.segments[segment]!.views
    // Amount and row in one number, with room for twelve digits and a segment's rows: it sorts without a comparison
    // function.
    const keys = amountCents.map((cents, row) => cents * rowsPerSegment + row).sort()
    stats.byAmount = Uint16Array.from(keys, (key) => key % rowsPerSegment)
  }
  return stats.byAmount
}

const others: SegmentRows = new Uint16Array(65_536)
