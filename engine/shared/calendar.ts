import { assert } from './assert.ts'

declare const calendarDate: unique symbol

/** A day, `YYYY-MM-DD` (ISO 8601), without a time zone. Years have four digits, so dates compare as text. */
export type CalendarDate = string & { readonly [calendarDate]: true }

/**
 * A date from outside; null when the day does not exist. Years 0001 to 9998: one spare year at both ends keeps computed
 * dates within four digits.
 */
export const readDate = (text: string): CalendarDate | null => {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return null
  const year = Number(text.slice(0, 4))
  const month = Number(text.slice(5, 7))
  const day = Number(text.slice(8))
  if (year < 1 || year > 9998 || month < 1 || month > 12 || day < 1 || day > monthLength(year, month))
    return null
  return text as CalendarDate
}

/** The date so many days later; earlier when negative. */
export const addDays = (date: CalendarDate, days: number): CalendarDate => dateOf(dayOf(date) + days)

/** The same day so many months later, or the last day of a shorter month. */
export const addMonths = (date: CalendarDate, months: number): CalendarDate =>
  dateOf(monthsLater(dayOf(date), months))

/** How many days `to` is after `from`; negative when it is before. */
export const daysBetween = (from: CalendarDate, to: CalendarDate): number => dayOf(to) - dayOf(from)

/** Whether banks settle nationwide on that day (CMN Resolution 4.880/2020; decisions, section 1). */
export const isBusinessDay = (date: CalendarDate): boolean => {
  const day = dayOf(date)
  const weekday = weekdayOf(day)
  if (weekday === 0 || weekday === 6) return false
  const monthAndDay = date.slice(5)
  if (holidays.has(monthAndDay)) return false
  if (monthAndDay === '11-20' && date >= '2024') return false // Law 14.759/2023.
  return !easterHolidays.has(day - dayOf(easterSunday(Number(date.slice(0, 4)))))
}

/** The day itself if it is a business day, otherwise the next one. */
export const nextBusinessDay = (date: CalendarDate): CalendarDate => {
  let day = date
  while (!isBusinessDay(day)) day = addDays(day, 1)
  return day
}

const holidays: ReadonlySet<string> = new Set('01-01 04-21 05-01 09-07 10-12 11-02 11-15 12-25'.split(' '))

/** Days relative to Easter: Carnival Monday and Tuesday, Good Friday, Corpus Christi. */
const easterHolidays: ReadonlySet<number> = new Set([-48, -47, -2, 60])

/** Easter in the Gregorian calendar: the Sunday after the full moon of the church's tables, on or after 21 March. */
export const easterSunday = (year: number): CalendarDate => {
  const century = Math.floor(year / 100)
  const golden = year % 19
  const moonDrift = Math.floor((8 * century + 13) / 25)
  const epact = (19 * golden + century - Math.floor(century / 4) - moonDrift + 15) % 30
  // The tables never put the full moon on day 29, nor on day 28 late in the cycle.
  const fullMoon = epact - (epact === 29 || (epact === 28 && golden > 10) ? 1 : 0)
  const fullMoonDay = dayNumber(year, 3, 21) + fullMoon
  return dateOf(fullMoonDay + 7 - weekdayOf(fullMoonDay))
}

/** Sunday is 0. 1 January 1970 was a Thursday. */
const weekdayOf = (day: number): number => (((day + 4) % 7) + 7) % 7

/** The date that clocks show in an IANA zone at an instant. */
export const dateIn = (zone: string, epochMs: number): CalendarDate =>
  dateOf(Math.floor(shownIn(zone, epochMs) / dayMs))

/**
 * The time of day that clocks show in an IANA zone at an instant, in ms. It is not always the time elapsed since
 * midnight, because clocks change.
 */
export const timeIn = (zone: string, epochMs: number): number => {
  const shownMs = shownIn(zone, epochMs)
  return shownMs - Math.floor(shownMs / dayMs) * dayMs
}

const shownIn = (zone: string, epochMs: number): number => {
  const { before, changesAtMs, after } = zoneDay(zone, Math.floor(epochMs / dayMs))
  return epochMs + (epochMs < changesAtMs ? before : after)
}

/**
 * The first instant of a date in an IANA zone: 00:00, or the instant of the jump where
 * clocks skip midnight (as in America/Sao_Paulo until 2018). A day that the zone skipped is empty.
 */
export const startOfDay = (zone: string, date: CalendarDate): number => instantOf(zone, date, 0)

/** The first instant after a date in an IANA zone: a day is the half-open interval between start and end. */
export const endOfDay = (zone: string, date: CalendarDate): number => instantOf(zone, date, dayMs)

/**
 * The first instant at which clocks in an IANA zone show this time of a date, or a later one: the instant of the jump where they skip it.
 * Tries offsets from the day before on.
 */
