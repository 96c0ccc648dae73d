import type { Work } from '../../engine/kernel/work.ts'

/** How long work has run since it last yielded. */
export type TimeSlice = {
  /** Whether it is time to yield; call `restart` after yielding. */
  readonly isOver: () => boolean
  readonly restart: () => void
}

/** `stopwatch` is in milliseconds; only its differences matter, and only for when to yield. */
export const newTimeSlice = (stopwatch: () => number, sliceMs: number): TimeSlice => {
  let startedMs = stopwatch()
  return {
    isOver: () => stopwatch() - startedMs >= sliceMs,
    restart: () => {
      startedMs = stopwatch()
    },
  }
}

/** Yields if the slice is over, and starts a new one. */
export const yieldIfDue = function* (slice: TimeSlice): Work<void> {
  if (!slice.isOver()) return
  yield
  slice.restart()
}
