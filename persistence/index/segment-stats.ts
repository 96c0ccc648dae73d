import { viewsAt } from '../base/columns.ts'
import { countRow, newFigures } from './figures.ts'
import { never, receivedSums, transactionSums } from './rows.ts'
import type { ReceivedTable, SegmentStats, Table, TransactionTable } from './table-type.ts'

/** Adds a new or loaded row to its segment's statistics; rows come in order. */
export const summarise = (table: Table, row: number): void => {
  const { bits, mask } = table.rows.schema
  if (table.segmentStats.length === row >>> bits) table.segmentStats.push(newSegmentStats())
  const stats = table.segmentStats[row >>> bits]!
  const atMs = viewsAt(table.rows, row).createdAtMs[row & mask]!
  if (atMs < stats.minCreatedAtMs) stats.minCreatedAtMs = atMs
  if (atMs > stats.maxCreatedAtMs) stats.maxCreatedAtMs = atMs
  if (atMs < stats.lastCreatedAtMs) stats.isSorted = false
  stats.lastCreatedAtMs = atMs
  tally(table, row, 1)
}

/** Counts a row into its segment's figures, or out of them before it changes. */
export const tally = (table: Table, row: number, sign: 1 | -1): void => {
  const { bits, mask } = table.rows.schema
  const stats = table.segmentStats[row >>> bits]!
  const n = row & mask
  switch (table.kind) {
    case 'transaction': {
      const views = viewsAt((table as TransactionTable).rows, row)
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
      const views = viewsAt((table as ReceivedTable).rows, row)
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
  byAmount: null,
  bloomFilter: null,
})
