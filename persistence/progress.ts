import { newTimeSlice } from './index/time-slice.ts'
import { limits } from './limits.ts'

/** How far long work on a data directory is, for people who wait for it. */
export type WorkProgress = Stretch & { readonly shard: number; readonly shards: number }

/** One stretch of the work on a shard: of what it copies, entries are replayed and actors compared. */
type Stretch = {
  readonly step: 'COPY_STATE' | 'COPY_JOURNAL' | 'REPLAY' | 'COMPARE'
  readonly done: number
  readonly of: number
}

/** Tells now and then how far work is, and lets others run meanwhile. */
export type ProgressReporter = {
  /** Whether it is time to report. */
  readonly isDue: () => boolean
  readonly report: (stretch: Stretch) => Promise<void>
}

export const newProgressReporter = (onStretch: (stretch: Stretch) => void): ProgressReporter => {
  const slice = newTimeSlice(() => performance.now(), limits.progressMs)
  return {
    isDue: slice.isOver,
    report: async (stretch) => {
      onStretch(stretch)
      await new Promise((resolve) => setImmediate(resolve))
      slice.restart()
    },
  }
}
