/** What a throttle needs of its process: a monotonic clock, a timer and the end of the turn, each in milliseconds. */
export type ThrottleClock = {
  readonly nowMs: () => number
  readonly after: (ms: number, callback: () => void) => void
  readonly atEndOfTurn: (callback: () => void) => void
}

const processClock: ThrottleClock = {
  nowMs: () => performance.now(),
  after: (ms, callback) => void setTimeout(callback, ms),
  atEndOfTurn: (callback) => void setImmediate(callback),
}

/** Calls a function back when it may; what is asked for until then is the same call. */
export type Throttle = (callback: () => void) => void

/** A throttle of calls: each at the end of the turn in which it is asked for, but no sooner than `apartMs` after the last one. */
export const newThrottle = (apartMs: number, clock = processClock): Throttle => {
  let isWanted = false
  let calledAtMs = Number.NEGATIVE_INFINITY
  return (callback) => {
    if (isWanted) return
    isWanted = true
    const call = (): void => {
      isWanted = false
      calledAtMs = clock.nowMs()
      callback()
    }
    const waitMs = calledAtMs + apartMs - clock.nowMs()
    if (waitMs > 0) clock.after(waitMs, call)
    else clock.atEndOfTurn(call)
  }
}
