import { viewsOf } from '../base/columns.ts'
import { derivedOr } from '../base/pager.ts'
import type { SegmentRows } from './segment-rows.ts'
import type { TransactionTable } from './table-type.ts'

/**
 * A full segment's rows ordered by amount, which never changes, the largest at the end: a range of amounts is a
 * slice. Made when it is needed; null while the segment still grows.
 */
export const rowsByAmount = (table: TransactionTable, segment: number): SegmentRows | null => {
  const stats = table.segmentStats[segment]!
  const { rowsPerSegment } = table.rows.schema
  if (table.rows.count < (segment + 1) * rowsPerSegment || !stats.figures.isExact) return null
  const make = (): SegmentRows => {
    const { amountCents } = viewsOf(table.rows, segment)
    // Amount and row in one number, with room for twelve digits and a segment's rows: it sorts without a comparison
    // function.
    const keys = amountCents.map((cents, row) => cents * rowsPerSegment + row).sort()
    return Uint16Array.from(keys, (key) => key % rowsPerSegment)
  }
  return derivedOr(table.rows.paging.pager, stats.byAmount, make, ({ byteLength }) => byteLength)
}
