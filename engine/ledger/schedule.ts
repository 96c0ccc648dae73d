import { assert } from '../shared/assert.ts'
import { addDays, type CalendarDate, dateIn, instantOf, nextBusinessDay } from '../shared/calendar.ts'
import type { SettlementId } from '../shared/ids.ts'
import type { Method } from '../shared/method.ts'
import { toCents } from '../shared/money.ts'
import type { Schedule, ScheduleChange, ScheduledSettlement } from './account.ts'

/** Batches run at six in the morning of every business day (decisions, section 16). */
const batchHourMs = 6 * 3_600_000

/** When the batch of a day runs. */
export const batchAtMs = (timeZone: string, date: CalendarDate): number =>
  instantOf(timeZone, date, batchHourMs)

/** The first business day from this one on whose batch has not run yet. */
export const nextBatchDay = (timeZone: string, wanted: CalendarDate, nowMs: number): CalendarDate => {
  const today = dateIn(timeZone, nowMs)
  const first = batchAtMs(timeZone, today) > nowMs ? today : addDays(today, 1)
  return nextBusinessDay(wanted > first ? wanted : first)
}

/** The settlements of the earliest scheduled day; empty when there are none. */
export const nextSettlements = (schedule: Schedule): readonly ScheduledSettlement[] => {
  const first = nextSettlementDay(schedule)
  if (first === null) return []
  return Object.entries(schedule[monthOf(first)]!)
    .filter(([, { date }]) => date === first)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, settlement]) => settlement)
}

/** The earliest scheduled day; null when nothing is. Every booking asks for it, so nothing is sorted. */
export const nextSettlementDay = (schedule: Schedule): CalendarDate | null => {
  const month = firstOf(Object.keys(schedule))
  const key = month && firstOf(Object.keys(schedule[month]!))
  return key ? schedule[month!]![key]!.date : null
}

const firstOf = (texts: readonly string[]): string | null => {
  let first: string | null = null
  for (const text of texts) if (first === null || text < first) first = text
  return first
}

/** The schedule with these changes; a settlement left without receivables is removed. */
export const rescheduled = (schedule: Schedule, changes: readonly ScheduleChange[]): Schedule =>
  changes.reduce(withChange, schedule)

const withChange = (schedule: Schedule, change: ScheduleChange): Schedule => {
  const { id, date, method } = change
  const month = schedule[monthOf(date)] ?? {}
  const key = keyIn(month, change)
  const before = month[key]
  const receivablesCount = (before?.receivablesCount ?? 0) + change.receivablesCount
  assert(receivablesCount >= 0, 'what leaves a settlement was in it')
  if (receivablesCount > 0) {
    const settlement: ScheduledSettlement = {
      id,
      method,
      date,
      grossCents: toCents((before?.grossCents ?? 0) + change.grossCents),
      feeCents: toCents((before?.feeCents ?? 0) + change.feeCents),
      receivablesCount,
    }
    const days: Record<string, ScheduledSettlement> = { ...month }
    days[key] = settlement
    return withMonth(schedule, date, days)
  }
  const { [key]: _, ...days } = month
  if (Object.keys(days).length > 0) return withMonth(schedule, date, days)
  const { [monthOf(date)]: __, ...months } = schedule
  return months
}

const withMonth = (schedule: Schedule, date: CalendarDate, days: Schedule[string]): Schedule => {
  const months: Record<string, Schedule[string]> = { ...schedule }
  months[monthOf(date)] = days
  return months
}

/** The change that undoes this one, or removes a completed settlement. */
export const unscheduled = (settlement: ScheduleChange): ScheduleChange => ({
  ...settlement,
  grossCents: toCents(-settlement.grossCents),
  feeCents: toCents(-settlement.feeCents),
  receivablesCount: -settlement.receivablesCount,
})

/** The settlement id for a day's next receivable of a method: an existing one, or a new one. */
export const settlementIdFor = (
  schedule: Schedule,
  date: CalendarDate,
  method: Method,
  newId: () => SettlementId,
): SettlementId => {
  const month = schedule[monthOf(date)] ?? {}
  const first = month[keyOf(date, method)]
  if (first === undefined || takesMore(first)) return first?.id ?? newId()
  const another = Object.values(month).find(
    (settlement) => settlement.date === date && settlement.method === method && takesMore(settlement),
  )
  return another?.id ?? newId()
}

/** Keeps sums exact: a settlement that would exceed what a number can hold is followed by another on the same day. */
const takesMore = ({ grossCents }: ScheduledSettlement): boolean => grossCents < settlementCentsMax
/** A charge is below 10¹² centavos (decisions, section 1), and numbers are exact up to 2⁵³. */
const settlementCentsMax = 9_000_000_000_000_000

/** Keyed by day and method; by its id as well when there is already one. */
const keyIn = (month: Schedule[string], { id, date, method }: ScheduleChange): string => {
  const key = keyOf(date, method)
  const own = `${key} ${id}`
  const isFirst = month[own] === undefined && (month[key] === undefined || month[key].id === id)
  return isFirst ? key : own
}

const monthOf = (date: CalendarDate): string => date.slice(0, 7)
const keyOf = (date: CalendarDate, method: Method): string => `${date} ${method}`
