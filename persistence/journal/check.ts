import { bounds } from '../base/bounds.ts'
import { delay } from '../base/delay.ts'
import { newTimeSlice } from '../base/time-slice.ts'
import type { StoredJournal } from './journal.ts'

/** Reads a journal again (see `ShardLog.check`). */
export const checkJournal = async (
  { flushed, batches }: Pick<StoredJournal, 'flushed' | 'batches'>,
  isStopped: () => boolean,
): Promise<number | null> => {
  const end = flushed()
  let checked = 0
  let seal: Buffer | undefined
  while (checked < end) {
    await delay(bounds.checkPauseMs)
    if (isStopped()) return null
    const slice = newTimeSlice(() => performance.now(), bounds.sliceMs)
    // Read anew in each slice: a long read transaction would keep the pages that are freed meanwhile.
    for (const batch of batches.from(checked + 1, end, seal)) {
      checked = batch.last
      seal = Buffer.from(batch.seal)
      if (slice.isOver()) break
    }
  }
  return end
}
