import type { ListFilter } from '../../engine/kernel/ports.ts'
import type { Work } from '../../engine/kernel/work.ts'
import { firstWhere } from '../base/bisect.ts'
import { someRows, viewsAt, viewsOf } from '../base/columns.ts'
import { filterWhere } from './filter-rows.ts'
import type { GroupSums } from './group-sums.ts'
import { type LabelledViews, receivedSums } from './rows.ts'
import type { SegmentRows } from './segment-rows.ts'
import type { ReceivedTable, Table } from './table-type.ts'

/** Which rows of a table match, and how to count them. */
export type Selection = {
  /** Only rows from `first` to `end` (exclusive), created in [fromMs, toMs). */
  readonly first: number
  readonly end: number
  readonly fromMs: number
  readonly toMs: number
  /** The only rows that may match, as places in their segments; null for all. */
  readonly rows: ReadonlyMap<number, readonly number[]> | null
  /** How many of a segment's rows match, if its statistics tell. `isAll` means that place and time exclude none. */
  readonly countOf: (segment: number, isAll: boolean) => number | null
  /** Makes what `countOfRun` needs, where that is worth it. */
  readonly prepareRun: (number: number) => Work<void>
  /** How many of a run's rows match, if its statistics tell; place and time exclude none. */
  readonly countOfRun: (number: number) => number | null
  /** The rows of a whole segment with matching amounts, if its order makes reading all unnecessary; null otherwise. */
  readonly ofAmounts: (segment: number) => SegmentRows | null
  /**
   * Keeps those of the first `count` rows whose columns match, in any order. Amounts may be known to match already.
   * Returns how many.
   */
  readonly narrow: (segment: number, rows: SegmentRows, count: number, doAmountsFit: boolean) => number
  /** Whether a row's group is wanted: the only check left when statistics answer the rest. */
  readonly isOfGroup: (segment: number, row: number) => boolean
  /** Checks the state when columns are not certain; null if they always are. */
  readonly confirms: ((row: number) => boolean) | null
  /** Sums up a whole segment that was counted by its statistics. */
  readonly tallyStats: (segment: number) => void
  /** Sums up a run that was counted by its statistics, and has matches. */
  readonly tallyRun: (number: number) => void
  /** Sums up found rows of a segment. */
  readonly tallyRows: (segment: number, rows: SegmentRows, count: number) => void
}

const nothingToPrepare = function* (): Work<void> {}

/** Selects actors of kinds with a label: by the label, and by state if needed. */
export const selectLabelled = <State>(
  table: Table,
  filter: ListFilter<State>,
  stateOf: (row: number) => State,
): Selection => {
  const { fits, matches } = filter
  /** Each label is tested once, but for those that come between slices: 1 if it fits, 2 if not. */
  const known = new Uint8Array(table.labels.all.length)
  const labelFits = (label: number): boolean => {
    if (label >= known.length) return fits!(table.labels.all[label]!)
    if (known[label] === 0) known[label] = fits!(table.labels.all[label]!) ? 1 : 2
    return known[label] === 1
  }
  return {
    first: 0,
    end: rowsCreatedBy(table, filter.asOf ?? null),
    fromMs: filter.fromMs ?? -Infinity,
    toMs: filter.toMs ?? Infinity,
    rows: null,
    countOf: () => null,
    prepareRun: nothingToPrepare,
    countOfRun: () => null,
    tallyRun: () => undefined,
    ofAmounts: () => null,
    narrow: (segment, rows, count) => {
      if (!fits) return count
      const { label } = viewsOf((table as Table<LabelledViews>).rows, segment)
      return filterWhere((n) => labelFits(label[n]!), rows, count)
    },
    isOfGroup: () => true,
    confirms: matches ? (row) => matches(stateOf(row)) : null,
    tallyStats: () => undefined,
    tallyRows: () => undefined,
  }
}

/** Selects all received PIX of a time range, to sum them up. */
export const selectReceived = (
  table: ReceivedTable,
  fromMs: number,
  toMs: number,
  sums: GroupSums,
): Selection => ({
  first: 0,
  end: table.rows.count,
  fromMs,
  toMs,
  rows: null,
  countOf: (segment, isAll) => {
    const { figures } = table.segmentStats[segment]!
    return isAll && figures.isExact ? sums.countOf(figures) : null
  },
  prepareRun: nothingToPrepare,
  countOfRun: () => null,
  tallyRun: () => undefined,
  ofAmounts: () => null,
  narrow: (_, __, count) => count,
  isOfGroup: () => true,
  confirms: null,
  tallyStats: (segment) => sums.addFigures(table.segmentStats[segment]!.figures),
  tallyRows: (segment, rows, count) => {
    const { views, places } = someRows(table.rows, segment, rows.subarray(0, count))
    sums.addRows(table.segmentStats[segment]!.figures, views.group, receivedSums(views), places, count)
  },
})

/** How many rows there were at a sequence: rows are in order of creation. */
export const rowsCreatedBy = ({ rows }: Table, asOf: number | null): number => {
  if (asOf === null) return rows.count
  const { mask } = rows.schema
  return firstWhere(0, rows.count, (row) => viewsAt(rows, row).createdSequence[row & mask]! > asOf)
}
