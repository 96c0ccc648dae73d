import { addDays, type CalendarDate, nextBusinessDay } from '../../../shared/calendar.ts'

/**
 * The last day on which a charge with a due date can be paid, at any hour (API Pix 2.9, `validadeAposVencimento`,
 * examples A to G). Grace days are calendar days from the effective due date; both ends move to a business day.
 */
export const lastPayableDay = (dueDate: CalendarDate, graceDays: number): CalendarDate =>
  nextBusinessDay(addDays(nextBusinessDay(dueDate), graceDays))
