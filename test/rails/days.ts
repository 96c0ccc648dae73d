import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'

/** Days of São Paulo as `yyyy-mm-dd`, and the business days of banks. The service has a calendar of its own: neither reads the other's. */
const vectors = resolve(import.meta.dirname, '../../../test/vectors/holidays.json')
let holidays: ReadonlySet<string> | null = null

const isHoliday = (day: string): boolean => {
  holidays ??= new Set(
    Object.values<{ holidays: readonly { date: string }[] }>(
      JSON.parse(readFileSync(vectors, 'utf8')).years,
    ).flatMap((year) => year.holidays.map(({ date }) => date)),
  )
  return holidays.has(day)
}

/** São Paulo has had no summer time since 2019. */
const offsetMs = 3 * 3_600_000

/** The day of a moment in São Paulo. */
export const dayOf = (ms: number): string => new Date(ms - offsetMs).toISOString().slice(0, 10)

/** The moment of an hour of a day in São Paulo. */
export const momentOf = (day: string, hour = 0): number =>
  Date.parse(`${day}T00:00:00Z`) + offsetMs + hour * 3_600_000

/** The day that comes so many days later. */
export const addDays = (day: string, days: number): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10)

/** How many days the second day is after the first. */
export const daysBetween = (from: string, to: string): number =>
  Math.round((Date.parse(`${to}T00:00:00Z`) - Date.parse(`${from}T00:00:00Z`)) / 86_400_000)

/** The day itself if banks work on it, else the next on which they do. */
export const businessDayFrom = (day: string): string => {
  const weekday = new Date(`${day}T00:00:00Z`).getUTCDay()
  return weekday === 0 || weekday === 6 || isHoliday(day) ? businessDayFrom(addDays(day, 1)) : day
}

/** A moment as API Pix writes it. */
export const instant = (ms: number): string => new Date(ms).toISOString()
