import type { Work } from '../../engine/kernel/work.ts'

/** How long work has been going on without giving way. */
export type TimeSlice = {
  /** Whether it is time to give way; whoever does so says `restart` afterwards. */
  readonly isOver: () => boolean
  readonly restart: () => void
}

/** `stopwatch` in milliseconds; only its differences matter, and only for when to give way. */
export const newTimeSlice = (stopwatch: () => number, sliceMs: number): TimeSlice => {
  let startedMs = stopwatch()
  return {
    isOver: () => stopwatch() - startedMs >= sliceMs,
    restart: () => {
      startedMs = stopwatch()
    },
  }
}

export const yieldIfDue = function* (slice: TimeSlice): Work<void> {
  if (!slice.isOver()) return
  yield
  slice.restart()
}
