import type { Work } from '../../engine/kernel/work.ts'
import type {
  TransactionFilter,
  TransactionOrder,
  TransactionPosition,
} from '../../engine/payments/transaction/search.ts'
import { amountRange } from './amounts.ts'
import type { GroupSums, SegmentRows } from './group-sums.ts'
import { keepWhere } from './keep.ts'
import { compareIds, packId } from './packed-id.ts'
import { type TransactionViews, transactionSums } from './rows.ts'
import { rowsCreatedBy, type Selection } from './selection.ts'
import type { TransactionTable } from './table-type.ts'
import { findTerms, type Surroundings } from './terms.ts'

/** Transactions that a filter means, of groups that `sums` wants, behind a position where there is one. */
export const selectTransactions = function* (
  table: TransactionTable,
  filter: TransactionFilter,
  order: TransactionOrder,
  after: TransactionPosition | null,
  sums: GroupSums,
  sumsUp: boolean,
  surroundings: Surroundings,
): Work<Selection> {
  const born = rowsCreatedBy(table, filter.asOf)
  const only = filter.id === null ? null : (surroundings.rowOfId(filter.id) ?? born)
  const amounts = amountRange(
    table,
    filter.minAmountCents ?? 0,
    filter.maxAmountCents ?? Number.POSITIVE_INFINITY,
  )
  const isBehind = after === null ? null : comesAfter(order, after)
  const byTime = order.by === 'createdAt' ? after : null
  const terms = yield* findTerms(table, filter, surroundings)

  /** Rows of wanted groups whose amounts are left out, where that is quickly said. */
  const countOutside = (segment: number): { readonly rows: SegmentRows; readonly count: number } | null => {
    const rows = amounts.outside(segment)
    if (rows === null) return null
    return { rows, count: sums.keepWanted(table.rows.segments[segment]!.views.group, rows, rows.length) }
  }

  const countOf = (segment: number, isAll: boolean): number | null => {
    const span = table.spans[segment]!
    if (amounts.leavesOut(span)) return 0
    const count = sums.countOf(span.figures)
    if (count === 0) return 0
    if (!isAll || terms.areAny || isBehind !== null || !span.figures.isExact) return null
    if (amounts.covers(span)) return count
    const without = countOutside(segment)
    return without && count - without.count
  }

  const tallySpan = (segment: number): void => {
    if (!sumsUp) return
    const span = table.spans[segment]!
    sums.addFigures(span.figures)
    if (amounts.covers(span)) return
    const { rows, count } = countOutside(segment)!
    addRows(segment, rows, count, -1)
  }

  const addRows = (segment: number, rows: SegmentRows, count: number, sign: 1 | -1): void => {
    const { views } = table.rows.segments[segment]!
    sums.addRows(table.spans[segment]!.figures, views.group, transactionSums(views), rows, count, sign)
  }

  const narrow = (segment: number, rows: SegmentRows, all: number, doAmountsFit: boolean): number => {
    if (terms.ruleOut(segment)) return 0
    const { views } = table.rows.segments[segment]!
    const span = table.spans[segment]!
    let count = all
    if (!doAmountsFit && !amounts.covers(span)) count = amounts.keep(segment, rows, count)
    if (!sums.wantsAll(span.figures)) count = sums.keepWanted(views.group, rows, count)
    count = terms.keep(segment, rows, count)
    return isBehind === null ? count : keepWhere((n) => isBehind(views, n), rows, count)
  }

  return {
    first: only ?? 0,
    end: only === null ? born : Math.min(born, only + 1),
    fromMs: Math.max(
      filter.fromMs ?? -Infinity,
      byTime !== null && !order.isDescending ? byTime.at : -Infinity,
    ),
    toMs: Math.min(filter.toMs ?? Infinity, byTime !== null && order.isDescending ? byTime.at + 1 : Infinity),
    countOf,
    ofAmounts: (segment) =>
      amounts.covers(table.spans[segment]!) || terms.ruleOut(segment) ? null : amounts.inside(segment),
    narrow,
    isOfGroup: (segment, row) => sums.wants(table.rows.segments[segment]!.views.group[row]!),
    confirms: terms.confirms,
    tallySpan,
    tallyRows: (segment, rows, count) => {
      if (sumsUp) addRows(segment, rows, count, 1)
    },
  }
}

/** Whether a row stands behind a position: its id decides where time or amount are the same. */
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
