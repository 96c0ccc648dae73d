import { ShardUnavailable } from '../../engine/kernel/unavailable.ts'
import { reconciliationIdOf } from '../../engine/reconciliation/reconciliation.ts'
import { addDays, type CalendarDate, dateIn, instantOf } from '../../engine/shared/calendar.ts'
import { noticeOfDifference, noticeOfStatement, remindOfSuspense } from './books-notices.ts'
import { compareDay, type DayOutcome } from './compare-day.ts'
import { type InboxLane, later } from './lane.ts'

/**
 * Compares the books of each day with the bank, from 03:10 of the next one on (rails, section 2.7): what the bank alone has is fed to the inbox, and
 * the day is compared once more. Days that were missed, because no node ran or the bank was silent, are caught up with.
 */
export const startDailyBooks = (lane: InboxLane): DailyBooks => {
  if (lane.reporting.instance.received === undefined) return { compare: () => undefined }
  const unsettled = new Map<CalendarDate, Unsettled>()
  let hasTakenUp = false

  const run = async (): Promise<void> => {
    const zone = await lane.shard.timeZone()
    const due = daysDue(lane, zone)
    if (!hasTakenUp) {
      // Before a restart their bank did not answer.
      for (const date of await lane.shard.awaitingDays()) if (!due.includes(date)) compareLater(date, 0)
      hasTakenUp = true
    }
    for (const date of due) {
      if (lane.isClosed) return
      const before = unsettled.get(date)
      const feeds = before?.outcome !== 'DIFFERENT' || before.runs < fedRuns
      const outcome = await compareDay(lane, zone, date, feeds)
      if (outcome === 'SETTLED') {
        unsettled.delete(date)
        continue
      }
      const day = before?.outcome === outcome ? before : { outcome, runs: 0, isReported: false }
      unsettled.set(date, day)
      day.runs += 1
      await report(lane, zone, date, day)
    }
    await remindOfSuspense(lane)
    const nowMs = lane.realNow()
    const dailyMs = nextDueAt(zone, nowMs) - nowMs + lane.random() * spreadMs
    const retries = [...unsettled.values()].map(({ runs }) => pauseAfter(runs))
    later(lane, Math.min(dailyMs, ...retries), start)
  }

  // A day is compared once at a time: an older comparison that ends later would take the place of a newer one.
  let last = Promise.resolve()
  const inTurn = (work: () => Promise<void>): Promise<void> => {
    const done = last.then(work)
    last = done.catch(() => undefined)
    return done
  }

  const start = (): void =>
    void inTurn(run).catch((error: unknown) => {
      if (!(error instanceof ShardUnavailable)) lane.onFault(error, lane.reporting)
      later(lane, retriesMs[0]!, start)
    })

  const compare = async (date: CalendarDate, runs: number): Promise<void> => {
    if (lane.isClosed) return
    const outcome = await compareDay(lane, await lane.shard.timeZone(), date, false)
    if (outcome === 'SILENT') compareLater(date, runs + 1)
  }

  /** A person waits for it: the next look at all days may be tomorrow's, and at an old day there is none. */
  const compareLater = (date: CalendarDate, runs: number): void => {
    if (lane.isClosed) return
    later(lane, runs === 0 ? 0 : pauseAfter(runs), () => {
      inTurn(() => compare(date, runs)).catch((error: unknown) => {
        if (!(error instanceof ShardUnavailable)) lane.onFault(error, lane.reporting)
        compareLater(date, runs + 1)
      })
    })
  }

  // What polls find after a start need not be found here.
  later(lane, firstAfterMs + lane.random() * firstAfterMs, start)
  return { compare: (date) => compareLater(date, 0) }
}

export type DailyBooks = {
  /** Compares a day at once, because a person has given its statement; and some minutes later where its bank does not answer. */
  readonly compare: (date: CalendarDate) => void
}

/** A day that is to be compared once more. */
type Unsettled = {
  readonly outcome: Exclude<DayOutcome, 'SETTLED'>
  /** How often it was compared with this outcome. */
  runs: number
  isReported: boolean
}

/**
 * Notifies people once: of a difference that booking does not end, of a bank that has said nothing for a day, and of a statement that has not come
 * for three.
 */
const report = async (lane: InboxLane, zone: string, date: CalendarDate, day: Unsettled): Promise<void> => {
  const { connectionId, accountId, retiredAtMs } = lane.reporting
  const lateBy = retiredAtMs === null ? lane.realNow() - dueAt(zone, addDays(date, 1)) : 0
  const isDue =
    day.outcome === 'DIFFERENT'
      ? day.runs >= fedRuns
      : lateBy >= (day.outcome === 'SILENT' ? lateMs : statementLateMs)
  if (day.isReported || !isDue) return
  day.isReported = true
  lane.onAlert({ kind: alertOf[day.outcome], connectionId, accountId, detail: date })
  const reconciliationId = reconciliationIdOf(accountId, connectionId, date)
  if (day.outcome === 'NO_STATEMENT') return noticeOfStatement(lane, reconciliationId, date)
  const known = day.outcome === 'DIFFERENT' ? await lane.shard.comparedDay(reconciliationId) : null
  if (known !== null) await noticeOfDifference(lane, known)
}

const alertOf = {
  DIFFERENT: 'BOOKS_DIFFER',
  SILENT: 'BOOKS_UNCOMPARED',
  NO_STATEMENT: 'STATEMENT_MISSING',
} as const

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const firstAfterMs = 90_000
const spreadMs = 5 * minuteMs
const lateMs = 24 * hourMs
const statementLateMs = 72 * hourMs
/** The pauses before days that differ, or of which the bank said nothing, are compared once more. */
const retriesMs = [2 * minuteMs, 10 * minuteMs, hourMs, 6 * hourMs]
const pauseAfter = (runs: number): number => retriesMs[Math.min(runs, retriesMs.length) - 1]!
/** In so many runs in a row what is missing is fed to the inbox: by then it is booked, or nothing here can take it. */
const fedRuns = 3
/** A bank may be away for long; what is older was compared, or people have looked. */
const daysBackMax = 31

/** When a day is due to be compared: at 03:10 of this date. */
const dueAt = (zone: string, on: CalendarDate): number => instantOf(zone, on, 3 * hourMs + 10 * minuteMs)

const nextDueAt = (zone: string, nowMs: number): number => {
  const today = dueAt(zone, dateIn(zone, nowMs))
  return nowMs < today ? today : dueAt(zone, addDays(dateIn(zone, nowMs), 1))
}

/** The days to look at, oldest first: none before the connection was used, nor long after it was retired. */
const daysDue = ({ reporting, realNow }: InboxLane, zone: string): readonly CalendarDate[] => {
  const nowMs = realNow()
  const today = dateIn(zone, nowMs)
  const { sinceMs, retiredAtMs } = reporting
  const last = nowMs < dueAt(zone, today) ? addDays(today, -2) : addDays(today, -1)
  const first = [dateIn(zone, sinceMs), addDays(today, -daysBackMax)].sort().at(-1)!
  const end = retiredAtMs === null ? last : [last, addDays(dateIn(zone, retiredAtMs), daysBackMax)].sort()[0]!
  const days: CalendarDate[] = []
  for (let date = first; date <= end; date = addDays(date, 1)) days.push(date)
  return days
}
