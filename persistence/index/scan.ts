import type { Work } from '../../engine/kernel/work.ts'
import type { TransactionOrder } from '../../engine/payments/transaction/search.ts'
import { viewsOf } from '../base/columns.ts'
import { type TimeSlice, yieldIfDue } from '../base/time-slice.ts'
import { filterWhere } from './filter-rows.ts'
import { newRanking, type Ranking } from './ranking.ts'
import { rowsByAmount } from './rows-by-amount.ts'
import { segmentsPerRun } from './runs.ts'
import type { SegmentRows } from './segment-rows.ts'
import type { Selection } from './selection.ts'
import type { SegmentStats, Table, TransactionTable } from './table-type.ts'
import { compareRowIds, ranksInOrder, timeBlocks } from './time-order.ts'

/** The ranks of matching rows to show, and whether to count all or end the scan with the page. */
export type ScanPage = { readonly start: number; readonly end: number; readonly countsAll: boolean }

/** A scan of all rows that a selection may include. `show` receives the rows of the page. */
export type Scan = {
  readonly table: Table
  readonly selection: Selection
  readonly slice: TimeSlice
  readonly show: (row: number) => void
}

/** Scans in the given order. Returns how many rows match. */
export const scanBy = (scan: Scan, order: TransactionOrder, page: ScanPage): Work<number> =>
  order.by === 'createdAt'
    ? scanByTime(scan, order.isDescending, page)
    : scanByAmount(scan, order.isDescending, page)

/** By creation, then by id. Segments not on the page are skipped when their statistics suffice. */
export const scanByTime = function* (scan: Scan, isDescending: boolean, page: ScanPage): Work<number> {
  const { table, selection, slice } = scan
  const rows = rowsOfSegment(table)
  let seen = 0
  const mayHave = (segment: number) => mayFit(table, selection, segment)
  const blocks = timeBlocks(table, segmentsFor(scan), mayHave, isDescending)
  for (const [n, block] of blocks.entries()) {
    if (seen >= page.end)
      return page.countsAll ? seen + (yield* countAll(scan, blocks.slice(n).flat())) : seen
    const known = countBySpans(scan, block)
    if (known !== null && seen + known <= page.start) {
      if (known > 0) tallyStats(scan, block)
      seen += known
    } else {
      const start = Math.max(0, page.start - seen)
      const end = Math.max(0, page.end - seen)
      const isInOrder = block.length === 1 && table.segmentStats[block[0]!]!.isSorted
      seen += isInOrder
        ? yield* showSegment(scan, block[0]!, rows, isDescending, start, end)
        : yield* showBlock(scan, block, rows, isDescending, start, end)
    }
    yield* yieldIfDue(slice)
  }
  return seen
}

/** Counts the matching rows of segments that show none, in any order. */
const countAll = function* (scan: Scan, segments: readonly number[]): Work<number> {
  const { table, selection, slice } = scan
  const rows = rowsOfSegment(table)
  const inOrder = Uint32Array.from(segments).sort()
  let seen = 0
  for (let n = 0; n < inOrder.length; ) {
    const segment = inOrder[n]!
    const run = isWholeRun(scan, inOrder, n) ? segment / segmentsPerRun : null
    if (run !== null) yield* selection.prepareRun(run)
    const ofRun = run === null ? null : selection.countOfRun(run)
    if (ofRun !== null) {
      if (ofRun > 0) selection.tallyRun(segment / segmentsPerRun)
      seen += ofRun
      n += segmentsPerRun
    } else {
      const known = countBySpan(scan, segment)
      if (known === null) seen += yield* pick(scan, segment, rows)
      else if (known > 0) selection.tallyStats(segment)
      seen += known ?? 0
      n += 1
    }
    yield* yieldIfDue(slice)
  }
  return seen
}

/** Whether a whole run begins at a place of ordered segments, and time and place exclude nothing of it. */
const isWholeRun = (scan: Scan, segments: Uint32Array, place: number): boolean => {
  const first = segments[place]!
  if (first % segmentsPerRun !== 0 || segments[place + segmentsPerRun - 1] !== first + segmentsPerRun - 1)
    return false
  for (let n = 0; n < segmentsPerRun; n++) if (!isWhole(scan, first + n)) return false
  return true
}

