import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { isoInstant } from '../../engine/shared/calendar.ts'
import { bounds } from '../base/bounds.ts'
import { newProgressReporter, type WorkProgress } from '../base/progress.ts'
import { hasEnvironment } from '../disk/environment.ts'
import { type Manifest, readManifest, writeManifest } from '../home/manifest.ts'
import { masterKeyText } from '../home/master-key.ts'
import { journalsOf, shardPathIn } from '../home/parts.ts'
import { verifyDataDirectory } from '../verify/verify.ts'
import {
  type BackupAbout,
  type BackupEnds,
  type EarlierBackup,
  type LogEnd,
  readAbout,
  writeAbout,
} from './about.ts'
import type { Backup, BackupJob, BackupPeer, Point } from './backup.ts'
import { sourceOf } from './chain.ts'
import { type LogSource, openLogSource, startOf } from './log-source.ts'
import { BackupRefusal } from './refusal.ts'
import { openStateSource, type StateSource } from './state-source.ts'
import { finishTarget, roomOf } from './target.ts'

/**
 * Copies the data directory of a running service, or the part that an earlier backup lacks, and renames the copy
 * once it is whole, on disk and (if wanted) verified. Snapshots come first: everything they cover is in the
 * journals by then. Then a moment is chosen and the journals are copied up to their ends at that moment, so that
 * none refers to something missing in another. Throws `BackupRefusal` when the earlier backup is of something
 * else, and `Damaged` when a journal is not what was written.
 */
export const writeBackup = async (job: BackupJob, { pointNow, onProgress }: BackupPeer): Promise<Backup> => {
  const { path, partial, dataDir } = job
  const manifest = readManifest(dataDir)
  if (manifest === null) throw new BackupRefusal(`${dataDir} is not a data directory any more`)
  const earlier = job.after === null ? null : earlierOf(job.after, manifest)
  const { atMs, ends } = await copyAll(job, manifest, earlier, pointNow, onProgress)
  const about: BackupAbout = {
    kind: earlier === null ? 'FULL' : 'INCREMENT',
    service: job.service,
    pointAt: isoInstant(atMs),
    of: manifest,
    after: earlier,
    ends,
    masterKey: job.key !== null,
  }
  const report = !job.verify
    ? null
    : earlier === null
      ? await verifyDataDirectory({ shards: manifest.shards, shardPath: shardPathIn(partial) }, onProgress)
      : await reread(partial, about)
  if (job.key !== null)
    writeFileSync(join(partial, 'master.key'), masterKeyText(Buffer.from(job.key)), { mode: 0o600 })
  writeAbout(partial, about)
  // The file that makes a full copy a data directory is written last, before the rename.
  if (earlier === null) writeManifest(partial, manifest)
  const bytes = finishTarget(job)
  return {
    path,
    kind: about.kind,
    after: earlier?.path ?? null,
    pointMs: atMs,
    shards: ends.shards.map((end, shard) => countedSince(end, earlier?.ends.shards[shard])),
    directory: countedSince(ends.directory, earlier?.ends.directory),
    transactions: report?.transactions ?? null,
    problems: report?.problems ?? null,
    bytes,
    masterKey: job.key !== null,
  }
}

/** The backup to continue. Throws `BackupRefusal` when it is one of another data directory. */
const earlierOf = (path: string, of: Manifest): EarlierBackup => {
  const about = readAbout(path)
  if (sourceOf(about) !== sourceOf({ of }))
    throw new BackupRefusal(
      `${path} is a backup of ${sourceOf(about)}, and this is ${sourceOf({ of })}: make a full one`,
    )
  return { path, pointAt: about.pointAt, ends: about.ends }
}

const countedSince = (end: LogEnd, before?: LogEnd) => ({
  entries: end.entries - (before?.entries ?? 0),
  records: end.position && end.position.applied - (before?.position?.applied ?? 0),
})

