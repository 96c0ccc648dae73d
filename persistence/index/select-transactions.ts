import type { Work } from '../../engine/kernel/work.ts'
import type {
  TransactionFilter,
  TransactionOrder,
  TransactionPosition,
} from '../../engine/payments/transaction/search.ts'
import { someRows, viewsOf } from '../base/columns.ts'
import { compareIds, packId } from '../base/packed-id.ts'
import { amountRange } from './amounts.ts'
import { filterBetween, filterWhere } from './filter-rows.ts'
import type { GroupSums } from './group-sums.ts'
import { type TransactionViews, transactionSums } from './rows.ts'
import { rowsToFilter } from './rows-to-filter.ts'
import { makeAmounts, runAt } from './runs.ts'
import { settlingRows } from './scheduled.ts'
import type { SegmentRows } from './segment-rows.ts'
import { rowsCreatedBy, type Selection } from './selection.ts'
import type { SegmentStats, TransactionTable } from './table-type.ts'
import { findTerms, type Surroundings } from './terms.ts'

/** Selects transactions that match a filter, in the groups that `sums` wants, after a position if there is one. */
export const selectTransactions = function* (
  table: TransactionTable,
  filter: TransactionFilter,
  order: TransactionOrder,
  after: TransactionPosition | null,
  sums: GroupSums,
  sumsUp: boolean,
  surroundings: Surroundings,
): Work<Selection> {
  const { bits } = table.rows.schema
  const rowsThen = rowsCreatedBy(table, filter.asOf)
  const { places, first, end } = placesOf(filter.ids, rowsThen, surroundings)
  const amounts = amountRange(
    table,
    filter.minAmountCents ?? 0,
    filter.maxAmountCents ?? Number.POSITIVE_INFINITY,
  )
  const isBehind = after === null ? null : comesAfter(order, after)
  const byTime = order.by === 'createdAt' ? after : null
  const terms = yield* findTerms(table, filter, surroundings)
  const approved = filter.dateField === 'approvedAt' ? whenApproved(filter) : null
  const settling =
    filter.dateField === 'settledOn' ? yield* settlingRows(table, filter, surroundings.slice) : null
  const picks = terms.areAny || places !== null || approved !== null || settling !== null
  const isEmpty = (segment: number): boolean =>
    isOutside(approved, table.segmentStats[segment]!) || settling?.counts[segment] === 0

  const countOf = (segment: number, isAll: boolean): number | null => {
    const stats = table.segmentStats[segment]!
    if (amounts.leavesOut(stats) || isEmpty(segment)) return 0
    const count = sums.countOf(stats.figures)
    if (count === 0) return 0
    if (!isAll || picks || isBehind !== null || !stats.figures.isExact) return null
    if (amounts.covers(stats)) return count
    return null
  }

  const tallyStats = (segment: number): void => {
    if (!sumsUp) return
    sums.addFigures(table.segmentStats[segment]!.figures)
  }

  const prepareRun = function* (number: number): Work<void> {
    if (picks || isBehind !== null) return
    const run = runAt(table, number)
    const isByAmount = run !== null && !amounts.leavesOut(run) && !amounts.covers(run)
    if (isByAmount && sums.countOf(run.figures) > 0) yield* makeAmounts(table, number, surroundings.slice)
  }

  const countOfRun = (number: number): number | null => {
    if (picks || isBehind !== null) return null
    const run = runAt(table, number)
    if (run === null || amounts.leavesOut(run)) return run && 0
    const count = sums.countOf(run.figures)
    if (count === 0 || amounts.covers(run)) return count
    return amounts.grouped(run, sums)?.count ?? null
  }

  const tallyRun = (number: number): void => {
    if (!sumsUp) return
    const run = runAt(table, number)!
    if (amounts.covers(run)) sums.addFigures(run.figures)
    else sums.addGrouped(run.figures, amounts.grouped(run, sums)!)
  }

  const narrow = (segment: number, rows: SegmentRows, all: number, doAmountsFit: boolean): number => {
    const stats = table.segmentStats[segment]!
    if (isEmpty(segment)) return 0
    const some = rowsToFilter(table.rows, segment, rows, all)
    const { views, places: at, rowAt } = some
    const first = segment << bits
    let count = all
    if (!doAmountsFit && !amounts.covers(stats)) count = amounts.filter(views.amountCents, at, count)
    if (!sums.wantsAll(stats.figures)) count = sums.filterWanted(views.group, at, count)
    if (places !== null) count = filterWhere((n) => places.has(first | rowAt(n)), at, count)
    if (settling !== null) count = filterWhere((n) => settling.marks[first | rowAt(n)] === 1, at, count)
    if (approved !== null)
      count = filterBetween(views.approvedAtMs, approved.fromMs, approved.lastMs, at, count)
    count = terms.filter(first, some, count)
    if (isBehind !== null) count = filterWhere((n) => isBehind(views, n), at, count)
    some.keep(count)
    return count
  }

  return {
    first,
    end,
    fromMs: Math.max(
      (filter.dateField === 'createdAt' ? filter.fromMs : null) ?? -Infinity,
      byTime !== null && !order.isDescending ? byTime.at : -Infinity,
    ),
    toMs: Math.min(
      (filter.dateField === 'createdAt' ? filter.toMs : null) ?? Infinity,
      byTime !== null && order.isDescending ? byTime.at + 1 : Infinity,
    ),
    rows: bySegment(table, terms.rows ?? places),
    countOf,
    prepareRun,
    countOfRun,
    tallyRun,
    ofAmounts: (segment) => (amounts.covers(table.segmentStats[segment]!) ? null : amounts.inside(segment)),
    narrow,
    isOfGroup: (segment, row) => sums.wants(viewsOf(table.rows, segment).group[row]!),
    confirms: terms.confirms,
    tallyStats,
    tallyRows: (segment, rows, count) => {
      if (!sumsUp || count === 0) return
      const { views, places } = someRows(table.rows, segment, rows.subarray(0, count))
      sums.addRows(table.segmentStats[segment]!.figures, views.group, transactionSums(views), places, count)
    },
  }
}

