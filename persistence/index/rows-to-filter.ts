import { type Columns, someRows } from '../base/columns.ts'
import type { SegmentRows } from './segment-rows.ts'

/** Rows of a segment that filters narrow, by places in arrays that may have these rows alone. */
export type RowsToFilter<Views> = {
  readonly views: Views
  /** Where each row is; filters move those that stay to the front, in order. */
  readonly places: SegmentRows
  /** The row of a place, within its segment. */
  readonly rowAt: (place: number) => number
  /** Moves the rows of the first so many places to the front of the rows. */
  readonly keep: (count: number) => void
}

/** Prepares the first `count` rows: where they are few and on disk, nothing else of their segment is read. */
export const rowsToFilter = <Views>(
  columns: Columns<Views>,
  segment: number,
  rows: SegmentRows,
  count: number,
): RowsToFilter<Views> => {
  const { views, places } = someRows(columns, segment, rows.subarray(0, count))
  if (places.buffer === rows.buffer) return { views, places: rows, rowAt: same, keep: () => undefined }
  const own = new Uint16Array(places)
  return {
    views,
    places: own,
    rowAt: (place) => rows[place]!,
    keep: (kept) => {
      for (let n = 0; n < kept; n++) rows[n] = rows[own[n]!]!
    },
  }
}

const same = (place: number): number => place
