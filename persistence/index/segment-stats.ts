import type { ListedKind } from '../../engine/kernel/registry.ts'
import { viewsOf } from '../base/columns.ts'
import { idMsAt } from '../base/packed-id.ts'
import { newDerived } from '../base/pager.ts'
import { countRow, newFigures } from './figures.ts'
import {
  never,
  type ReceivedViews,
  type RowViews,
  receivedSums,
  type TransactionViews,
  transactionSums,
} from './rows.ts'
import type { SegmentStats, Table } from './table-type.ts'

/** Adds a new row to its segment's statistics; rows come in order. */
export const summarise = (table: Table, row: number): void => {
  const { bits, mask } = table.rows.schema
  const segment = row >>> bits
  if (table.segmentStats.length === segment) table.segmentStats.push(newSegmentStats())
  countIn(table.segmentStats[segment]!, table.kind, viewsOf(table.rows, segment), row & mask)
}

/** Counts a row into its segment's figures, or out of them before it changes. */
export const tally = (table: Table, row: number, sign: 1 | -1): void => {
  const { bits, mask } = table.rows.schema
  const segment = row >>> bits
  const n = row & mask
  tallyIn(table.segmentStats[segment]!, table.kind, viewsOf(table.rows, segment), n, sign)
}

/** The statistics of the first rows of a segment. */
export const statsOf = (kind: ListedKind, views: RowViews, rows: number): SegmentStats => {
  const stats = newSegmentStats()
  for (let n = 0; n < rows; n++) {
    countIn(stats, kind, views, n)
    countDue(stats, never, views.dueAtMs[n]!)
    stats.awaiting += views.awaitsProvider[n]!
  }
  return stats
}

const countIn = (stats: SegmentStats, kind: ListedKind, views: RowViews, n: number): void => {
  const atMs = views.createdAtMs[n]!
  if (atMs < stats.minCreatedAtMs) stats.minCreatedAtMs = atMs
  if (atMs > stats.maxCreatedAtMs) stats.maxCreatedAtMs = atMs
  if (atMs < stats.lastCreatedAtMs) stats.isSorted = false
  stats.lastCreatedAtMs = atMs
  const idMs = idMsAt(views.id, n)
  if (idMs < stats.minIdMs) stats.minIdMs = idMs
  if (idMs > stats.maxIdMs) stats.maxIdMs = idMs
  tallyIn(stats, kind, views, n, 1)
}

/** Counts when a row is due, in the place of when it was. */
export const countDue = (stats: SegmentStats, before: number, after: number): void => {
  if (before === never && after !== never) stats.due += 1
  if (before !== never && after === never) stats.due -= 1
  if (after < stats.minDueAtMs) stats.minDueAtMs = after
}

const tallyIn = (stats: SegmentStats, kind: ListedKind, of: RowViews, n: number, sign: 1 | -1): void => {
  switch (kind) {
    case 'transaction': {
      const views = of as TransactionViews
      const cents = views.amountCents[n]!
      const approvedAtMs = views.approvedAtMs[n]!
      if (approvedAtMs < stats.minApprovedAtMs) stats.minApprovedAtMs = approvedAtMs
      if (approvedAtMs !== never && approvedAtMs > stats.maxApprovedAtMs) stats.maxApprovedAtMs = approvedAtMs
      if (cents < stats.minCents) stats.minCents = cents
      if (cents > stats.maxCents) stats.maxCents = cents
      countRow(stats.figures, views.group[n]!, sign, transactionSums(views), n)
      return
    }
    case 'received': {
      const views = of as ReceivedViews
      countRow(stats.figures, views.group[n]!, sign, receivedSums(views), n)
      return
    }
    default:
      return
  }
}

const newSegmentStats = (): SegmentStats => ({
  minCreatedAtMs: Number.POSITIVE_INFINITY,
  maxCreatedAtMs: Number.NEGATIVE_INFINITY,
  lastCreatedAtMs: Number.NEGATIVE_INFINITY,
  isSorted: true,
  minApprovedAtMs: Number.POSITIVE_INFINITY,
  maxApprovedAtMs: Number.NEGATIVE_INFINITY,
  minCents: Number.POSITIVE_INFINITY,
  maxCents: Number.NEGATIVE_INFINITY,
  figures: newFigures(),
  minIdMs: Number.POSITIVE_INFINITY,
  maxIdMs: Number.NEGATIVE_INFINITY,
  due: 0,
  minDueAtMs: Number.POSITIVE_INFINITY,
  isQueued: true,
  awaiting: 0,
  byAmount: newDerived(),
})

/** How many numbers precede the figures in stored statistics. */
const scalars = 14

/** The numbers of each code in a kind's figures: its count, then its sums. */
const figureWidths: Partial<Record<ListedKind, number>> = { transaction: 6, received: 3 }

/** Statistics as doubles, to be stored beside their segment. */
export const packStats = (kind: ListedKind, stats: SegmentStats): Uint8Array => {
  const { codes, values, isExact } = stats.figures
  const width = figureWidths[kind] ?? 0
  const packed = new Float64Array(scalars + codes.length * (1 + width))
  packed.set([
    stats.minCreatedAtMs,
    stats.maxCreatedAtMs,
    stats.lastCreatedAtMs,
    stats.isSorted ? 1 : 0,
    stats.minApprovedAtMs,
    stats.maxApprovedAtMs,
    stats.minCents,
    stats.maxCents,
    stats.minIdMs,
    stats.maxIdMs,
    stats.due,
    stats.minDueAtMs,
    stats.awaiting,
    isExact ? 1 : 0,
  ])
  packed.set(codes, scalars)
  packed.set(values.subarray(0, codes.length * width), scalars + codes.length)
  return new Uint8Array(packed.buffer)
}

/** Stored statistics. */
export const unpackStats = (kind: ListedKind, bytes: Uint8Array): SegmentStats => {
  const packed = new Float64Array(new Uint8Array(bytes).buffer)
  const codes = (packed.length - scalars) / (1 + (figureWidths[kind] ?? 0))
  return {
    minCreatedAtMs: packed[0]!,
    maxCreatedAtMs: packed[1]!,
    lastCreatedAtMs: packed[2]!,
    isSorted: packed[3] === 1,
    minApprovedAtMs: packed[4]!,
    maxApprovedAtMs: packed[5]!,
    minCents: packed[6]!,
    maxCents: packed[7]!,
    minIdMs: packed[8]!,
    maxIdMs: packed[9]!,
    due: packed[10]!,
    minDueAtMs: packed[11]!,
    isQueued: true,
    awaiting: packed[12]!,
    figures: {
      codes: Array.from(packed.subarray(scalars, scalars + codes)),
      values: packed.slice(scalars + codes),
      isExact: packed[13] === 1,
    },
    byAmount: newDerived(),
  }
}
