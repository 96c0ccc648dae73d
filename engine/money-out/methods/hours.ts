import {
  addDays,
  type CalendarDate,
  dateIn,
  instantOf,
  nextBusinessDay,
  startOfDay,
} from '../../shared/calendar.ts'

/** When a PIX runs that was scheduled for a day. */
const pixHourMs = 8 * 3_600_000
/** Banks take a TED between these hours of a business day (dashboard, section 2.7). */
const tedOpensMs = 6.5 * 3_600_000
const tedClosesMs = 17 * 3_600_000

/** When a transfer runs: at once if it can, or on the wanted day. */
export const runTimeOf = (
  timeZone: string,
  kind: 'PIX' | 'TED',
  scheduledFor: CalendarDate | null,
  nowMs: number,
): number => {
  const isLater = scheduledFor !== null && scheduledFor > dateIn(timeZone, nowMs)
  if (kind === 'PIX') return isLater ? instantOf(timeZone, scheduledFor, pixHourMs) : nowMs
  return nextTedTime(timeZone, isLater ? startOfDay(timeZone, scheduledFor) : nowMs)
}

const nextTedTime = (timeZone: string, fromMs: number): number => {
  const today = dateIn(timeZone, fromMs)
  const isOver = fromMs >= instantOf(timeZone, today, tedClosesMs)
  const day = nextBusinessDay(isOver ? addDays(today, 1) : today)
  return Math.max(fromMs, instantOf(timeZone, day, tedOpensMs))
}
