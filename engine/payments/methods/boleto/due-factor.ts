import { assert } from '../../../shared/assert.ts'
import { type CalendarDate, daysBetween } from '../../../shared/calendar.ts'

/** Day 0 of the due factor. */
const base = '1997-10-07' as CalendarDate
/** The first due date that a factor can express. */
export const dueDateMin = '2000-07-03' as CalendarDate
const first = 1000
const last = 9999
/** Factors 1000 to 9999 repeat after this many days: 2025-02-21 was 9999 and the next day 1000. */
const period = last - first + 1

/** A due date as the four digits of the bar code (FEBRABAN; brazil.md 2.3). Due dates are 2000-07-03 or later. */
export const dueFactor = (dueDate: CalendarDate): string => {
  const days = daysBetween(base, dueDate)
  assert(days >= first, 'a boleto is due after 2000-07-02')
  return String(first + ((days - first) % period))
}
