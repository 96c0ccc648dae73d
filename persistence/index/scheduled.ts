import type { Work } from '../../engine/kernel/work.ts'
import type { Receivable } from '../../engine/ledger/receivable.ts'
import { datedOf } from '../../engine/payments/transaction/dated.ts'
import type {
  BatchesAhead,
  ScheduledFigures,
  ScheduledFilter,
  SchedulePeriod,
} from '../../engine/payments/transaction/scheduled.ts'
import type { DatedIn } from '../../engine/payments/transaction/search.ts'
import type { Transaction } from '../../engine/payments/transaction/transaction.ts'
import { addDays, type CalendarDate, daysBetween } from '../../engine/shared/calendar.ts'
import { append, viewsOf as columnsOf, touch, viewsAt } from '../base/columns.ts'
import { type TimeSlice, yieldIfDue } from '../base/time-slice.ts'
import { groupOf } from './group-code.ts'
import { never } from './rows.ts'
import { scheduledSchema } from './table.ts'
import type { TransactionTable } from './table-type.ts'

/**
 * Writes the receivables of a transaction that have days of their own into columns, linked in their order. A transaction that has fewer than
 * before leaves the rest of its entries empty.
 */
export const fillScheduled = (
  table: TransactionTable,
  row: number,
  receivables: readonly Pick<
    Receivable,
    'status' | 'expectedOn' | 'settledAtMs' | 'grossCents' | 'feeCents'
  >[],
): void => {
  let at = viewsAt(table.rows, row).scheduled[row & table.rows.schema.mask]!
  let last = 0
  for (const receivable of receivables) {
    if (at === 0) {
      at = append(table.scheduled) + 1
      const views = viewsOf(table, at)
      views.row[placeOf(at)] = row
      // A stored segment may contain bytes of entries added after its snapshot.
      views.next[placeOf(at)] = 0
      link(table, row, last, at)
    }
    write(table, at, entryOf(receivable))
    last = at
    at = viewsOf(table, at).next[placeOf(at)]!
  }
  for (; at !== 0; at = viewsOf(table, at).next[placeOf(at)]!) write(table, at, noEntry)
}

type Entry = {
  readonly day: number
  readonly settledMinute: number
  readonly grossCents: number
  readonly feeCents: number
}

const noEntry: Entry = { day: 0, settledMinute: 0, grossCents: 0, feeCents: 0 }

const entryOf = ({
  status,
  expectedOn,
  settledAtMs,
  grossCents,
  feeCents,
}: Parameters<typeof fillScheduled>[2][number]): Entry => ({
  day: status === 'SCHEDULED' ? dayNumber(expectedOn) : 0,
  settledMinute: status === 'SCHEDULED' ? 0 : minuteOf(settledAtMs!),
  grossCents,
  feeCents,
})

const minuteOf = (atMs: number): number => Math.floor(atMs / 60_000)

/** Entries are numbered from 1, as links are: 0 is none. */
const viewsOf = ({ scheduled }: TransactionTable, number: number) => viewsAt(scheduled, number - 1)
const placeOf = (number: number): number => (number - 1) & scheduledSchema.mask

/** Puts an entry behind the last one of its row, or makes it the first. */
const link = (table: TransactionTable, row: number, last: number, number: number): void => {
  if (last === 0) viewsAt(table.rows, row).scheduled[row & table.rows.schema.mask] = number
  else {
    touch(table.scheduled, last - 1)
    viewsOf(table, last).next[placeOf(last)] = number
  }
}

const write = (table: TransactionTable, number: number, entry: Entry): void => {
  const views = viewsOf(table, number)
  const n = placeOf(number)
  const isSame = views.day[n] === entry.day && views.settledMinute[n] === entry.settledMinute
  // Most changes of a transaction leave its receivables, and a segment that is not touched is not stored again.
  if (isSame && views.grossCents[n] === entry.grossCents && views.feeCents[n] === entry.feeCents) return
  touch(table.scheduled, number - 1)
  const own = viewsOf(table, number)
  own.day[n] = entry.day
  own.settledMinute[n] = entry.settledMinute
  own.grossCents[n] = entry.grossCents
  own.feeCents[n] = entry.feeCents
}

const epoch = '1970-01-01' as CalendarDate
const dayNumber = (date: CalendarDate): number => daysBetween(epoch, date)

/** The state of the transaction in a row. */
type StateOf = (row: number) => Transaction

