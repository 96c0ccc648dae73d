import { viewsAt } from './columns.ts'
import { compareIds } from './packed-id.ts'
import type { Table } from './table-type.ts'

/**
 * The segments that may fit in order of time, those together whose times overlap. Rows are born in the order of their
 * creation but for ties and Sandbox clocks that were set back, so nearly every segment is alone.
 */
export const timeBlocks = (
  { segmentStats }: Table,
  mayFit: (segment: number) => boolean,
  isDescending: boolean,
): readonly (readonly number[])[] => {
  const meant = [...segmentStats.keys()].filter(mayFit)
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

/** Of rows in the order of their creation those at some ranks: only what has the same time as these has to be put in order. */
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

export const createdAtOf = (table: Table, row: number): number =>
  viewsAt(table.rows, row).createdAtMs[row & table.rows.schema.mask]!

export const compareRowIds = (table: Table, a: number, b: number): number => {
  const { mask } = table.rows.schema
  return compareIds(viewsAt(table.rows, a).id, a & mask, viewsAt(table.rows, b).id, b & mask)
}