const bySegment = (
  { rows: { schema } }: TransactionTable,
  rows: ReadonlySet<number> | null,
): ReadonlyMap<number, readonly number[]> | null => {
  if (rows === null) return null
  const found = new Map<number, number[]>()
  for (const row of rows) {
    const own = found.get(row >>> schema.bits)
    if (own === undefined) found.set(row >>> schema.bits, [row & schema.mask])
    else own.push(row & schema.mask)
  }
  return found
}

/** When a payment must have been approved, the last millisecond included: without bounds too, because not all are. */
const whenApproved = ({ fromMs, toMs }: TransactionFilter) => ({
  fromMs: fromMs ?? -Infinity,
  lastMs: (toMs ?? Number.MAX_SAFE_INTEGER) - 1,
})

/** Whether no transaction of a segment was approved then. */
const isOutside = (
  approved: ReturnType<typeof whenApproved> | null,
  { minApprovedAtMs, maxApprovedAtMs }: SegmentStats,
): boolean => approved !== null && (maxApprovedAtMs < approved.fromMs || minApprovedAtMs > approved.lastMs)

/** The rows of these ids, and from where to where they are; all rows where no ids are asked for. */
const placesOf = (
  ids: readonly string[],
  rowsThen: number,
  { rowOfId }: Surroundings,
): { readonly places: ReadonlySet<number> | null; readonly first: number; readonly end: number } => {
  if (ids.length === 0) return { places: null, first: 0, end: rowsThen }
  const places = new Set(ids.flatMap((id) => rowOfId(id) ?? []).filter((row) => row < rowsThen))
  if (places.size === 0) return { places, first: rowsThen, end: rowsThen }
  return { places, first: Math.min(...places), end: Math.max(...places) + 1 }
}

/** Whether a row comes after a position; ids decide when time or amount are equal. */
const comesAfter = (
  { by, isDescending }: TransactionOrder,
  { at, id }: TransactionPosition,
): ((views: TransactionViews, n: number) => boolean) => {
  const packed = packId('txn', id)?.slice() ?? null
  const sign = isDescending ? -1 : 1
  const idSign = by === 'amount' ? -1 : sign
  return (views, n) => {
    const key = by === 'amount' ? views.amountCents[n]! : views.createdAtMs[n]!
    if (key !== at) return sign * (key - at) > 0
    return packed !== null && idSign * compareIds(views.id, n, packed, 0) > 0
  }
}
