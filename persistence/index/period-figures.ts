import type { Work } from '../../engine/kernel/work.ts'
import type { TransactionGroup } from '../../engine/payments/transaction/row.ts'
import type { InstantField, PeriodFigures } from '../../engine/payments/transaction/search.ts'
import { viewsAt, viewsOf } from '../base/columns.ts'
import { type TimeSlice, yieldIfDue } from '../base/time-slice.ts'
import type { Figures } from './figures.ts'
import { groupOf } from './group-code.ts'
import { never } from './rows.ts'
import type { TransactionTable } from './table-type.ts'

/**
 * Counts and sums of the transactions created, or approved, from each instant to the next, by group: one pass over the segments
 * of that time; a segment created within one period needs no pass. Returns null when the table was dropped meanwhile.
 */
export const periodFigures = function* (
  table: TransactionTable,
  instants: readonly number[],
  dateField: InstantField,
  slice: TimeSlice,
): Work<readonly PeriodFigures[] | null> {
  const periods = instants.length - 1
  const [fromMs, toMs] = [instants[0]!, instants.at(-1)!]
  const codes = table.labels.all.length
  /** Count, amount and paid amount of the present segment, by period and code. */
  const sums = new Float64Array(3 * periods * codes)
  const totals = new Map<number, Total>()
  for (let segment = 0; segment < table.segmentStats.length; segment++) {
    const stats = table.segmentStats[segment]!
    const [minMs, maxMs] =
      dateField === 'createdAt'
        ? [stats.minCreatedAtMs, stats.maxCreatedAtMs]
        : [stats.minApprovedAtMs, stats.maxApprovedAtMs]
    if (maxMs < fromMs || minMs >= toMs) continue
    let first = 0
    while (instants[first + 1]! <= minMs) first += 1
    let last = first
    while (last < periods - 1 && instants[last + 1]! <= maxMs) last += 1
    const isWithin = dateField === 'createdAt' && minMs >= fromMs && maxMs < instants[first + 1]!
    if (isWithin && stats.figures.isExact) addFigures(sums, first * codes, stats.figures)
    else addRows(table, segment, instants, dateField, first, codes, sums)
    carry(sums, 3 * first * codes, 3 * (last + 1) * codes, totals)
    yield* yieldIfDue(slice)
    if (table.isDropped) return null
  }
  const groups = new Map<number, TransactionGroup>()
  return Array.from(totals, ([at, { count, amountCents, paidCents }]) => {
    const code = at % codes
    const group = groups.get(code) ?? groupOf(table.labels, code)
    groups.set(code, group)
    return { period: Math.floor(at / codes), group, count, amountCents, paidCents }
  })
}

type Total = { count: number; amountCents: bigint; paidCents: bigint }

const addFigures = (sums: Float64Array, start: number, { codes, values }: Figures): void => {
  codes.forEach((code, n) => {
    for (let m = 0; m < 3; m++) sums[3 * (start + code) + m]! += values[n * figureWidth + m]!
  })
}

const addRows = (
  table: TransactionTable,
  segment: number,
  instants: readonly number[],
  dateField: InstantField,
  first: number,
  codes: number,
  sums: Float64Array,
): void => {
  const { createdAtMs, approvedAtMs, group, amountCents, paidCents } = viewsOf(table.rows, segment)
  const dates = dateField === 'createdAt' ? createdAtMs : approvedAtMs
  const { bits, rowsPerSegment } = table.rows.schema
  const end = Math.min(rowsPerSegment, table.rows.count - (segment << bits))
  const [fromMs, toMs] = [instants[0]!, instants.at(-1)!]
  let period = first
  let [beginsMs, endsMs] = [instants[period]!, instants[period + 1]!]
  for (let row = 0; row < end; row++) {
    const atMs = dates[row]!
    if (atMs < beginsMs || atMs >= endsMs) {
      if (atMs < fromMs || atMs >= toMs) continue
      // Rows come in order of creation, but for clocks that were set back, and are mostly approved in that order.
      while (atMs >= instants[period + 1]!) period += 1
      while (atMs < instants[period]!) period -= 1
      beginsMs = instants[period]!
      endsMs = instants[period + 1]!
    }
    const at = 3 * (period * codes + group[row]!)
    sums[at]! += 1
    sums[at + 1]! += amountCents[row]!
    sums[at + 2]! += paidCents[row]!
  }
}

/** Sums of one segment are exact as doubles, those of all as whole numbers. */
const carry = (sums: Float64Array, start: number, end: number, totals: Map<number, Total>): void => {
  for (let at = start; at < end; at += 3) {
    const count = sums[at]!
    if (count === 0) continue
    const total = totals.get(at / 3) ?? { count: 0, amountCents: 0n, paidCents: 0n }
    total.count += count
    total.amountCents += BigInt(sums[at + 1]!)
    total.paidCents += BigInt(sums[at + 2]!)
    totals.set(at / 3, total)
    sums[at] = 0
    sums[at + 1] = 0
    sums[at + 2] = 0
  }
}

/** A count and the columns that a segment's figures sum up (see `transactionSums`); amount and paid come first. */
const figureWidth = 1 + 5

/** Whether anything of a segment is disputed: its last sum. */
const hasDisputed = ({ codes, values }: Figures): boolean =>
  codes.some((_, n) => values[n * figureWidth + figureWidth - 1] !== 0)

/** How many transactions are in an undecided dispute: a lost chargeback has nothing due. */
export const openDisputesIn = (table: TransactionTable, prefix: 'cbk' | 'med'): number => {
  const wanted = table.labels.all.indexOf(prefix)
  const rows = new Set<number>()
  const { bits, mask } = table.rows.schema
  const { reversals } = table
  for (let n = 0; n < reversals.count; n++) {
    const views = viewsAt(reversals, n)
    if (views.prefix[n & reversals.schema.mask] !== wanted) continue
    const row = views.row[n & reversals.schema.mask]!
    const stats = table.segmentStats[row >>> bits]!
    if ((prefix === 'cbk' && stats.due === 0) || !hasDisputed(stats.figures)) continue
    const { disputedCents, dueAtMs } = viewsAt(table.rows, row)
    // A closed MED has no disputed cents left.
    if (disputedCents[row & mask]! > 0 && (prefix === 'med' || dueAtMs[row & mask] !== never)) rows.add(row)
  }
  return rows.size
}
