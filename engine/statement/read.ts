import type { Paging, Question } from '../kernel/query.ts'
import type { Answerers, Reader } from '../kernel/reader.ts'
import type { Work } from '../kernel/work.ts'
import { addDays, type CalendarDate, dateIn, endOfDay, startOfDay } from '../shared/calendar.ts'
import { type AboutLine, aboutLine } from './about.ts'
import type { StatementLine } from './line.ts'

declare module '../kernel/registry.ts' {
  interface FolderQueries {
    readonly statement: ReadStatement
  }
  interface Answers {
    readonly ReadStatement: StatementPage
  }
}

/** Lines of the statement, newest first; without dates those of the last month. */
export type ReadStatement = Question<'ReadStatement'> & Paging

/** A page of lines, by days. */
export type StatementPage = {
  readonly from: CalendarDate
  readonly to: CalendarDate
  readonly days: readonly StatementDay[]
  /** The balances of the whole period. */
  readonly openingBalance: bigint
  readonly closingBalance: bigint
  readonly total: number
  readonly asOf: number
  readonly nowMs: number
}

/**
 * A day on which money moved. Its balances cover the whole day, even when the page holds only some of its lines.
 */
export type StatementDay = {
  readonly date: CalendarDate
  readonly openingBalance: bigint
  readonly closingBalance: bigint
  readonly lines: readonly ToldLine[]
}

/** A line with what it is about. */
export type ToldLine = Omit<StatementLine, 'method'> & AboutLine

/** Answers about the statement. */
export const statementAnswers: Answerers<ReadStatement> = {
  ReadStatement: function* (query, reader) {
    const { account, result, list, spanOf } = reader
    const zone = account?.profile.timeZone ?? 'UTC'
    const period = periodOf(query, dateIn(zone, reader.nowMs))
    const { rows, total, asOf, nowMs } = yield* list('statementLine', period, () => true, null)
    const { fromMs, toMs } = spanOf(period)
    const balanceAt = (atMs: number) => balanceBefore(query, reader, asOf, atMs)
    const days: StatementDay[] = []
    for (const [date, lines] of byDay(rows, zone)) {
      const [newest, oldest] = [lines[0]!, lines.at(-1)!]
      const isCutAbove = newest === rows[0] && query.page > 1
      const isCutBelow = oldest === rows.at(-1) && query.page * query.pageSize < total
      days.push({
        date,
        openingBalance: isCutBelow ? yield* balanceAt(startOfDay(zone, date)) : beforeLine(oldest),
        closingBalance: isCutAbove ? yield* balanceAt(endOfDay(zone, date)) : BigInt(newest.balanceAfter),
        lines: lines.map((line) => ({ ...line, ...aboutLine(reader, line) })),
      })
    }
    const openingBalance = yield* balanceAt(fromMs!)
    const closingBalance = yield* balanceAt(toMs!)
    return result({ ...period, days, openingBalance, closingBalance, total, asOf, nowMs })
  },
}

/** The period, with its missing dates filled in. */
const periodOf = (query: ReadStatement, today: CalendarDate) => {
  const to = query.to ?? (query.from === null ? today : addDays(query.from, daysByDefault))
  return { ...query, from: query.from ?? addDays(to, -daysByDefault), to }
}

const daysByDefault = 30

/** The balance after the last line before an instant. */
const balanceBefore = function* (
  { accountId }: ReadStatement,
  { memory }: Reader,
  asOf: number,
  toMs: number,
): Work<bigint> {
  const { states } = yield* memory.listing(accountId, 'statementLine', { offset: 0, limit: 1, asOf, toMs })
  return BigInt(states[0]?.balanceAfter ?? 0)
}

const beforeLine = ({ balanceAfter, cents }: StatementLine): bigint => BigInt(balanceAfter) - BigInt(cents)

const byDay = (
  rows: readonly StatementLine[],
  zone: string,
): ReadonlyMap<CalendarDate, readonly StatementLine[]> => {
  const days = new Map<CalendarDate, StatementLine[]>()
  for (const row of rows) {
    const date = dateIn(zone, row.createdAtMs)
    const lines = days.get(date)
    if (lines === undefined) days.set(date, [row])
    else lines.push(row)
  }
  return days
}
