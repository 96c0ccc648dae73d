import { filterBetween } from './filter-rows.ts'
import type { SegmentRows } from './group-sums.ts'
import type { SegmentStats, TransactionTable } from './table-type.ts'

/** A range of amounts, both ends included. */
export type AmountRange = {
  readonly leavesOut: (stats: SegmentStats) => boolean
  readonly covers: (stats: SegmentStats) => boolean
  /** The rows of a full segment that are in it, in the order of their amounts; null where none was made. */
  readonly inside: (segment: number) => SegmentRows | null
  /** The rows of a full segment that are not, where they are the lesser part: into an array good until the next call. */
  readonly outside: (segment: number) => SegmentRows | null
  /** Keeps of the first `count` rows of a segment those that are in it. Answers how many. */
  readonly filter: (segment: number, rows: SegmentRows, count: number) => number
}

export const amountRange = (table: TransactionTable, min: number, max: number): AmountRange => {
  const places = (segment: number) => {
    const order = rowsByAmount(table, segment)
    if (order === null) return null
    const { amountCents } = table.rows.segments[segment]!.views
    const start = placeOf(amountCents, order, (cents) => cents >= min)
    const end = placeOf(amountCents, order, (cents) => cents > max)
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
 * The rows of a full segment in the order of their amounts, which never change: a range of amounts is a piece of it, and
 * the largest are at its end. Made when it is first asked for; null where a segment still grows.
 */
export const rowsByAmount = (table: TransactionTable, segment: number): SegmentRows | null => {
  const stats = table.segmentStats[segment]!
  const { rowsPerSegment } = table.rows.schema
  if (table.rows.count < (segment + 1) * rowsPerSegment || !stats.figures.isExact) return null
  if (stats.byAmount === null) {
    const { amountCents } = table.rows.segments[segment]!.views
    // Amount and place in one number, which has room for twelve digits and a segment's rows: it sorts without a
    // comparison of ours.
    const keys = amountCents.map((cents, row) => cents * rowsPerSegment + row).sort()
    stats.byAmount = Uint16Array.from(keys, (key) => key % rowsPerSegment)
  }
  return stats.byAmount
}

/** The first place whose amount has got so far, as all behind it. */
const placeOf = (
  amountCents: Float64Array,
  order: SegmentRows,
  hasGotThere: (cents: number) => boolean,
): number => {
  let low = 0
  let high = order.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (hasGotThere(amountCents[order[middle]!]!)) high = middle
    else low = middle + 1
  }
  return low
}

const others: SegmentRows = new Uint16Array(65_536)
