import { viewsAt } from './columns.ts'
import { count, newFigures } from './figures.ts'
import { receivedSums, transactionSums } from './rows.ts'
import type { ReceivedTable, Span, Table, TransactionTable } from './table-type.ts'

/** Takes a new row in, or one that was stored; rows come in order. */
export const summarise = (table: Table, row: number): void => {
  const { bits, mask } = table.rows.schema
  if (table.spans.length === row >>> bits) table.spans.push(newSpan())
  const span = table.spans[row >>> bits]!
  const atMs = viewsAt(table.rows, row).createdAtMs[row & mask]!
  if (atMs < span.minCreatedAtMs) span.minCreatedAtMs = atMs
  if (atMs > span.maxCreatedAtMs) span.maxCreatedAtMs = atMs
  if (atMs < span.lastCreatedAtMs) span.isSorted = false
  span.lastCreatedAtMs = atMs
  tally(table, row, 1)
}

/** Counts a row into the figures of its segment, or out of them before it changes. */
export const tally = (table: Table, row: number, sign: 1 | -1): void => {
  const { bits, mask } = table.rows.schema
  const span = table.spans[row >>> bits]!
  const n = row & mask
  switch (table.kind) {
    case 'transaction': {
      const views = viewsAt((table as TransactionTable).rows, row)
      const cents = views.amountCents[n]!
      if (cents < span.minCents) span.minCents = cents
      if (cents > span.maxCents) span.maxCents = cents
      count(span.figures, views.group[n]!, sign, transactionSums(views), n)
      return
    }
    case 'received': {
      const views = viewsAt((table as ReceivedTable).rows, row)
      count(span.figures, views.group[n]!, sign, receivedSums(views), n)
      return
    }
    default:
      return
  }
}

const newSpan = (): Span => ({
  minCreatedAtMs: Number.POSITIVE_INFINITY,
  maxCreatedAtMs: Number.NEGATIVE_INFINITY,
  lastCreatedAtMs: Number.NEGATIVE_INFINITY,
  isSorted: true,
  minCents: Number.POSITIVE_INFINITY,
  maxCents: Number.NEGATIVE_INFINITY,
  figures: newFigures(),
  byAmount: null,
  sieve: null,
})
