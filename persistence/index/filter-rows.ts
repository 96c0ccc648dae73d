import type { SegmentRows } from './segment-rows.ts'

/**
 * Each filter keeps the matching rows among the first `count`, in order, and returns how many. One plain loop over one
 * array each: a scan of a million rows spends its time here, a few nanoseconds per row.
 */
export const filterBetween = (
  column: Float64Array,
  min: number,
  max: number,
  rows: SegmentRows,
  count: number,
): number => {
  let kept = 0
  for (let n = 0; n < count; n++) {
    const row = rows[n]!
    const value = column[row]!
    rows[kept] = row
    // No branch: half of them would be mispredicted.
    kept += Number(value >= min) & Number(value <= max)
  }
  return kept
}

/** The mask of whole numbers. */
export const allBits = -1

/** Keeps rows whose number, or as much of it as the mask covers, is marked with 1. */
export const filterMarked = (
  column: Uint32Array,
  marks: Uint8Array,
  mask: number,
  rows: SegmentRows,
  count: number,
): number => {
  let kept = 0
  for (let n = 0; n < count; n++) {
    const row = rows[n]!
    rows[kept] = row
    if (marks[column[row]! & mask] === 1) kept += 1
  }
  return kept
}

/** Keeps rows that a function accepts: for rare conditions, or few rows. */
export const filterWhere = (isMeant: (row: number) => boolean, rows: SegmentRows, count: number): number => {
  let kept = 0
  for (let n = 0; n < count; n++) {
    const row = rows[n]!
    if (isMeant(row)) rows[kept++] = row
  }
  return kept
}
