import { bounds } from '../base/bounds.ts'
import { newTimeSlice } from '../base/time-slice.ts'
import { Damaged } from '../disk/damage.ts'
import { restAfter } from '../journal/check.ts'
import { positionsOf, type ReplicaStore } from './replica-store.ts'

/** Reads a node's copy of a log again, records and entries (see `ShardLog.check`). */
export const checkLog = async (
  { path, position, base, read }: Pick<ReplicaStore, 'path' | 'position' | 'base' | 'read'>,
  isStopped: () => boolean,
): Promise<number | null> => {
  const end = position()
  if (end.applied === 0) return 0
  let checked = 0
  let startedMs = performance.now()
  const slice = newTimeSlice(() => performance.now(), bounds.sliceMs)
  for (const { applied, head } of positionsOf(read, base())) {
    if (applied === end.applied && head === end.head) return end.entries
    if (applied === end.applied) break
    checked = applied
    if (!slice.isOver()) continue
    await restAfter(performance.now() - startedMs)
    if (isStopped()) return null
    startedMs = performance.now()
    slice.restart()
  }
  throw new Damaged(`${path} is damaged at record ${checked + 1}`)
}