export const instantOf = (zone: string, date: CalendarDate, timeMs: number): number => {
  const day = dayOf(date)
  const shownMs = day * dayMs + timeMs
  for (let utcDay = day - 1; ; utcDay++) {
    const { before, changesAtMs, after } = zoneDay(zone, utcDay)
    if (shownMs - before < changesAtMs) return Math.max(utcDay * dayMs, shownMs - before)
    if (shownMs - after < (utcDay + 1) * dayMs) return Math.max(changesAtMs, shownMs - after)
  }
}

/** A zone's offsets from UTC during one UTC day, in ms. No zone has ever changed twice in a day. */
type ZoneDay = { readonly before: number; readonly changesAtMs: number; readonly after: number }

type Zone = { readonly clock: Intl.DateTimeFormat; readonly days: Map<number, ZoneDay> }

/** Cached zones and days: a formatter takes tens of microseconds to create, and one to query. */
const zonesMax = 64
const zoneDaysMax = 4096

const zones = new Map<string, Zone>()

const zoneDay = (name: string, day: number): ZoneDay => {
  const zone = zones.get(name) ?? remember(zones, zonesMax, name, { clock: clockIn(name), days: new Map() })
  return zone.days.get(day) ?? remember(zone.days, zoneDaysMax, day, observeDay(zone.clock, day))
}

const remember = <Key, Value>(cache: Map<Key, Value>, max: number, key: Key, value: Value): Value => {
  if (cache.size >= max) cache.clear()
  cache.set(key, value)
  return value
}

const observeDay = (clock: Intl.DateTimeFormat, day: number): ZoneDay => {
  const before = offsetSeconds(clock, day * daySeconds)
  const after = offsetSeconds(clock, (day + 1) * daySeconds - 1)
  let low = day * daySeconds
  let high = (day + 1) * daySeconds
  while (before !== after && high - low > 1) {
    const middle = Math.floor((low + high) / 2)
    if (offsetSeconds(clock, middle) === before) low = middle
    else high = middle
  }
  return { before: before * 1000, changesAtMs: high * 1000, after: after * 1000 }
}

const clockIn = (timeZone: string): Intl.DateTimeFormat =>
  new Intl.DateTimeFormat('en-US', {
    timeZone,
    calendar: 'gregory',
    numberingSystem: 'latn',
    hourCycle: 'h23',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  })

const offsetSeconds = (clock: Intl.DateTimeFormat, epochSeconds: number): number => {
  const shown = { day: 0, hour: 0, minute: 0, second: 0 }
  for (const { type, value } of clock.formatToParts(epochSeconds * 1000)) {
    if (type === 'day' || type === 'hour' || type === 'minute' || type === 'second')
      shown[type] = Number(value)
  }
  const utcDay = Math.floor(epochSeconds / daySeconds)
  const daysAhead = shown.day - civil(utcDay).day
  // Offsets are below a day, so a difference of many days of the month means a new month.
  const dayTurn = daysAhead < -1 ? 1 : daysAhead > 1 ? -1 : daysAhead
  const secondOfDay = shown.hour * 3600 + shown.minute * 60 + shown.second
  return (utcDay + dayTurn) * daySeconds + secondOfDay - epochSeconds
}

/** An instant in UTC as `2026-11-20T15:00:00.000Z` (ISO 8601). */
export const isoInstant = (epochMs: number): string => {
  const second = Math.floor(epochMs / 1000)
  if (second !== instantSecond) {
    instantText = secondText(second)
    instantSecond = second
  }
  const thousandth = thousandths[epochMs - second * 1000]
  assert(thousandth !== undefined, 'an instant is a whole number of milliseconds')
  return instantText + thousandth
}

// Most instants written in a row fall into the same second.
let instantSecond = Number.NaN
let instantText = ''

const secondText = (epochSeconds: number): string => {
  const day = Math.floor(epochSeconds / daySeconds)
  const second = epochSeconds - day * daySeconds
  const hours = twoDigits[Math.floor(second / 3600)]
  return `${dateOf(day)}T${hours}:${twoDigits[Math.floor(second / 60) % 60]}:${twoDigits[second % 60]}.`
}

const twoDigits = Array.from({ length: 100 }, (_, n) => String(n).padStart(2, '0'))
const thousandths = Array.from({ length: 1000 }, (_, n) => `${String(n).padStart(3, '0')}Z`)

/**
 * A full ISO 8601 date-time with `Z` or an offset, as epoch milliseconds; null when it is not one. Seconds are
 * optional; digits beyond milliseconds are cut off. Years as in `readDate`.
 */