/** Sums of the entries of these days by day and group: one pass. Null when the table was dropped meanwhile. */
export const scheduledFigures = function* (
  table: TransactionTable,
  { from, to, ahead }: SchedulePeriod & Pick<ScheduledFilter, 'ahead'>,
  stateOf: StateOf,
  slice: TimeSlice,
): Work<readonly ScheduledFigures[] | null> {
  const [first, last] = [dayNumber(from), dayNumber(to)]
  const days = last - first + 1
  const totals = new Map<number, { count: number; grossCents: bigint; feeCents: bigint }>()
  const isAhead = aheadIn(table, ahead, stateOf)
  const { segments, count } = table.scheduled
  for (let segment = 0; segment < segments.length; segment++) {
    // Sums of one segment are exact as doubles, those of all as whole numbers.
    const sums = new Map<number, { count: number; grossCents: number; feeCents: number }>()
    const { day, row, grossCents, feeCents } = columnsOf(table.scheduled, segment)
    const end = Math.min(scheduledSchema.rowsPerSegment, count - (segment << scheduledSchema.bits))
    for (let n = 0; n < end; n++) {
      if (day[n]! < first || day[n]! > last) continue
      if (isAhead?.(day[n]!, (segment << scheduledSchema.bits) + n + 1)) continue
      const key = groupAt(table, row[n]!) * days + day[n]! - first
      const sum = sums.get(key)
      if (sum === undefined) sums.set(key, { count: 1, grossCents: grossCents[n]!, feeCents: feeCents[n]! })
      else {
        sum.count += 1
        sum.grossCents += grossCents[n]!
        sum.feeCents += feeCents[n]!
      }
    }
    for (const [key, sum] of sums) {
      const total = totals.get(key) ?? { count: 0, grossCents: 0n, feeCents: 0n }
      total.count += sum.count
      total.grossCents += BigInt(sum.grossCents)
      total.feeCents += BigInt(sum.feeCents)
      totals.set(key, total)
    }
    yield* yieldIfDue(slice)
    if (table.isDropped) return null
  }
  return Array.from(totals, ([key, total]) => ({
    date: addDays(from, key % days),
    group: groupOf(table.labels, Math.floor(key / days)),
    ...total,
  }))
}

/** Whether an entry, which its day and number tell, came with one of these batches; null when there are none. Only then states are read. */
const aheadIn = (
  table: TransactionTable,
  ahead: BatchesAhead | null,
  stateOf: StateOf,
): ((day: number, number: number) => boolean) | null => {
  if (ahead === null) return null
  const days = new Set(Array.from(ahead.days, dayNumber))
  return (day, number) => {
    if (!days.has(day)) return false
    const row = viewsOf(table, number).row[placeOf(number)]!
    return ahead.ids.has(datedOf(stateOf(row))[ordinalOf(table, row, number)]!.settlementId!)
  }
}

const groupAt = ({ rows }: TransactionTable, row: number): number =>
  viewsAt(rows, row).group[row & rows.schema.mask]!

/** Rows with money that settles in a period. */
export type SettlingRows = {
  /** 1 for each of them. */
  readonly marks: Uint8Array
  /** How many are in each segment. */
  readonly counts: Uint32Array
}

/**
 * The transactions of which something has settled in this time or is scheduled for these days: one pass over receivables with days of their
 * own, and one over the segments with transactions that were approved then.
 */
export const settlingRows = function* (
  table: TransactionTable,
  { from, to, fromMs, toMs }: Omit<DatedIn, 'asOf'>,
  slice: TimeSlice,
): Work<SettlingRows> {
  const { rows, scheduled } = table
  const marks = new Uint8Array(rows.count)
  const counts = new Uint32Array(rows.segments.length)
  const mark = (row: number): void => {
    if (marks[row] !== 0) return
    marks[row] = 1
    counts[row >>> rows.schema.bits]! += 1
  }
  const [first, last] = [from === null ? 1 : dayNumber(from), to === null ? Infinity : dayNumber(to)]
  const [firstMinute, endMinute] = [
    fromMs === null ? 1 : Math.ceil(fromMs / 60_000),
    toMs === null ? Infinity : Math.ceil(toMs / 60_000),
  ]
  for (let segment = 0; segment < scheduled.segments.length; segment++) {
    const { day, settledMinute, row } = columnsOf(scheduled, segment)
    const end = Math.min(scheduledSchema.rowsPerSegment, scheduled.count - (segment << scheduledSchema.bits))
    for (let n = 0; n < end; n++) {
      const isThen = day[n]! >= first && day[n]! <= last
      if (isThen || (settledMinute[n]! >= firstMinute && settledMinute[n]! < endMinute)) mark(row[n]!)
    }
    yield* yieldIfDue(slice)
  }
  const [minMs, endMs] = [fromMs ?? -Infinity, toMs ?? never]
  for (let segment = 0; segment < counts.length; segment++) {
    const { minApprovedAtMs, maxApprovedAtMs } = table.segmentStats[segment]!
    if (maxApprovedAtMs < minMs || minApprovedAtMs >= endMs) continue
    const { approvedAtMs, settlesAtOnce } = columnsOf(rows, segment)
    const start = segment << rows.schema.bits
    const end = Math.min(rows.schema.rowsPerSegment, marks.length - start)
    for (let n = 0; n < end; n++)
      if (settlesAtOnce[n] === 1 && approvedAtMs[n]! >= minMs && approvedAtMs[n]! < endMs) mark(start + n)
    yield* yieldIfDue(slice)
  }
  return { marks, counts }
}

