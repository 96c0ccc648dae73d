import { randomInt } from 'node:crypto'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { CompanyConnection } from '../../engine/companies/connection.ts'
import type { AccountId } from '../../engine/shared/ids.ts'
import { firstWhere } from '../base/bisect.ts'
import { bounds } from '../base/bounds.ts'
import { newProgressReporter, type WorkProgress } from '../base/progress.ts'
import { Damaged, requireUndamaged } from '../disk/damage.ts'
import { hasEnvironment } from '../disk/environment.ts'
import { DataDirectoryRefusal, writeManifest } from '../home/manifest.ts'
import { masterKeyCheck, masterKeyText, readMasterKey } from '../home/master-key.ts'
import { type JournalPart, journalsOf, problemOfJournal, shardPathIn } from '../home/parts.ts'

import { openStore } from '../snapshot/store.ts'
import { doneAt } from '../stream/stream.ts'
import { verifyDataDirectory } from '../verify/verify.ts'
import { type BackupEnds, isSameEnd, type LogEnd } from './about.ts'
import { type Chain, chainOf, type StoredBackup } from './chain.ts'
import { directoryCut, mendDirectory } from './directory-cut.ts'
import { type BackupStretch, type Copied, openLogSource, startOf } from './log-source.ts'
import { BackupRefusal } from './refusal.ts'
import { cutShard, type RestorePoint, requireReachable, type ShardCut } from './restore-point.ts'
import { openStateSource } from './state-source.ts'
import type { CopyOptions } from './stretches.ts'
import { finishTarget, makeTarget, roomOf } from './target.ts'

/** An operator's request to restore. */
export type RestoreRequest = {
  /** The data directory to create: absent or empty. */
  readonly path: string
  /** A full backup and increments, in any order. */
  readonly from: readonly string[]
  readonly until: RestorePoint
  /** Whether to replay and compare what was restored before it counts as made. */
  readonly verify: boolean
}

export type RestorePeer = {
  /** The shard of an account. */
  readonly shardOf: (accountId: AccountId, shards: number) => number
  readonly newRecordId: () => string
  readonly onProgress: (progress: WorkProgress) => void
  /** Aborts the restore. */
  readonly signal: AbortSignal
}

/** A data directory made from backups. */
export type Restored = {
  readonly path: string
  /** The backups it was made from, in order. */
  readonly from: readonly string[]
  /** Nothing in it was decided after this. */
  readonly pointMs: number
  readonly shards: readonly RestoredShard[]
  /** Null unless verified. */
  readonly transactions: number | null
  readonly problems: readonly string[] | null
  readonly bytes: number
  readonly masterKey: boolean
  /** The connections to banks that are in use, whose credentials are those of then. */
  readonly connections: readonly RestoredConnection[]
}

export type RestoredConnection = Pick<
  CompanyConnection,
  'id' | 'companyId' | 'provider' | 'state' | 'suspension'
>

export type RestoredShard = {
  readonly entries: number
  /** The time of the last entry; null without entries. */
  readonly lastMs: number | null
}

/**
 * Builds a data directory from a full backup and increments of it, to their end or to a point before, and renames it once it is whole
 * and on disk. Every batch is checked while it is copied. Snapshots that lie beyond the point are left out: a start makes them again.
 * Throws `BackupRefusal` when these backups do not lead there, one is damaged, or the place is taken; nothing is left behind then.
 */
export const restoreBackup = async (request: RestoreRequest, peer: RestorePeer): Promise<Restored> => {
  const chain = chainOf(request.from)
  requireReachable(chain, request.until)
  const key = masterKeyOf(chain[0])
  const target = makeTarget(request.path)
  try {
    const { pointMs, shards, connections } = await restoreLogs(chain, request.until, target.partial, peer)
    if (key !== null) writeFileSync(join(target.partial, 'master.key'), masterKeyText(key), { mode: 0o600 })
    const { of } = chain[0].about
    const data = { shards: of.shards, shardPath: shardPathIn(target.partial) }
    const report = request.verify ? await verifyDataDirectory(data, peer.onProgress) : null
    requireWanted(peer.signal)
    writeManifest(target.partial, of)
    const bytes = finishTarget(target)
    return {
      path: target.path,
      from: chain.map(({ path }) => path),
      pointMs,
      shards,
      transactions: report?.transactions ?? null,
      problems: report?.problems ?? null,
      bytes,
      masterKey: key !== null,
      connections,
    }
  } catch (error) {
    await target.discard()
    throw error instanceof Damaged
      ? new BackupRefusal(`${error.message}: use another copy of that backup`)
      : error
  }
}

