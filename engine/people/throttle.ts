import type { PersonId } from '../shared/ids.ts'
import type { FailedAttempts } from './session.ts'

/** How failures slow down further attempts (dashboard, section 1.4). */
export type ThrottlePolicy = {
  /** The pause before the next attempt, after so many failures in a row. */
  readonly pauseMs: (inRow: number) => number
  /** At most so many failures in this time. */
  readonly failuresMax: number
  readonly withinMs: number
}

/** From the fifth failure on one second, doubling to fifteen minutes; a hundred in an hour. */
export const passwordThrottle: ThrottlePolicy = {
  pauseMs: (inRow) => (inRow < 5 ? 0 : Math.min(1000 * 2 ** (inRow - 5), 15 * 60_000)),
  failuresMax: 100,
  withinMs: 3_600_000,
}

/** The subject under which a person's wrong codes are counted. */
export const factorSubject = (id: PersonId): string => `factor ${id}`

const rowMax = 10

/** What is known of a person's codes where the record of them is gone: the next wrong one locks them. */
export const unknownFailures: FailedAttempts = { inRow: rowMax - 1, recentMs: [], blockedUntilMs: 0 }

/** Five in five minutes; ten in a row lock codes for an hour. */
export const factorThrottle: ThrottlePolicy = {
  pauseMs: (inRow) => (inRow > 0 && inRow % rowMax === 0 ? 3_600_000 : 0),
  failuresMax: 5,
  withinMs: 5 * 60_000,
}

/** Mails with a link for a new password: three in an hour. */
export const linkThrottle: ThrottlePolicy = { pauseMs: () => 0, failuresMax: 3, withinMs: 3_600_000 }

/** Counts another failure. */
export const withFailure = (
  before: FailedAttempts | undefined,
  nowMs: number,
  { pauseMs, failuresMax, withinMs }: ThrottlePolicy,
): FailedAttempts => {
  const inRow = (before?.inRow ?? 0) + 1
  const recentMs = [...(before?.recentMs ?? []).filter((ms) => ms > nowMs - withinMs), nowMs].slice(
    -failuresMax,
  )
  const fullUntilMs = recentMs.length < failuresMax ? 0 : recentMs[0]! + withinMs
  return { inRow, recentMs, blockedUntilMs: Math.max(nowMs + pauseMs(inRow), fullUntilMs) }
}

/** Seconds until an attempt is taken; 0 for now. */
export const secondsToWait = (attempts: FailedAttempts | undefined, nowMs: number): number =>
  attempts === undefined ? 0 : Math.max(0, Math.ceil((attempts.blockedUntilMs - nowMs) / 1000))
