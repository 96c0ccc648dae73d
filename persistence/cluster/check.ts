import { bounds } from '../base/bounds.ts'
import { newTimeSlice } from '../base/time-slice.ts'
import { Damaged } from '../disk/damage.ts'
import { checkJournal, restAfter } from '../journal/check.ts'
import { positionsOf, type ReplicaStore } from './replica-store.ts'

/** Reads a node's copy of a log again, records and entries (see `ShardLog.check`). */
export const checkLog = async (
  store: Pick<ReplicaStore, 'path' | 'position' | 'base' | 'batches' | 'read'>,
  isStopped: () => boolean,
): Promise<number | null> => {
  const end = store.position()
  for (;;) {
    const begin = store.base()
    const checked = await checkRecords(store, begin, end, isStopped)
    if (checked === null) return null
    // Records that were dropped meanwhile are no damage.
    if (checked < end.applied && store.base().applied > begin.applied) continue
    if (checked < end.applied) throw new Damaged(`${store.path} is damaged at record ${checked + 1}`)
    // Those before the base are in no record.
    const before = { flushed: () => begin.entries, batches: store.batches }
    return (await checkJournal(before, isStopped)) === null ? null : end.entries
  }
}

type Ends = Pick<ReturnType<ReplicaStore['position']>, 'applied' | 'head'>

/** The last record up to which they are a chain; null when stopped. */
const checkRecords = async (
  { read }: Pick<ReplicaStore, 'read'>,
  begin: ReturnType<ReplicaStore['base']>,
  end: Ends,
  isStopped: () => boolean,
): Promise<number | null> => {
  let checked = begin.applied
  if (checked >= end.applied) return checked
  let startedMs = performance.now()
  const slice = newTimeSlice(() => performance.now(), bounds.sliceMs)
  for (const { applied, head } of positionsOf(read, begin)) {
    if (applied === end.applied && head === end.head) return applied
    if (applied === end.applied) break
    checked = applied
    if (!slice.isOver()) continue
    await restAfter(performance.now() - startedMs)
    if (isStopped()) return null
    startedMs = performance.now()
    slice.restart()
  }
  return checked
}