/** The master key in a backup. Throws `BackupRefusal` when the backup was made with another one. */
const masterKeyOf = ({ path, about }: StoredBackup): Buffer | null => {
  if (!about.masterKey) return null
  const file = join(path, 'master.key')
  const key = readKey(file)
  if (key === null || masterKeyCheck(key, about.of.id) !== about.of.masterKeyCheck)
    throw new BackupRefusal(`${file} is not the master key that the backup was made with: put that one there`)
  return key
}

const readKey = (file: string): Buffer | null => {
  try {
    return readMasterKey(file)
  } catch (error) {
    if (error instanceof DataDirectoryRefusal) return null
    throw error
  }
}

const requireWanted = (signal: AbortSignal): void => {
  if (signal.aborted) throw new BackupRefusal('the restore was given up, and what was written is removed')
}

const restoreLogs = async (
  chain: Chain,
  until: RestorePoint,
  partial: string,
  { shardOf, newRecordId, onProgress, signal }: RestorePeer,
): Promise<Pick<Restored, 'pointMs' | 'shards' | 'connections'>> => {
  const { of } = chain[0].about
  const room = roomOf(partial)
  const requireRoom = (bytes: number): void => {
    requireWanted(signal)
    room(bytes)
  }
  const [directoryPart, ...parts] = journalsOf(of)
  const cuts: (ShardCut | null)[] = []
  const shards: RestoredShard[] = []
  for (const [shard, part] of parts.entries()) {
    const reporter = newProgressReporter((stretch) => onProgress({ shard, shards: of.shards, ...stretch }))
    const optionsOf = (step: WorkProgress['step']): CopyOptions => ({
      requireRoom,
      onProgress: async (done, of) => {
        requireWanted(signal)
        if (reporter.isDue()) await reporter.report({ step, done, of })
      },
    })
    const { cut, ...restored } = await restoreShard(chain, shard, part, until, partial, optionsOf)
    cuts.push(cut)
    shards.push(restored)
  }
  const endIn = (ends: BackupEnds): LogEnd => ends.directory
  const connections = await withStretches(chain, directoryPart!, false, endIn, async (stretches) => {
    const path = join(partial, directoryPart!.path)
    const cut = directoryCut(until, of, stretches, cuts)
    await copyStretches(stretches, cut, path, { requireRoom, onProgress: async () => undefined })
    return mendDirectory(path, of, cut, cuts, (accountId) => shardOf(accountId, of.shards), newRecordId)
  })
  const pointMs = until.kind === 'TIME' ? until.atMs : Date.parse(chain.at(-1)!.about.pointAt)
  return {
    pointMs,
    shards,
    connections: connections
      .filter(({ state }) => state === 'ACTIVE' || state === 'SUSPENDED')
      .map(({ id, companyId, provider, state, suspension }) => ({
        ...{ id, companyId, provider, state, suspension },
      })),
  }
}

/** Restores the log of a shard, and its snapshot or what a start needs of it. */
const restoreShard = (
  chain: Chain,
  shard: number,
  part: JournalPart,
  until: RestorePoint,
  partial: string,
  optionsOf: (step: WorkProgress['step']) => CopyOptions,
): Promise<RestoredShard & { readonly cut: ShardCut | null }> => {
  const isReplica = chain[0].about.of.home !== null
  const endIn = (ends: BackupEnds): LogEnd => ends.shards[shard]!
  return withStretches(chain, part, isReplica, endIn, async (stretches) => {
    const path = join(partial, part.path)
    const shardPath = shardPathIn(partial)(shard)
    const cut = await cutShard(until, shard, stretches, optionsOf('SEARCH').onProgress)
    const copied = await copyStretches(stretches, cut, path, optionsOf('COPY_JOURNAL'))
    await restoreState(shardPathIn(chain[0].path)(shard), shardPath, copied, optionsOf('COPY_STATE'))
    const restored = openLogSource(path, isReplica)
    try {
      const { entries } = copied.end
      const decidedMs = (entry: number): number => restored.entryAt(entry).atMs
      const lastMs = entries === 0 ? null : decidedMs(entries)
      const published = publishedBy(decidedMs, lastMs, stretches.at(-1)!.end, cut)
      // The records of a cluster's log say what is published.
      if (!isReplica) await setPublished(join(shardPath, 'state'), published)
      return { entries, lastMs, cut }
    } finally {
      await restored.close()
    }
  })
}

