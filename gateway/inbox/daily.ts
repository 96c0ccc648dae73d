import { ShardUnavailable } from '../../engine/kernel/unavailable.ts'
import type { BookedPix } from '../../engine/reconciliation/commands.ts'
import { reconciliationIdOf, reconciliationStatusOf } from '../../engine/reconciliation/reconciliation.ts'
import {
  addDays,
  type CalendarDate,
  dateIn,
  endOfDay,
  instantOf,
  startOfDay,
} from '../../engine/shared/calendar.ts'
import type { PixReceived, RailNotice } from '../providers/port.ts'
import { compareBooks } from './day-books.ts'
import { type InboxLane, later } from './lane.ts'
import { noticeKeyOf, packBody } from './notice-body.ts'

/**
 * Compares the books of each day with the bank, from 03:10 of the next one on (rails, section 2.7): what the bank alone has is fed to the inbox, and
 * the day is compared once more. Days that were missed, because no node ran or the bank was silent, are caught up with.
 */
export const startDailyBooks = (lane: InboxLane): void => {
  if (lane.reporting.instance.received === undefined) return
  const unsettled = new Map<CalendarDate, Unsettled>()

  const run = async (): Promise<void> => {
    const zone = await lane.shard.timeZone()
    for (const date of daysDue(lane, zone)) {
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
      report(lane, zone, date, day)
    }
    const nowMs = lane.realNow()
    const dailyMs = nextDueAt(zone, nowMs) - nowMs + lane.random() * spreadMs
    const retries = [...unsettled.values()].map(
      ({ runs }) => retriesMs[Math.min(runs, retriesMs.length) - 1]!,
    )
    later(lane, Math.min(dailyMs, ...retries), start)
  }

  const start = (): void =>
    void run().catch((error: unknown) => {
      if (!(error instanceof ShardUnavailable)) lane.onFault(error, lane.reporting)
      later(lane, retriesMs[0]!, start)
    })

  // What polls find after a start need not be found here.
  later(lane, firstAfterMs + lane.random() * firstAfterMs, start)
}

type DayOutcome =
  /** The books agree, or a person has accepted that they do not. */
  'SETTLED' | 'DIFFERENT' | 'SILENT'

/** A day that is to be compared once more. */
type Unsettled = {
  readonly outcome: DayOutcome
  /** How often it was compared with this outcome. */
  runs: number
  isReported: boolean
}

/** Has people hear of it once: of a difference that booking does not end, and of a bank that has said nothing for a day. */
const report = (lane: InboxLane, zone: string, date: CalendarDate, day: Unsettled): void => {
  const { connectionId, accountId, retiredAtMs } = lane.reporting
  const isDue =
    day.outcome === 'DIFFERENT'
      ? day.runs >= fedRuns
      : retiredAtMs === null && lane.realNow() - dueAt(zone, addDays(date, 1)) >= lateMs
  if (day.isReported || !isDue) return
  day.isReported = true
  const kind = day.outcome === 'DIFFERENT' ? 'BOOKS_DIFFER' : 'BOOKS_UNCOMPARED'
  lane.onAlert({ kind, connectionId, accountId, detail: date })
}

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const firstAfterMs = 90_000
const spreadMs = 5 * minuteMs
const lateMs = 24 * hourMs
/** A payment may be listed a while after its time, and clocks of banks differ. */
const overlapMs = 10 * minuteMs
/** The pauses before days that differ, or of which the bank said nothing, are compared once more. */
const retriesMs = [2 * minuteMs, 10 * minuteMs, hourMs, 6 * hourMs]
/** In so many runs in a row what is missing is fed to the inbox: by then it is booked, or nothing here can take it. */
const fedRuns = 3
const fedMax = 1_000
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

/** Compares one day that is not settled yet, and writes down what came of it before anything is fed. */
const compareDay = async (
  lane: InboxLane,
  zone: string,
  date: CalendarDate,
  feeds: boolean,
): Promise<DayOutcome> => {
  const { reporting, shard } = lane
  const { connectionId, accountId, provider: providerId, sinceMs } = reporting
  const reconciliationId = reconciliationIdOf(accountId, connectionId, date)
  const known = await shard.comparedDay(reconciliationId)
  if (known !== null && reconciliationStatusOf(known) !== 'DIFFERENT') return 'SETTLED'
  const [fromMs, toMs] = [startOfDay(zone, date), endOfDay(zone, date)]
  const untilMs = Math.min(toMs + overlapMs, lane.realNow())
  const listed = await reporting.instance.received!({ fromMs: fromMs - overlapMs, untilMs })
  if (listed === null || lane.isClosed) return 'SILENT'
  // Money from before the connection is none of its.
  const bank = listed.filter(({ paidAtMs }) => paidAtMs >= sinceMs - overlapMs)
  const ours = await bookedFor(lane, bank, fromMs, toMs)
  const { unbooked, ...compared } = compareBooks({ bank, ours, fromMs, toMs })
  await shard.recordDay(reconciliationId, { connectionId, providerId, date, statement: null, ...compared })
  if (compared.differencesCount === 0) return 'SETTLED'
  if (feeds) await feed(lane, date, unbooked)
  return 'DIFFERENT'
}

/** What we have of the day, and of what the bank lists for it. */
const bookedFor = async (
  { shard }: InboxLane,
  bank: readonly PixReceived[],
  fromMs: number,
  toMs: number,
): Promise<readonly BookedPix[]> => {
  const booked = await shard.bookedIn(fromMs, toMs)
  const known = new Set(booked.map(({ endToEndId }) => endToEndId))
  const others = [...new Set(bank.map(({ endToEndId }) => endToEndId))].filter((id) => !known.has(id))
  return [...booked, ...(await shard.bookedAs(others))]
}

/** Has the inbox look at payments, as if the bank had reported them: what it fetches is booked, once. */
const feed = async (lane: InboxLane, date: CalendarDate, unbooked: readonly PixReceived[]): Promise<void> => {
  for (const { endToEndId, txid, amountCents, paidAtMs } of unbooked.slice(0, fedMax)) {
    const notice: RailNotice = {
      kind: 'PIX_IN',
      // What a poll has found and booked is not looked at once more under the same key.
      key: `${endToEndId} ${date}`,
      atMs: paidAtMs,
      data: { endToEndId, txid, amountCents },
    }
    const packed = await packBody(Buffer.from(JSON.stringify([notice])))
    const key = noticeKeyOf('books', Buffer.from(notice.key))
    await lane.shard.receive({ key, source: 'POLL', path: '', headers: {}, packed })
  }
}
