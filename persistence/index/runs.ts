import type { Work } from '../../engine/kernel/work.ts'
import { extraKey, viewsOf } from '../base/columns.ts'
import { derivedOr, discard, newDerived } from '../base/pager.ts'
import type { TimeSlice } from '../base/time-slice.ts'
import { newFigures } from './figures.ts'
import {
  type GroupedAmounts,
  groupAmounts,
  groupedCentsMax,
  markOf,
  type RowsToGroup,
  unpackAmounts,
} from './grouped-amounts.ts'
import { rowSchemas, transactionSums } from './rows.ts'
import type { SegmentRun, TransactionTable } from './table-type.ts'

/** Segments of a run: its rows have numbers of 16 bits. */
export const segmentsPerRun = 16

const { rowsPerSegment, bits } = rowSchemas.transaction
const rowsPerRun = segmentsPerRun * rowsPerSegment
/** How many columns are summed up. */
const sumsCount = 5
/** The number of the extra with a run's amounts (see `table.ts` for the others). */
const amountsExtra = 3
/** Any sum below is exact as a double. */
const exactBelow = 2 ** 52

/** A run of full segments with its statistics; null while one of them still grows, or where sums would not be exact. */
export const runAt = (table: TransactionTable, number: number): SegmentRun | null => {
  const known = table.runs[number]
  if (known !== undefined) return known.isExact ? known : null
  if (table.rows.count < (number + 1) * rowsPerRun) return null
  const run = newRun(table, number * segmentsPerRun)
  while (table.runs.length < number) table.runs.push(undefined)
  table.runs[number] = run
  return run.isExact ? run : null
}

/** Discards the statistics of the run with a row that is about to change. */
export const forgetRun = (table: TransactionTable, row: number): void => {
  const number = row >>> (bits + Math.log2(segmentsPerRun))
  const run = table.runs[number]
  if (run === undefined) return
  discard(table.rows.paging.pager, run.grouped)
  table.runs[number] = undefined
}

const newRun = (table: TransactionTable, first: number): SegmentRun => {
  const own = table.segmentStats.slice(first, first + segmentsPerRun)
  const codes = [...new Set(own.flatMap(({ figures }) => figures.codes))]
  const width = 1 + sumsCount
  const values = new Float64Array(codes.length * width)
  for (const { figures } of own)
    figures.codes.forEach((code, n) => {
      const at = codes.indexOf(code) * width
      for (let m = 0; m < width; m++) values[at + m]! += figures.values[n * width + m]!
    })
  return {
    first,
    minCents: Math.min(...own.map(({ minCents }) => minCents)),
    maxCents: Math.max(...own.map(({ maxCents }) => maxCents)),
    figures: { ...newFigures(), codes, values },
    isExact: own.every(({ figures }) => figures.isExact) && values.every((value) => value < exactBelow),
    wasAsked: false,
    grouped: newDerived(),
  }
}

/**
 * The amounts of a run by group; null before they were made, and where they are too large. Those of a run that a snapshot has as it is are
 * stored beside its first segment.
 */
export const amountsOfRun = (table: TransactionTable, run: SegmentRun): GroupedAmounts | null =>
  derivedOr(
    table.rows.paging.pager,
    run.grouped,
    () => readAmounts(table, run),
    ({ bytes }) => bytes.length,
  )

/**
 * Makes the amounts of a run unless they are there. That takes milliseconds, so for rows that may soon change it waits for the second request
 * since one did.
 */
export const makeAmounts = function* (table: TransactionTable, number: number, slice: TimeSlice): Work<void> {
  const run = runAt(table, number)
  if (run === null || run.maxCents >= groupedCentsMax || amountsOfRun(table, run) !== null) return
  const values = storedValues(table, run)
  const mayMake = run.wasAsked || values !== null
  run.wasAsked = true
  if (!mayMake) return
  const made = yield* groupAmounts(rowsToGroup(table, run), values ?? noValues, slice)
  // A row has changed meanwhile.
  if (table.runs[number] !== run) return
  const { pager } = table.rows.paging
  derivedOr(
    pager,
    run.grouped,
    () => made,
    ({ bytes }) => bytes.length,
  )
  if (values !== null && isEqual(values, storedValues(table, run)))
    pager.beside.put(extraKey(values[0]!, amountsExtra), made.bytes)
}

const noValues: readonly number[] = new Array(segmentsPerRun).fill(-1)

const isEqual = (a: readonly number[], b: readonly number[] | null): boolean =>
  b !== null && a.every((value, n) => value === b[n])

/** The stored values of a run's segments; null while one of them is not stored as it is. */
const storedValues = (
  { rows, isDropped }: TransactionTable,
  { first }: SegmentRun,
): readonly number[] | null => {
  if (isDropped) return null
  const own = rows.segments.slice(first, first + segmentsPerRun)
  const values = own.flatMap(({ status, stored }) => (status === 'STORED' ? (stored?.value ?? []) : []))
  return values.length === segmentsPerRun ? values : null
}

/** What is stored of a run; null where that is nothing, or of other values. */
const readAmounts = (table: TransactionTable, run: SegmentRun): GroupedAmounts | null => {
  const values = storedValues(table, run)
  const bytes = values && table.rows.paging.pager.beside.find(extraKey(values[0]!, amountsExtra))
  if (bytes === null || !isEqual(values!, markOf(bytes, segmentsPerRun))) return null
  return unpackAmounts(bytes, segmentsPerRun)
}

/** A copy, because rows may change while it is worked on. */
const rowsToGroup = (table: TransactionTable, { first, figures }: SegmentRun): RowsToGroup => {
  const { codes, values } = figures
  const placeOf = new Uint16Array(65_536)
  codes.forEach((code, n) => {
    placeOf[code] = n
  })
  const groups = new Uint16Array(rowsPerRun)
  const columns = Array.from({ length: sumsCount }, () => new Float64Array(rowsPerRun))
  for (let n = 0; n < segmentsPerRun; n++) {
    const views = viewsOf(table.rows, first + n)
    const start = n * rowsPerSegment
    transactionSums(views).forEach((column, m) => {
      columns[m]!.set(column.subarray(0, rowsPerSegment), start)
    })
    for (let row = 0; row < rowsPerSegment; row++) groups[start + row] = placeOf[views.group[row]!]!
  }
  return { counts: codes.map((_, n) => values[n * (1 + sumsCount)]!), groups, columns }
}
