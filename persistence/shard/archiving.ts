import { statfsSync } from 'node:fs'
import { HistoryUnavailable } from '../../engine/kernel/unavailable.ts'
import { isDamage } from '../archive/files.ts'
import { PackingStopped, packJournal } from '../archive/pack.ts'
import { firstWhere } from '../base/bisect.ts'
import { bounds } from '../base/bounds.ts'
import { delay, nextTurn } from '../base/delay.ts'
import { Damaged } from '../disk/damage.ts'
import { takingTurns } from '../journal/fact-log.ts'
import { toldUpTo } from '../stream/stream.ts'
import { progressOf, type RunningShard } from './running-shard.ts'

/** How far the old part of a shard's journal is packed. */
export type ArchiveState = {
  readonly path: string
  /** The last entry of the archive; 0 without one. */
  readonly entries: number
  /** The last entry of the shard. */
  readonly appended: number
  readonly isPacking: boolean
  /** Why old entries cannot be read, or the last packing ended early; null when all is well. */
  readonly trouble: string | null
}

/** How far the old part of a shard is packed, and whether it can be read now. */
export const archiveState = (run: RunningShard): ArchiveState => {
  const { journal } = run.log
  const { archive, archived } = journal.batches
  return {
    path: archive.path,
    entries: archived().sequence,
    appended: journal.appended(),
    isPacking: run.packing !== null,
    trouble: archive.trouble()?.message ?? run.packingTrouble,
  }
}

/** Looks now and from time to time whether something is due to be packed. */
export const packRegularly = (run: RunningShard): void => {
  const { archiving } = run.options
  if (archiving === undefined || (archiving.afterMs === null && archiving.diskShare === null)) return
  run.packingRegularly = setInterval(packIfDue, bounds.archiveEveryMs, run)
  void nextTurn().then(() => packIfDue(run))
}

const packIfDue = (run: RunningShard): void => {
  try {
    const olderThanMs = dueAgeMs(run)
    if (olderThanMs === null || run.packing !== null || run.isStopped) return
    // A file for each hour would be many: it is packed by the day.
    const until = archivableUntil(run, olderThanMs + bounds.archiveAtOnceMs)
    if (until > run.log.journal.batches.archived().sequence) packNow(run, olderThanMs).catch(() => undefined)
  } catch (error) {
    run.broken(error)
  }
}

/** The age from which on entries are packed now; null for none. */
const dueAgeMs = ({ options: { archiving, path } }: RunningShard): number | null => {
  const { afterMs, diskShare } = archiving!
  return diskShare !== null && usedShare(path) >= diskShare ? bounds.archiveYoungestMs : afterMs
}

const usedShare = (path: string): number => {
  const { bavail, blocks } = statfsSync(path)
  return 1 - bavail / blocks
}

/** Packs what is older than this. Callers share the packing under way. Rejects where it ends early, and reports that. */
export const packNow = (run: RunningShard, olderThanMs: number): Promise<void> => {
  const packing = inTurn(() => pack(run, olderThanMs))
  const settled = packing
    .catch(() => undefined)
    .finally(() => {
      if (run.packing === settled) run.packing = null
    })
  run.packing = settled
  return packing
}

/** One shard of a thread at a time: each takes a share of the thread. */
const inTurn = takingTurns()

const pack = async (run: RunningShard, olderThanMs: number): Promise<void> => {
  if (run.isStopped) return
  const { journal } = run.log
  try {
    await packJournal(journal.batches, archivableUntil(run, olderThanMs), {
      pause: newPace(() => journal.appended()),
      isStopped: () => run.isStopped,
    })
    run.packingTrouble = null
  } catch (error) {
    if (error instanceof PackingStopped) return
    // That of an archive which is away is asked for anew each time.
    run.packingTrouble = error instanceof HistoryUnavailable ? null : (error as Error).message
    if (error instanceof Damaged) run.broken(error)
    else run.options.onTrouble(`shard ${run.options.number} packs no more for now`, error)
    throw error
  }
}

/** Rests after work, in proportion to it: longer while the shard is used. */
const newPace = (appended: () => number): ((workedMs: number) => Promise<void>) => {
  let seen = appended()
  return async (workedMs) => {
    const isUsed = appended() !== seen
    seen = appended()
    await delay(Math.max(1, workedMs * (isUsed ? bounds.archiveRestBeside : 1)))
  }
}

/**
 * The last entry that may be packed and is older than this. Whatever a start, the outboxes or the end of a journal needs stays in the
 * journal: a start with an archive that is away then serves all but what is old.
 */
const archivableUntil = (run: RunningShard, olderThanMs: number): number => {
  const { log, store, options } = run
  const { journal } = log
  const archived = journal.batches.archived().sequence
  const until = Math.min(store.sequence(), toldUpTo(progressOf(run)), journal.flushed() - 1)
  const beforeMs = options.realNow() - olderThanMs
  return firstWhere(archived, Math.max(archived, until), (entry) => journal.at(entry + 1).atMs >= beforeMs)
}

/** Reports history that cannot be read, once for each reason. */
export const historyUnavailable = (run: RunningShard, error: HistoryUnavailable): void => {
  if (run.toldOfHistory === error.message) return
  run.toldOfHistory = error.message
  if (isDamage(error)) run.options.onDamaged?.()
  run.options.onTrouble(
    `shard ${run.options.number} answers nothing that needs its old entries until they can be read: ${error.message}`,
    null,
  )
}
