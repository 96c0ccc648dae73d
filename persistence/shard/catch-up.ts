import { replay } from '../../engine/engine.ts'
import { bounds } from '../base/bounds.ts'
import { nextTurn } from '../base/delay.ts'
import type { RunningShard } from './running-shard.ts'
import { saveSnapshotWhenMany } from './save-snapshot.ts'

/** Brings the memory up to the end of the log, or as far as this time allows. */
export const catchUpFor = (run: RunningShard, forMs = Number.POSITIVE_INFINITY): void => {
  const from = performance.now()
  for (const { sequence } of replay(run.memory, run.log.journal, run.caughtUpTo)) {
    run.caughtUpTo = sequence
    if (performance.now() - from > forMs) return
  }
}

/**
 * Catches up in slices: other shards of this thread have requests to answer. Snapshots on the way let memory go, and a process that ends
 * on the way goes on from there in its next life.
 */
export const catchUpSoon = async (
  run: RunningShard,
  then: (run: RunningShard) => void = () => undefined,
): Promise<void> => {
  if (run.isCatchingUp) return
  run.isCatchingUp = true
  const { onReplay, unsavedChangesMax = bounds.unsavedChangesMax } = run.options
  let reportedMs = performance.now()
  try {
    while (!run.isStopped && run.leading === null && run.caughtUpTo < run.log.journal.appended()) {
      catchUpFor(run, bounds.catchUpSliceMs)
      saveSnapshotWhenMany(run)
      // What no snapshot has yet stays in memory.
      if (run.memory.unsaved() >= unsavedChangesMax) await run.savingSnapshot
      if (performance.now() - reportedMs > bounds.replayReportMs) {
        reportedMs = performance.now()
        onReplay?.(run.caughtUpTo, run.log.journal.appended())
      }
      await nextTurn()
    }
    if (!run.isStopped) then(run)
  } catch (error) {
    run.broken(error)
  }
  run.isCatchingUp = false
}