/** One segment in row order. Returns how many rows match. */
const showSegment = function* (
  scan: Scan,
  segment: number,
  rows: SegmentRows,
  isDescending: boolean,
  start: number,
  end: number,
): Work<number> {
  const count = yield* pick(scan, segment, rows)
  const first = firstOf(scan.table, segment)
  if (start < Math.min(end, count)) {
    const found = Array.from(rows.subarray(0, count).sort(), (row) => first + row)
    yield* showAll(scan, ranksInOrder(scan.table, found, start, Math.min(end, count), isDescending))
  }
  return count
}

/** Segments whose rows must be sorted. Returns how many match. */
const showBlock = function* (
  scan: Scan,
  block: readonly number[],
  rows: SegmentRows,
  isDescending: boolean,
  start: number,
  end: number,
): Work<number> {
  const { table, slice } = scan
  const sign = isDescending ? -1 : 1
  const ranking = newRanking(end, (a, b) => sign * compareRowIds(table, a, b), slice)
  let count = 0
  for (const segment of block) {
    yield* ranking.makeRoom(rows.length)
    const picked = yield* pick(scan, segment, rows)
    const { createdAtMs } = viewsOf(table.rows, segment)
    if (end > 0) addTo(ranking, firstOf(table, segment), rows.subarray(0, picked), createdAtMs, sign)
    count += picked
    yield* yieldIfDue(slice)
  }
  yield* showAll(scan, yield* ranking.take(start, end))
  return count
}

/** By amount, then newest id first. Segments ordered by amount are read only at their end. */
const scanByAmount = function* (scan: Scan, isDescending: boolean, page: ScanPage): Work<number> {
  const { selection, slice } = scan
  const table = scan.table as TransactionTable
  const rows = rowsOfSegment(table)
  const sign = isDescending ? -1 : 1
  if (page.end === 0) return page.countsAll ? yield* countAll(scan, [...segmentsFor(scan)]) : 0
  const ranking = newRanking(page.end, (a, b) => compareRowIds(table, b, a), slice)
  let seen = 0
  for (const segment of segmentsFor(scan)) {
    yield* ranking.makeRoom(rows.length)
    const known = countBySpans(scan, [segment])
    const order = known ? (selection.ofAmounts(segment) ?? rowsByAmount(table, segment)) : null
    if (known !== null && (known === 0 || page.end === 0 || order !== null)) {
      if (known > 0) tallyStats(scan, [segment])
      if (order !== null) addBest(scan, ranking, segment, order, isDescending, page.end)
      seen += known
    } else {
      const picked = yield* pick(scan, segment, rows)
      const { amountCents } = viewsOf(table.rows, segment)
      addTo(ranking, firstOf(table, segment), rows.subarray(0, picked), amountCents, sign)
      seen += picked
    }
    yield* yieldIfDue(slice)
  }
  yield* showAll(scan, yield* ranking.take(page.start, page.end))
  return seen
}

/** The segments to look at. */
const segmentsFor = ({ table, selection }: Scan): Iterable<number> =>
  selection.rows?.keys() ?? table.segmentStats.keys()

const addTo = (
  ranking: Ranking,
  first: number,
  rows: SegmentRows,
  column: Float64Array,
  sign: 1 | -1,
): void => {
  for (const row of rows) ranking.add(sign * column[row]!, first + row)
}

/** Adds from a segment ordered by amount: as many rows as the page can hold, plus ties with the last. */
const addBest = (
  { table, selection }: Scan,
  ranking: Ranking,
  segment: number,
  order: SegmentRows,
  isDescending: boolean,
  wanted: number,
): void => {
  const { amountCents } = viewsOf((table as TransactionTable).rows, segment)
  const first = firstOf(table, segment)
  let added = 0
  let last = 0
  for (let n = 0; n < order.length; n++) {
    const row = order[isDescending ? order.length - 1 - n : n]!
    const key = isDescending ? -amountCents[row]! : amountCents[row]!
    if (!ranking.takes(key) || (added >= wanted && key !== last)) return
    if (!selection.isOfGroup(segment, row)) continue
    ranking.add(key, first + row)
    added += 1
    last = key
  }
}

