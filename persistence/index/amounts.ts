import { firstWhere } from '../base/bisect.ts'
import { viewsOf } from '../base/columns.ts'
import { filterBetween } from './filter-rows.ts'
import type { GroupSums } from './group-sums.ts'
import { type GroupedRange, rowsBelow } from './grouped-amounts.ts'
import { rowsByAmount } from './rows-by-amount.ts'
import { amountsOfRun } from './runs.ts'
import type { SegmentRows } from './segment-rows.ts'
import type { SegmentRun, SegmentStats, TransactionTable } from './table-type.ts'

/** A range of amounts, both ends included. */
export type AmountRange = {
  readonly leavesOut: (stats: AmountsOf) => boolean
  readonly covers: (stats: AmountsOf) => boolean
  /** The rows of a full segment inside it, ordered by amount; null when the segment has no such order. */
  readonly inside: (segment: number) => SegmentRows | null
  /** The rows of a run inside it that belong to wanted groups; null when the run is not grouped yet. */
  readonly grouped: (run: SegmentRun, sums: GroupSums) => GroupedRange | null
  /** Keeps those of the first `count` rows whose amounts are inside it. Returns how many. */
  readonly filter: (amountCents: Float64Array, rows: SegmentRows, count: number) => number
}

type AmountsOf = Pick<SegmentStats, 'minCents' | 'maxCents'>

/** Prepares a range of amounts for one table. */
export const amountRange = (table: TransactionTable, min: number, max: number): AmountRange => {
  let last: GroupedRange | null = null

  const places = (segment: number) => {
    const order = rowsByAmount(table, segment)
    if (order === null) return null
    const { amountCents } = viewsOf(table.rows, segment)
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
    grouped: (run, sums) => {
      const amounts = amountsOfRun(table, run)
      // A changed row gives another object.
      if (amounts === null || amounts === last?.amounts) return amounts && last
      const from: number[] = []
      const to: number[] = []
      let count = 0
      run.figures.codes.forEach((code, n) => {
        const group = amounts.groups[n]!
        const isWanted = sums.wants(code)
        from[n] = isWanted ? rowsBelow(group, min) : 0
        // Amounts are whole numbers.
        to[n] = isWanted ? Math.max(from[n]!, rowsBelow(group, Math.floor(max) + 1)) : 0
        count += to[n]! - from[n]!
      })
      last = { amounts, count, from, to }
      return last
    },
    filter: (amountCents, rows, count) => filterBetween(amountCents, min, max, rows, count),
  }
}
