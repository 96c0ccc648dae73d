import { bounds } from '../base/bounds.ts'
import { delay } from '../base/delay.ts'
import { newTimeSlice } from '../base/time-slice.ts'
import type { StoredJournal } from './journal.ts'

/**
 * Rests between slices of a check, in proportion to the last one: a slow disk makes it long, and requests wait meanwhile. Beside other work it rests
 * for longer: entries that were written long ago can wait.
 */
export const restAfter = (workedMs: number, isBusy = false): Promise<void> =>
  delay(Math.max(bounds.checkPauseMs, workedMs * (isBusy ? bounds.checkRestBusy : bounds.checkRest)))

/** Reads a journal again (see `ShardLog.check`). */
export const checkJournal = async (
  { flushed, batches }: Pick<StoredJournal, 'flushed' | 'batches'>,
  isStopped: () => boolean,
): Promise<number | null> => {
  const end = flushed()
  const archived = batches.archived().sequence
  const check = async (from: number, to: number): Promise<boolean> => {
    let checked = from
    let seal: Buffer | undefined
    let workedMs = 0
    let flushedBefore = flushed()
    while (checked < to) {
      const isBusy = flushed() !== flushedBefore
      flushedBefore = flushed()
      await restAfter(workedMs, isBusy)
      if (isStopped()) return false
      const startedMs = performance.now()
      const slice = newTimeSlice(() => performance.now(), bounds.sliceMs)
      // Read anew in each slice: a long read transaction would keep the pages that are freed meanwhile.
      for (const batch of batches.from(checked + 1, to, seal)) {
        checked = batch.last
        seal = Buffer.from(batch.seal)
        if (slice.isOver() || checked >= to) break
      }
      workedMs = performance.now() - startedMs
    }
    return true
  }
  // The archive comes last: it may be away.
  return (await check(archived, end)) && (await check(0, archived)) ? end : null
}