/** How many rows of these segments match, if their statistics tell for each; null otherwise. */
const countBySpans = (scan: Scan, segments: readonly number[]): number | null => {
  let sum = 0
  for (const segment of segments) {
    const count = countBySpan(scan, segment)
    if (count === null) return null
    sum += count
  }
  return sum
}

const countBySpan = (scan: Scan, segment: number): number | null => {
  const { table, selection } = scan
  if (!mayFit(table, selection, segment)) return 0
  return selection.countOf(segment, isWhole(scan, segment))
}

/** Whether place and time exclude none of a segment's rows. */
const isWhole = ({ table, selection }: Scan, segment: number): boolean => {
  const { first, end } = rangeOf(table, selection, segment)
  return end - first === rowsIn(table, segment) && isInTime(table.segmentStats[segment]!, selection)
}

/** Sums up segments that were counted by their statistics. */
const tallyStats = (scan: Scan, segments: readonly number[]): void => {
  for (const segment of segments)
    if (segments.length === 1 || countBySpan(scan, segment) !== 0) scan.selection.tallyStats(segment)
}

/** The matching rows of a segment, into `rows` in any order. Returns how many. */
const pick = function* (scan: Scan, segment: number, rows: SegmentRows): Work<number> {
  const { table, selection, slice } = scan
  if (!mayFit(table, selection, segment)) return 0
  const { first, end } = rangeOf(table, selection, segment)
  const areInTime = isInTime(table.segmentStats[segment]!, selection)
  const isAll = selection.rows === null && areInTime && end - first === rowsIn(table, segment)
  const ofAmounts = isAll ? selection.ofAmounts(segment) : null
  let count = 0
  if (ofAmounts !== null) {
    rows.set(ofAmounts)
    count = ofAmounts.length
  } else {
    const few = selection.rows?.get(segment)?.filter((row) => row >= first && row < end)
    rows.set(few ?? everyRow.subarray(first, end))
    count = few?.length ?? end - first
    if (!areInTime) count = inTime(scan, segment, rows, count)
  }
  count = selection.narrow(segment, rows, count, ofAmounts !== null)
  const { confirms } = selection
  if (confirms !== null) {
    let kept = 0
    for (let n = 0; n < count; n++) {
      if (confirms(firstOf(table, segment) + rows[n]!)) rows[kept++] = rows[n]!
      if ((n & 15) === 15) yield* yieldIfDue(slice)
    }
    // Other work may have changed some of them meanwhile.
    count = selection.narrow(segment, rows, kept, true)
  }
  selection.tallyRows(segment, rows, count)
  return count
}

/** Keeps rows that were created in the selection's time. */
const inTime = ({ table, selection }: Scan, segment: number, rows: SegmentRows, count: number): number => {
  const { createdAtMs } = viewsOf(table.rows, segment)
  const { fromMs, toMs } = selection
  return filterWhere((row) => createdAtMs[row]! >= fromMs && createdAtMs[row]! < toMs, rows, count)
}

const mayFit = (table: Table, selection: Selection, segment: number): boolean => {
  const { first, end } = rangeOf(table, selection, segment)
  const stats = table.segmentStats[segment]!
  return first < end && stats.maxCreatedAtMs >= selection.fromMs && stats.minCreatedAtMs < selection.toMs
}

const isInTime = (stats: SegmentStats, { fromMs, toMs }: Selection): boolean =>
  stats.minCreatedAtMs >= fromMs && stats.maxCreatedAtMs < toMs

/** The range of rows in a segment that the selection may include. */
const rangeOf = (table: Table, selection: Selection, segment: number) => {
  const first = firstOf(table, segment)
  return {
    first: Math.max(0, selection.first - first),
    end: Math.min(rowsIn(table, segment), selection.end - first),
  }
}

const firstOf = (table: Table, segment: number): number => segment << table.rows.schema.bits

const rowsIn = (table: Table, segment: number): number =>
  Math.min(table.rows.schema.rowsPerSegment, table.rows.count - firstOf(table, segment))

const everyRow = Uint16Array.from({ length: 65_536 }, (_, row) => row)

const rowsOfSegment = (table: Table): SegmentRows => new Uint16Array(table.rows.schema.rowsPerSegment)

const showAll = function* ({ show, slice }: Scan, rows: readonly number[]): Work<void> {
  for (const row of rows) {
    show(row)
    yield* yieldIfDue(slice)
  }
}
