import { bounds } from '../base/bounds.ts'
import { flushedUpTo } from '../journal/journal.ts'
import { progressOf, type RunningShard } from './running-shard.ts'

/** Saves a snapshot early when much has changed. Never during a replay: memory then covers less than the journal's end. */
export const saveSnapshotWhenMany = (run: RunningShard): void => {
  if (run.memory.unsaved() >= (run.options.unsavedChangesMax ?? bounds.unsavedChangesMax))
    saveSnapshotSoon(run)
}

/** Saves a snapshot in the background. */
export const saveSnapshotSoon = (run: RunningShard): void => void saveSnapshot(run).catch(run.broken)

/** Saves what changed since the last snapshot; resolves when that is on disk. One at a time: callers share it. */
export const saveSnapshot = (run: RunningShard): Promise<void> => {
  run.savingSnapshot ??= writeSnapshot(run).finally(() => {
    run.savingSnapshot = null
  })
  return run.savingSnapshot
}

const writeSnapshot = async (run: RunningShard): Promise<void> => {
  const { memory, store, space } = run
  const { journal } = run.log
  const sequence = run.leading === null ? run.caughtUpTo : journal.appended()
  const isSaved = sequence === store.sequence() && memory.unsaved() === 0
  if (isSaved || run.isStopped || space.trouble() !== null) return
  const taken = memory.takeSnapshot(sequence)
  await flushedUpTo(journal, sequence)
  if (run.isStopped) return
  await store.write(taken, progressOf(run), journal.batches.sealAt(sequence))
  const merge = memory.keysToMerge()
  if (merge !== null) await store.merge(merge, () => run.isStopped)
}