/**
 * Opens one log's part in each backup of a chain for `work`. Throws `Damaged` when a part is missing or foreign.
 */
const withStretches = async <Value>(
  chain: Chain,
  { path: below, identity }: JournalPart,
  isReplica: boolean,
  endIn: (ends: BackupEnds) => LogEnd,
  work: (stretches: readonly BackupStretch[]) => Promise<Value>,
): Promise<Value> => {
  const stretches: BackupStretch[] = []
  try {
    for (const { path: backup, about } of chain) {
      const path = join(backup, below)
      const problem = problemOfJournal(path, identity)
      if (problem !== null) throw new Damaged(problem)
      requireUndamaged(path)
      const after = about.after === null ? startOf(identity, isReplica) : endIn(about.after.ends)
      stretches.push({ backup, source: openLogSource(path, isReplica), after, end: endIn(about.ends) })
    }
    return await work(stretches)
  } finally {
    for (const { source } of stretches) await source.close()
  }
}

/** Copies one stretch after the other, to the end of the last or to a cut. */
const copyStretches = async (
  stretches: readonly BackupStretch[],
  cut: { readonly entries: number } | null,
  path: string,
  options: CopyOptions,
): Promise<Copied> => {
  let copied: Copied | null = null
  for (const { backup, source, after, end } of stretches) {
    const isWhole = cut === null || end.entries <= cut.entries
    const until = isWhole ? end : { entries: cut.entries, position: null }
    copied = await source.copy(path, copied?.end ?? after, until, options)
    if (!isWhole) break
    if (!isSameEnd(copied.end, end)) throw new Damaged(`${source.path} does not end as ${backup} says`)
  }
  return copied!
}

/** Restores a snapshot unless it is damaged or lies beyond the point: then a start makes it again. */
const restoreState = async (
  from: string,
  to: string,
  { whole }: Copied,
  { requireRoom, onProgress }: CopyOptions,
): Promise<void> => {
  const path = join(to, 'state')
  if (!hasEnvironment(join(from, 'state'))) return
  try {
    requireUndamaged(join(from, 'state'))
    const state = openStateSource(join(from, 'state'))
    await state.copy(path, { requireRoom, onProgress }).finally(() => state.close())
    if (await isUsable(path, whole)) return
  } catch (error) {
    if (!(error instanceof Damaged)) throw error
  }
  rmSync(path, { recursive: true, force: true })
}

const isUsable = async (path: string, whole: number): Promise<boolean> => {
  const store = openStore(path, () => 0)
  try {
    // Each value is checked when it is read.
    for (const _ of store.accounts());
    for (const _ of store.tableSnapshots());
    return store.sequence() > 0 && store.sequence() <= whole
  } finally {
    await store.close()
  }
}

/**
 * The entry up to which events count as published. Deliveries of events published shortly before a cut were
 * planned behind the cut, so those events are published again: receivers know events by their id.
 */
const publishedBy = (
  decidedMs: (entry: number) => number,
  lastMs: number | null,
  end: LogEnd,
  cut: ShardCut | null,
): number => {
  if (cut === null || lastMs === null) return cut === null ? end.published : 0
  const since = lastMs - bounds.publishedAgainMs
  return firstWhere(0, Math.min(end.published, cut.entries), (sequence) => decidedMs(sequence + 1) > since)
}

/** Writes the published sequence into the snapshot: without it, every event would be published again. */
const setPublished = async (path: string, published: number): Promise<void> => {
  const store = openStore(path, () => randomInt(2 ** 32))
  try {
    const { published: planned, streamed } = store.progress
    if (planned === published && streamed === published) return
    const [sequence, cleared] = [store.sequence(), store.cleared()]
    const keys = { recent: null, dropped: [], sealed: null, runs: store.keyRuns(), replaced: [] }
    const nothing = { accounts: [], tableSnapshots: [], dropped: [], keys }
    await store.write({ sequence, cleared, ...nothing }, doneAt(published), store.seal())
  } finally {
    await store.close()
  }
}