/** Where a receivable is: the row of its transaction, and its place among those that have days of their own. */
export type ScheduledPlace = { readonly row: number; readonly ordinal: number }

/**
 * A page of the entries that fit, day after day, those of a day in the order of their payments: one pass counts each day's, the next
 * gathers those of the days that are on the page. Null when the table was dropped meanwhile.
 */
export const scheduledPage = function* (
  table: TransactionTable,
  { from, to, ahead, asOf, fits }: ScheduledFilter,
  { offset, limit }: { readonly offset: number; readonly limit: number },
  stateOf: StateOf,
  slice: TimeSlice,
): Work<{ readonly places: readonly ScheduledPlace[]; readonly total: number } | null> {
  const [first, last] = [dayNumber(from), dayNumber(to)]
  const known = new Map<number, boolean>()
  const fitsGroup = (code: number): boolean => {
    const fitsAlready = known.get(code) ?? fits(groupOf(table.labels, code))
    known.set(code, fitsAlready)
    return fitsAlready
  }
  const isAhead = aheadIn(table, ahead, stateOf)
  const end = table.scheduled.count
  const each = function* (visit: (number: number, day: number) => void): Work<void> {
    for (let number = 1; number <= end; number++) {
      if (placeOf(number) === 0) {
        yield* yieldIfDue(slice)
        if (table.isDropped) return
      }
      const views = viewsOf(table, number)
      const day = views.day[placeOf(number)]!
      if (day < first || day > last || isAhead?.(day, number)) continue
      const row = views.row[placeOf(number)]!
      const { createdSequence, group } = viewsAt(table.rows, row)
      const n = row & table.rows.schema.mask
      if (createdSequence[n]! <= asOf && fitsGroup(group[n]!)) visit(number, day - first)
    }
  }
  const counts = new Uint32Array(last - first + 1)
  yield* each((_, day) => {
    counts[day]! += 1
  })
  if (table.isDropped) return null
  const ofDays = counts.map(() => 0)
  let seen = 0
  counts.forEach((count, day) => {
    if (seen < offset + limit && seen + count > offset) ofDays[day] = 1
    seen += count
  })
  const firstDay = ofDays.indexOf(1)
  const before = firstDay === -1 ? 0 : counts.subarray(0, firstDay).reduce((sum, count) => sum + count, 0)
  const found = new Map<number, number[]>()
  yield* each((number, day) => {
    if (ofDays[day] === 0) return
    const own = found.get(day) ?? []
    found.set(day, own)
    own.push(number)
  })
  if (table.isDropped) return null
  const numbers = [...found]
    .sort(([a], [b]) => a - b)
    .flatMap(([, own]) => own)
    // What a refund has emptied since it was found is no receivable any more.
    .filter((number) => viewsOf(table, number).day[placeOf(number)] !== 0)
  return {
    total: seen,
    places: numbers.slice(offset - before, offset - before + limit).map((number) => {
      const row = viewsOf(table, number).row[placeOf(number)]!
      return { row, ordinal: ordinalOf(table, row, number) }
    }),
  }
}

const ordinalOf = (table: TransactionTable, row: number, number: number): number => {
  let ordinal = 0
  let at = viewsAt(table.rows, row).scheduled[row & table.rows.schema.mask]!
  for (; at !== number; at = viewsOf(table, at).next[placeOf(at)]!) ordinal += 1
  return ordinal
}
