import type { Work } from '../../engine/kernel/work.ts'

/** How long work has been going on without giving way. */
export type Pace = {
  /** Whether it is time to give way; whoever does so says `goOn` afterwards. */
  readonly isOver: () => boolean
  readonly goOn: () => void
}

/** `stopwatch` in milliseconds; only its differences matter, and only for when to give way. */
export const newTimeSlice = (stopwatch: () => number, sliceMs: number): Pace => {
  let startedMs = stopwatch()
  return {
    isOver: () => stopwatch() - startedMs >= sliceMs,
    goOn: () => {
      startedMs = stopwatch()
    },
  }
}

export const yieldIfDue = function* (pace: Pace): Work<void> {
  if (!pace.isOver()) return
  yield
  pace.goOn()
}