export const readInstant = (text: string): number | null => {
  const [, dateText, hour, minute, second = 0, fraction = '', sign, offsetHour = 0, offsetMinute = 0] =
    instantPattern.exec(text) ?? []
  const date = dateText === undefined ? null : readDate(dateText)
  if (date === null || Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return null
  if (Number(offsetHour) > 23 || Number(offsetMinute) > 59) return null
  const minutes = Number(hour) * 60 + Number(minute)
  const offsetMinutes = (Number(offsetHour) * 60 + Number(offsetMinute)) * (sign === '-' ? -1 : 1)
  const ms = Number(second) * 1000 + Number(fraction.padEnd(3, '0').slice(0, 3))
  const epochMs = dayOf(date) * dayMs + (minutes - offsetMinutes) * 60_000 + ms
  return epochMs >= dayNumber(1, 1, 1) * dayMs && epochMs < dayNumber(9999, 1, 1) * dayMs ? epochMs : null
}

const instantPattern =
  /^(\d{4}-\d{2}-\d{2})T(\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?(?:Z|([+-])(\d{2})(?::?(\d{2}))?)$/

/** A duration in calendar units: a month is not a fixed number of days. */
export type Duration = { readonly months: number; readonly days: number; readonly ms: number }

/**
 * An ISO 8601 duration in whole units, such as `P1Y2M3DT4H5M6S` or `P2W`; null when it is not one. The number of digits
 * is bounded to keep sums exact.
 */
export const readDuration = (text: string): Duration | null => {
  const match = durationPattern.exec(text)
  if (match === null) return null
  const [weeks, years, months, days, hours, minutes, seconds] = match
    .slice(1)
    .map((digits) => Number(digits ?? 0))
  return {
    months: years! * 12 + months!,
    days: weeks! * 7 + days!,
    ms: (hours! * 3600 + minutes! * 60 + seconds!) * 1000,
  }
}

const durationPattern =
  /^P(?:(\d{1,5})W|(?=.)(?:(\d{1,5})Y)?(?:(\d{1,5})M)?(?:(\d{1,5})D)?(?:T(?=.)(?:(\d{1,9})H)?(?:(\d{1,9})M)?(?:(\d{1,9})S)?)?)$/

/** The instant that much later, in UTC: months first, to the last day of a shorter month, then the rest. */
export const addDuration = (epochMs: number, { months, days, ms }: Duration): number => {
  const today = Math.floor(epochMs / dayMs)
  return epochMs + (monthsLater(today, months) - today + days) * dayMs + ms
}

const monthsLater = (dayCount: number, months: number): number => {
  const { year, month, day } = civil(dayCount)
  const monthCount = year * 12 + month - 1 + months
  const thenYear = Math.floor(monthCount / 12)
  const thenMonth = monthCount - thenYear * 12 + 1
  return dayNumber(thenYear, thenMonth, Math.min(day, monthLength(thenYear, thenMonth)))
}

const daySeconds = 86_400
/** A day of 24 hours. */
export const dayMs = 86_400_000

const monthLength = (year: number, month: number): number => {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31
}

// Days count from 1 January 1970. Years begin in March here, so the leap day comes last and month lengths follow a
// straight line (153 days per five months).

const dayNumber = (year: number, month: number, day: number): number => {
  const y = month > 2 ? year : year - 1
  const m = month > 2 ? month - 3 : month + 9
  const leapDays = Math.floor(y / 4) - Math.floor(y / 100) + Math.floor(y / 400)
  return 365 * y + leapDays + Math.floor((153 * m + 2) / 5) + day - 1 - march0000
}

/** Days from 1 March of year 0 to 1 January 1970. */
const march0000 = 719_468

const civil = (dayCount: number): { readonly year: number; readonly month: number; readonly day: number } => {
  const days = dayCount + march0000
  const cycle = Math.floor(days / 146_097) // Leap years repeat after 400 years.
  const dayOfCycle = days - cycle * 146_097
  const leapDays =
    Math.floor(dayOfCycle / 1460) - Math.floor(dayOfCycle / 36_524) + Math.floor(dayOfCycle / 146_096)
  const yearOfCycle = Math.floor((dayOfCycle - leapDays) / 365)
  const dayOfYear =
    dayOfCycle - (365 * yearOfCycle + Math.floor(yearOfCycle / 4) - Math.floor(yearOfCycle / 100))
  const m = Math.floor((5 * dayOfYear + 2) / 153)
  const day = dayOfYear - Math.floor((153 * m + 2) / 5) + 1
  const year = cycle * 400 + yearOfCycle
  return m < 10 ? { year, month: m + 3, day } : { year: year + 1, month: m - 9, day }
}

const dayOf = (date: CalendarDate): number =>
  dayNumber(
    digit(date, 0) * 1000 + digit(date, 1) * 100 + digit(date, 2) * 10 + digit(date, 3),
    digit(date, 5) * 10 + digit(date, 6),
    digit(date, 8) * 10 + digit(date, 9),
  )

const digit = (text: string, index: number): number => text.charCodeAt(index) - 48

const datesMax = 4096
const dates = new Map<number, CalendarDate>()

const dateOf = (dayCount: number): CalendarDate => {
  const known = dates.get(dayCount)
  if (known !== undefined) return known
  const { year, month, day } = civil(dayCount)
  assert(year >= 0 && year <= 9999, 'the year of a date has four digits')
  const date = `${String(year).padStart(4, '0')}-${twoDigits[month]}-${twoDigits[day]}` as CalendarDate
  return remember(dates, datesMax, dayCount, date)
}
