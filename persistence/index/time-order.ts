import { viewsAt } from '../base/columns.ts'
import { compareIds } from '../base/packed-id.ts'
import type { Table } from './table-type.ts'

/**
 * Those of some segments that may match, in order of time, grouped when their times overlap. Rows come in order of creation except
 * for ties and Sandbox clocks that were set back, so nearly every segment stands alone.
 */
export const timeBlocks = (
  { segmentStats }: Table,
  segments: Iterable<number>,
  mayFit: (segment: number) => boolean,
  isDescending: boolean,
): readonly (readonly number[])[] => {
  const meant = [...segments].filter(mayFit)
  meant.sort((a, b) => segmentStats[a]!.minCreatedAtMs - segmentStats[b]!.minCreatedAtMs || a - b)
  const blocks: number[][] = []
  let untilMs = -Infinity
  for (const segment of meant) {
    const { minCreatedAtMs, maxCreatedAtMs } = segmentStats[segment]!
    if (minCreatedAtMs > untilMs) blocks.push([segment])
    else blocks.at(-1)!.push(segment)
    untilMs = Math.max(untilMs, maxCreatedAtMs)
  }
  return isDescending ? blocks.reverse() : blocks
}

/** Some ranks of rows in order of creation: only ties at the boundaries need sorting. */
export const ranksInOrder = (
  table: Table,
  rows: readonly number[],
  start: number,
  end: number,
  isDescending: boolean,
): readonly number[] => {
  const areTied = (a: number, b: number): boolean =>
    createdAtOf(table, rows[a]!) === createdAtOf(table, rows[b]!)
  let low = isDescending ? rows.length - end : start
  let high = isDescending ? rows.length - start : end
  const edge = isDescending ? high : low
  while (low > 0 && areTied(low - 1, low)) low -= 1
  while (high < rows.length && areTied(high, high - 1)) high += 1
  const skipped = isDescending ? high - edge : edge - low
  const sign = isDescending ? -1 : 1
  return rows
    .slice(low, high)
    .sort((a, b) => sign * (createdAtOf(table, a) - createdAtOf(table, b) || compareRowIds(table, a, b)))
    .slice(skipped, skipped + end - start)
}

/** A row's time of creation. */
export const createdAtOf = (table: Table, row: number): number =>
  viewsAt(table.rows, row).createdAtMs[row & table.rows.schema.mask]!

/** Compares two rows by id. */
export const compareRowIds = (table: Table, a: number, b: number): number => {
  const { mask } = table.rows.schema
  return compareIds(viewsAt(table.rows, a).id, a & mask, viewsAt(table.rows, b).id, b & mask)
}