const copyAll = async (
  { dataDir, partial }: BackupJob,
  manifest: Manifest,
  earlier: EarlierBackup | null,
  pointNow: () => Promise<Point>,
  onProgress: (progress: WorkProgress) => void,
): Promise<Moment> => {
  const { shards } = manifest
  const isReplica = manifest.home !== null
  const numbers = Array.from({ length: shards }, (_, number) => number)
  const shardPath = shardPathIn(dataDir)
  const copyPath = shardPathIn(partial)
  const [directoryPart, ...parts] = journalsOf(manifest)
  const directory = openLogSource(join(dataDir, directoryPart!.path), false)
  const logs = parts.map((part) => openLogSource(join(dataDir, part.path), isReplica))
  const states = numbers.map((number) => openState(join(shardPath(number), 'state')))
  const sources = [directory, ...logs, ...states.filter((state) => state !== null)]
  const requireRoom = roomOf(partial)
  const optionsOf = (step: WorkProgress['step'], shard: number) => {
    const reporter = newProgressReporter((stretch) => onProgress({ shard, shards, ...stretch }))
    const reportIfDue = async (done: number, of: number): Promise<void> => {
      if (reporter.isDue()) await reporter.report({ step, done, of })
    }
    return { requireRoom, onProgress: reportIfDue }
  }
  const startsOf = earlier?.ends ?? {
    directory: startOf(directoryPart!.identity, false),
    shards: parts.map(({ identity }) => startOf(identity, isReplica)),
  }
  try {
    if (earlier === null) requireRoom(sources.reduce((sum, source) => sum + source.bytes(), 0))
    else requireContinued(earlier, directory, logs)
    const published = states.map((state) => state?.published() ?? 0)
    for (const number of numbers) {
      mkdirSync(copyPath(number), { recursive: true })
      if (earlier === null)
        await states[number]?.copy(join(copyPath(number), 'state'), optionsOf('COPY_STATE', number))
    }
    const { atMs, ends } = await chooseMoment(directory, logs, pointNow)
    for (const [number, { path }] of parts.entries())
      await logs[number]!.copy(
        join(partial, path),
        startsOf.shards[number]!,
        ends.shards[number]!,
        optionsOf('COPY_JOURNAL', number),
      )
    await directory.copy(join(partial, directoryPart!.path), startsOf.directory, ends.directory, {
      requireRoom,
      onProgress: async () => undefined,
    })
    if (isReplica) return { atMs, ends }
    return {
      atMs,
      ends: {
        ...ends,
        shards: ends.shards.map((end, number) => ({ ...end, published: published[number]! })),
      },
    }
  } finally {
    for (const source of sources) await source.close()
  }
}

/** A missing snapshot can be made again from the journal. */
const openState = (path: string): StateSource | null => (hasEnvironment(path) ? openStateSource(path) : null)

/** Throws `BackupRefusal` when a journal does not continue the earlier backup. */
const requireContinued = (
  { path, ends }: EarlierBackup,
  directory: LogSource,
  logs: readonly LogSource[],
): void => {
  const other = directory.continues(ends.directory)
    ? logs.find((log, shard) => !log.continues(ends.shards[shard]!))
    : directory
  if (other !== undefined)
    throw new BackupRefusal(
      `${other.path} does not continue what ${path} ends with, because it was restored, fetched or written anew since: make a full backup`,
    )
}

/** Reads an increment back from disk, since it cannot be replayed without the backups before it. */
const reread = async (partial: string, { of, after, ends }: BackupAbout) => {
  const isReplica = of.home !== null
  const [directoryPart, ...parts] = journalsOf(of)
  const stretches = [
    { part: directoryPart!, from: after!.ends.directory, to: ends.directory, isReplica: false },
    ...parts.map((part, shard) => ({
      part,
      from: after!.ends.shards[shard]!,
      to: ends.shards[shard]!,
      isReplica,
    })),
  ]
  for (const { part, from, to, isReplica } of stretches) {
    const copy = openLogSource(join(partial, part.path), isReplica)
    try {
      copy.check(from, to)
    } finally {
      await copy.close()
    }
  }
  return { transactions: null, problems: [] }
}

type Moment = { readonly atMs: number; readonly ends: BackupEnds }

/**
 * Where all journals end at one moment. Shards refer to companies and endpoints in the directory, and a cluster's
 * directory says whose accounts the shards have opened, so it must not change while the shards are read.
 */
const chooseMoment = async (
  directory: LogSource,
  logs: readonly LogSource[],
  pointNow: () => Promise<Point>,
): Promise<Moment> => {
  for (let tries = 0; tries < bounds.backupTriesMax; tries++) {
    const before = directory.end()
    const { atMs, ends } = await pointNow()
    if (ends !== null) {
      await reach(directory, ends.directory, 'the directory')
      for (const [number, log] of logs.entries()) await reach(log, ends.shards[number]!, `shard ${number}`)
    }
    const shards = logs.map((log) => log.end())
    const after = ends === null ? directory.end().entries : (await pointNow()).ends!.directory
    if (after === before.entries) return { atMs, ends: { directory: before, shards } }
  }
  throw new Error('companies, keys and endpoints change all the time: try again later')
}

/** Waits until this node's disk has everything that was acknowledged anywhere. */
const reach = async (log: LogSource, end: number, what: string): Promise<void> => {
  const position = (): number => {
    const { position, entries } = log.end()
    return position?.applied ?? entries
  }
  for (let waitedMs = 0; position() < end; waitedMs += bounds.backupPollMs) {
    if (waitedMs > bounds.backupReachMs)
      throw new Error(
        `this node has ${position()} of the ${end} records of ${what}: wait until it has caught up`,
      )
    await pause(bounds.backupPollMs)
  }
}
