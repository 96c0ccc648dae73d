import { addDays, type CalendarDate, dateIn, startOfDay } from '../calendar.ts'
import type { DunningPolicy } from '../recurring/dunning.ts'
import type { Dunning } from './invoice.ts'

export type AfterFailure = {
  readonly dunning: Dunning | null
  readonly policy: DunningPolicy
  /** There is nothing more to try. */
  readonly isExhausted: boolean
}

/** What follows a failure: the next step of the policy, its end where the steps are passed over, or nothing any more. */
export const dunningAfter = (failure: {
  readonly policy: DunningPolicy
  readonly failedOn: CalendarDate
  readonly steps: number
  readonly isSkipping: boolean
  readonly timeZone: string
  readonly nowMs: number
}): AfterFailure => {
  const { policy, failedOn, steps, isSkipping, timeZone, nowMs } = failure
  const dunning = { policy, failedOn, steps, isSkipping }
  const at = (days: number): number => hourOf(timeZone, addDays(failedOn, days), policy.retryHour)
  const ending = (days: number): AfterFailure => ({
    dunning: { ...dunning, nextAtMs: at(days), isEnding: true },
    policy,
    isExhausted: false,
  })
  if (!policy.enabled) return ending(daysWithoutRetries)
  const next = policy.retryDays[steps]
  if (next === undefined)
    return { dunning: { ...dunning, nextAtMs: nowMs, isEnding: true }, policy, isExhausted: true }
  if (isSkipping) return ending(policy.retryDays.at(-1)!)
  return { dunning: { ...dunning, nextAtMs: at(next), isEnding: false }, policy, isExhausted: false }
}

/** Where nothing is tried again the customer has a day to pay by hand (decisions, section 24). */
const daysWithoutRetries = 1

/** After a rest of its subscription: as many days later, at the hour of its policy. */
export const dunningLater = (dunning: Dunning, days: number, timeZone: string): Dunning => ({
  ...dunning,
  failedOn: addDays(dunning.failedOn, days),
  nextAtMs: hourOf(timeZone, addDays(dateIn(timeZone, dunning.nextAtMs), days), dunning.policy.retryHour),
})

const hourOf = (timeZone: string, date: CalendarDate, hour: number): number =>
  startOfDay(timeZone, date) + hour * 3_600_000
