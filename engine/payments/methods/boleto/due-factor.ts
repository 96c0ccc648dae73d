import { assert } from '../../../shared/assert.ts'
import { addDays, type CalendarDate, daysBetween } from '../../../shared/calendar.ts'

/** Day 0 of the due factor. */
const base = '1997-10-07' as CalendarDate
/** The first due date that a factor can say. */
export const dueDateMin = '2000-07-03' as CalendarDate
const first = 1000
const last = 9999
/** Factors 1000 to 9999 come again after this many days: 9999 was 2025-02-21, and the day after it is 1000. */
const period = last - first + 1

/** A due date as the four digits of the bar code (FEBRABAN; brazil.md 2.3). Due dates are 2000-07-03 or later. */
export const dueFactor = (dueDate: CalendarDate): string => {
  const days = daysBetween(base, dueDate)
  assert(days >= first, 'a boleto is due after 2000-07-02')
  return String(first + ((days - first) % period))
}

/**
 * The due date that a factor means at a reference date: of its candidates the one from 3000 days before to 5500 days
 * after it (Itaú manual, annex 6). Null for `0000`, which names none, and where no candidate is that near.
 */
export const dueDateOfFactor = (factor: string, reference: CalendarDate): CalendarDate | null => {
  const days = Number(factor)
  if (days === 0) return null
  for (let candidate = days; ; candidate += period) {
    const distance = candidate - daysBetween(base, reference)
    if (distance > 5500) return null
    if (distance >= -3000) return addDays(base, candidate)
  }
}
