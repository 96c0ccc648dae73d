import { bounds } from './bounds.ts'
import { nextTurn } from './delay.ts'
import { newTimeSlice } from './time-slice.ts'

/** The progress of long work on a data directory, for people who wait for it. */
export type WorkProgress = Stretch & { readonly shard: number; readonly shards: number }

/** One step of the work on a shard: the bytes copied, entries searched for a moment, pages and entries checked, entries replayed or actors compared. */
export type Stretch = {
  readonly step: 'COPY_STATE' | 'COPY_JOURNAL' | 'SEARCH' | 'CHECK' | 'REPLAY' | 'COMPARE'
  readonly done: number
  readonly of: number
}

/** Reports progress at intervals and lets other work run meanwhile. */
export type ProgressReporter = {
  /** Whether it is time to report. */
  readonly isDue: () => boolean
  readonly report: (stretch: Stretch) => Promise<void>
}

/** A reporter that is due every `bounds.progressMs`. */
export const newProgressReporter = (onStretch: (stretch: Stretch) => void): ProgressReporter => {
  const slice = newTimeSlice(() => performance.now(), bounds.progressMs)
  return {
    isDue: slice.isOver,
    report: async (stretch) => {
      onStretch(stretch)
      await nextTurn()
      slice.restart()
    },
  }
}
