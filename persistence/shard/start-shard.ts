import { join } from 'node:path'
import type { Delivery } from '../../engine/webhooks/delivery.ts'
import { bounds } from '../base/bounds.ts'
import type { DamagedColumns } from '../base/columns.ts'
import { delay } from '../base/delay.ts'
import type { Member } from '../cluster/record.ts'
import { requireSpace, watchDiskSpace } from '../disk/disk-space.ts'
import { hasEnvironment } from '../disk/environment.ts'
import { flushedUpTo } from '../journal/journal.ts'
import { historyUnavailable, packRegularly } from './archiving.ts'
import { catchUpFor, catchUpSoon } from './catch-up.ts'
import { forgetSoon, goOnForgetting } from './forgetting.ts'
import { revoke, startLeading, stopLeading } from './leading.ts'
import { openSnapshot, recoverMemory } from './recover.ts'
import { hasLease, isResting, mayAnswer, type RunningShard, type ShardHostOptions } from './running-shard.ts'
import { saveSnapshotSoon, saveSnapshotWhenMany } from './save-snapshot.ts'

/** Functions that close the opened parts of a shard, in this order. */
export type Closers = (() => Promise<unknown>)[]

/** Closes the parts of a shard. One that fails does not keep the others open. */
export const closeAll = async (closers: Closers): Promise<void> => {
  for (const close of closers.splice(0)) await close().catch(() => undefined)
}

/** Opens the parts of a shard. Adds their closing functions to `closers`, also when a later part fails to open. */
export const startShard = (
  options: ShardHostOptions,
  failed: ReadonlySet<string>,
  damage: DamagedColumns | null,
  closers: Closers,
  broken: (error: unknown) => void,
): RunningShard => {
  let run: RunningShard | null = null
  // Reads go on with a full disk, but not without the files that they need.
  if (!hasEnvironment(join(options.path, 'state'))) requireSpace(options.path, 0)
  const space = watchDiskSpace(options.path)
  const wasFull = space.trouble() !== null
  const log = options.openLog(options.path, {
    entries: () => void (run && catchUpSoon(run)),
    owner: () => run && startLeading(run),
    lost: () => run && stopLeading(run),
    broken,
  })
  closers.push(async () => {
    if (run !== null) stopWorking(run)
    await run?.packing
    // Before the snapshot, which may wait for entries that the log has not stored and now never will.
    await log.close()
  })
  const store = openSnapshot(options, damage)
  closers.push(async () => {
    await run?.forgetting
    await run?.savingSnapshot?.catch(() => undefined)
    await store.close()
  })
  run = {
    options,
    failed,
    space,
    wasFull,
    log,
    store,
    memory: recoverMemory(options, log, store),
    broken,
    stop: () => closeAll(closers),
    leading: null,
    isLeaving: false,
    isStopped: false,
    caughtUpTo: store.sequence(),
    isCatchingUp: false,
    savingSnapshot: null,
    forgetting: null,
    savingRegularly: undefined,
    packing: null,
    packingRegularly: undefined,
    packingTrouble: null,
    toldOfHistory: null,
    leaseUnconfirmedSince: null,
  }
  const { unsavedChangesMax = bounds.catchUpAtOnce } = options
  if (log.replica === null && log.journal.flushed() - run.caughtUpTo > unsavedChangesMax)
    void catchUpSoon(run, (own) => startLeading(own))
  else {
    catchUpFor(run)
    if (log.replica === null) startLeading(run)
    saveSnapshotWhenMany(run)
  }
  run.savingRegularly = setInterval(saveRegularly, bounds.snapshotIntervalMs, run)
  packRegularly(run)
  forgetSoon(run)
  const away = log.journal.batches.archive.trouble()
  if (away !== null) historyUnavailable(run, away)
  return run
}

const saveRegularly = (run: RunningShard): void => {
  saveSnapshotSoon(run)
  goOnForgetting(run)
}

const stopWorking = (run: RunningShard): void => {
  run.isStopped = true
  clearInterval(run.savingRegularly)
  clearInterval(run.packingRegularly)
  if (run.leading !== null) revoke(run.leading)
}

/** Looks at the disk and the lease, and fires due timers; returns the deliveries whose attempt is due. */
export const tickShard = (run: RunningShard): readonly Delivery[] => {
  const { leading } = run
  run.space.look()
  failWhenLeaseUnconfirmed(run)
  if (leading === null) run.memory.tidy(run.options.realNow())
  if (leading === null || !mayAnswer(run)) return []
  if (!isResting(run)) return leading.shard.tick()
  if (leading.shard.hasDue()) void wake(run)
  return []
}

/** Resolves when the shard no longer rests, or when waiting longer is pointless. */
export const wake = async ({ log: { replica } }: RunningShard): Promise<void> => {
  await Promise.race([replica?.wake().catch(() => undefined), delay(bounds.wakeMs)])
}

/** Gives the shard to another member once all its entries are on disk; resolves to whether the log took it. */
export const handOverShard = async (run: RunningShard, to: Member): Promise<boolean> => {
  const { journal, replica } = run.log
  if (replica === null || run.leading === null || run.isLeaving) return false
  run.isLeaving = true
  try {
    await flushedUpTo(journal, journal.appended())
    return await replica.handOver(to)
  } finally {
    run.isLeaving = false
  }
}

/** Fails requests that wait for a quorum which does not come back: their outcome is unknown. */
const failWhenLeaseUnconfirmed = (run: RunningShard): void => {
  const { journal } = run.log
  if (run.leading === null || hasLease(run) || run.isLeaving) {
    run.leaseUnconfirmedSince = null
    return
  }
  run.leaseUnconfirmedSince ??= performance.now()
  if (journal.appended() === journal.flushed()) return
  if (performance.now() - run.leaseUnconfirmedSince > bounds.leaseUnconfirmedMs)
    run.broken(new Error('the log has no quorum'))
}
