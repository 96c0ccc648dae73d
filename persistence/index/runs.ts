import { assert } from '../../engine/shared/assert.ts'
import { viewsOf } from '../base/columns.ts'
import { derivedOr, discard, newDerived } from '../base/pager.ts'
import { newFigures } from './figures.ts'
import { rowSchemas, transactionSums } from './rows.ts'
import { rowsByAmount } from './rows-by-amount.ts'
import type { GroupedRows, SegmentRun, TransactionTable } from './table-type.ts'

/** Segments of a run: its rows have positions of 16 bits. */
export const segmentsPerRun = 16

const { rowsPerSegment, bits, mask } = rowSchemas.transaction
const rowsPerRun = segmentsPerRun * rowsPerSegment
/** What the grouped rows of a run take: places, and five sums for every so many of them. */
const groupedBytes = 2 * rowsPerRun + (5 * 8 * rowsPerRun) / 16
/** Any sum below is exact as a double. */
const exactBelow = 2 ** 52
/** One sum for so many rows: fewer sums leave more rows to add at both ends of a range, more take more memory. */
const rowsPerSum = 16

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
  const width = 1 + sumsIn(table, first).length
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

const sumsIn = (table: TransactionTable, segment: number): readonly Float64Array[] =>
  transactionSums(viewsOf(table.rows, segment))

/**
 * The rows of a run by group and then by amount: a group's rows in a range of amounts are adjacent, and their sums
 * are differences. Grouping takes milliseconds, so it waits for the second request since a row changed; null
 * before.
 */
export const groupedRows = (table: TransactionTable, run: SegmentRun): GroupedRows | null => {
  const mayMake = run.wasAsked
  run.wasAsked = true
  const make = (): GroupedRows | null => (mayMake ? groupRows(table, run) : null)
  return derivedOr(table.rows.paging.pager, run.grouped, make, () => groupedBytes)
}

const groupRows = (table: TransactionTable, { first, figures }: SegmentRun): GroupedRows => {
  const segments = Array.from({ length: segmentsPerRun }, (_, n) => viewsOf(table.rows, first + n))
  const rows = byAmount(table, first)
  const { codes, values } = figures
  const columns = segments.map(transactionSums)
  const sumsCount = columns[0]!.length
  const starts = new Uint32Array(codes.length + 1)
  const next = new Map<number, number>()
  codes.forEach((code, n) => {
    next.set(code, starts[n]!)
    starts[n + 1] = starts[n]! + values[n * (1 + sumsCount)]!
  })
  const grouped = new Uint16Array(rowsPerRun)
  for (const row of rows) {
    const code = segments[row >>> bits]!.group[row & mask]!
    const at = next.get(code)!
    grouped[at] = row
    next.set(code, at + 1)
  }
  const sums = Array.from({ length: sumsCount }, (_, column) =>
    prefixSums(
      columns.map((own) => own[column]!),
      grouped,
    ),
  )
  return { first, starts, rows: grouped, sums }
}

/** The sums of the first 0, 16, 32 … rows. */
const prefixSums = (column: readonly Float64Array[], rows: Uint16Array): Float64Array => {
  const sums = new Float64Array(1 + rowsPerRun / rowsPerSum)
  let sum = 0
  for (let n = 0; n < rowsPerRun; n++) {
    const row = rows[n]!
    sum += column[row >>> bits]![row & mask]!
    if ((n + 1) % rowsPerSum === 0) sums[(n + 1) / rowsPerSum] = sum
  }
  return sums
}

/** The rows of a run ordered by amount: its segments, which are ordered, merged two by two. */
const byAmount = (table: TransactionTable, first: number): Uint16Array => {
  for (let n = 0; n < segmentsPerRun; n++) {
    const order = rowsByAmount(table, first + n)
    assert(order !== null, 'the segments of a run are full')
    const { amountCents } = viewsOf(table.rows, first + n)
    for (let m = 0; m < rowsPerSegment; m++) {
      const row = order[m]!
      merged[n * rowsPerSegment + m] = n * rowsPerSegment + row
      amounts[n * rowsPerSegment + row] = amountCents[row]!
    }
  }
  let from = merged
  let to = other
  for (let length = rowsPerSegment; length < rowsPerRun; length *= 2) {
    for (let start = 0; start < rowsPerRun; start += 2 * length) mergeTwo(from, to, start, length)
    ;[from, to] = [to, from]
  }
  return from
}

const mergeTwo = (from: Uint16Array, to: Uint16Array, start: number, length: number): void => {
  const middle = start + length
  const end = middle + length
  let a = start
  let b = middle
  for (let n = start; n < end; n++) {
    const isFirst = b === end || (a < middle && amounts[from[a]!]! <= amounts[from[b]!]!)
    to[n] = isFirst ? from[a++]! : from[b++]!
  }
}

// The rows of the run that is being grouped, and their amounts.
const merged = new Uint16Array(rowsPerRun)
const other = new Uint16Array(rowsPerRun)
const amounts = new Float64Array(rowsPerRun)

/**
 * The rows of some groups in a range of amounts: for each group of a run's figures, where its rows begin and end
 * (exclusive).
 */
export type GroupedRange = {
  readonly table: TransactionTable
  readonly rows: GroupedRows
  readonly count: number
  readonly from: readonly number[]
  readonly to: readonly number[]
}

/** The sum of a column over the grouped rows from one place to another (exclusive). */
export const sumBetween = (
  table: TransactionTable,
  grouped: GroupedRows,
  column: number,
  from: number,
  to: number,
): number => sumUpTo(table, grouped, column, to) - sumUpTo(table, grouped, column, from)

const sumUpTo = (
  table: TransactionTable,
  { first, rows, sums }: GroupedRows,
  column: number,
  end: number,
): number => {
  const whole = Math.floor(end / rowsPerSum)
  let sum = sums[column]![whole]!
  for (let n = whole * rowsPerSum; n < end; n++) {
    const row = rows[n]!
    sum += sumsIn(table, first + (row >>> bits))[column]![row & mask]!
  }
  return sum
}

/** The first place of grouped rows, from one to another of one group, with at least this amount. */
export const placeOfAmount = (
  table: TransactionTable,
  { first, rows }: GroupedRows,
  from: number,
  to: number,
  minCents: number,
): number => {
  let low = from
  let high = to
  while (low < high) {
    const middle = (low + high) >>> 1
    const row = rows[middle]!
    if (viewsOf(table.rows, first + (row >>> bits)).amountCents[row & mask]! >= minCents) high = middle
    else low = middle + 1
  }
  return low
}
