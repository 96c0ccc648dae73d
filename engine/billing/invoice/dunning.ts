import { addDays, type CalendarDate, dateIn, instantOf } from '../../shared/calendar.ts'
import type { Dunning } from './invoice.ts'

export type AfterFailure = {
  readonly dunning: Dunning | null
  /** Nothing is left to try. */
  readonly isExhausted: boolean
}

/**
 * What follows a failed attempt: the next step of the policy, its end when the remaining steps are skipped, or nothing.
 * A step whose day passed while a charge was open is taken at once.
 */
export const dunningAfter = (
  failure: Omit<Dunning, 'nextAtMs' | 'isEnding'>,
  timeZone: string,
  nowMs: number,
): AfterFailure => {
  const { policy, steps, isSkipping } = failure
  const step = (days: number, isEnding: boolean): AfterFailure => ({
    dunning: {
      nextAtMs: Math.max(nowMs, stepAtMs(failure, isEnding ? null : steps, days, timeZone)),
      isEnding,
      ...failure,
    },
    isExhausted: false,
  })
  if (!policy.enabled) return step(daysWithoutRetries, true)
  const next = policy.retryDays[steps]
  if (next === undefined)
    return { dunning: { nextAtMs: nowMs, isEnding: true, ...failure }, isExhausted: true }
  return isSkipping ? step(policy.retryDays.at(-1)!, true) : step(next, false)
}

/** Dunning after a step was taken: the earliest time of the next one, or that none is left. */
export const dunningOnceTaken = (dunning: Dunning, timeZone: string): Dunning => {
  const next = dunning.policy.retryDays[dunning.steps + 1]
  return next === undefined
    ? { ...dunning, isEnding: true }
    : { ...dunning, nextAtMs: stepAtMs(dunning, dunning.steps + 1, next, timeZone) }
}

/** Without retries the customer gets a day to pay by hand (decisions, section 24). */
const daysWithoutRetries = 1

/** Dunning after its subscription was paused: shifted by the paused days, at the policy's hour. */
export const dunningLater = (dunning: Dunning, days: number, timeZone: string, nowMs: number): Dunning => {
  const date = addDays(dateIn(timeZone, dunning.nextAtMs), days)
  return {
    ...dunning,
    failedOn: addDays(dunning.failedOn, days),
    nextAtMs: Math.max(nowMs, hourOf(timeZone, date, dunning.policy.retryHour)),
  }
}

/** A retry by mandate is requested at noon of the day before (rails, section 4). */
const stepAtMs = (
  { failedOn, policy, byMandate = 0 }: Pick<Dunning, 'failedOn' | 'policy' | 'byMandate'>,
  /** Which step it is, from 0; null for the end. */
  index: number | null,
  days: number,
  timeZone: string,
): number =>
  index !== null && index < byMandate
    ? hourOf(timeZone, addDays(failedOn, days - 1), 12)
    : hourOf(timeZone, addDays(failedOn, days), policy.retryHour)

const hourOf = (timeZone: string, date: CalendarDate, hour: number): number =>
  instantOf(timeZone, date, hour * 3_600_000)
