import { newTimeSlice } from './index/time-slice.ts'
import { limits } from './limits.ts'

/** How far long work on a data directory is, for people who wait for it. */
export type Progress = Stretch & { readonly shard: number; readonly shards: number }

/** One stretch of the work on a shard: of what it copies, entries are replayed and actors compared. */
type Stretch = {
  readonly step: 'COPY_STATE' | 'COPY_JOURNAL' | 'REPLAY' | 'COMPARE'
  readonly done: number
  readonly of: number
}

/** Tells now and then how far work is, and lets others run meanwhile. */
export type Teller = {
  /** Whether it is time to tell. */
  readonly isDue: () => boolean
  readonly tell: (stretch: Stretch) => Promise<void>
}

export const newTeller = (onStretch: (stretch: Stretch) => void): Teller => {
  const slice = newTimeSlice(() => performance.now(), limits.progressMs)
  return {
    isDue: slice.isOver,
    tell: async (stretch) => {
      onStretch(stretch)
      await new Promise((resolve) => setImmediate(resolve))
      slice.restart()
    },
  }
}
