import { copyFileSync, mkdirSync, readdirSync, statfsSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { isoInstant } from '../../engine/shared/calendar.ts'
import { formatFile, shardPathIn } from '../data-directory.ts'
import { hasEnvironment } from '../environment.ts'
import { limits } from '../limits.ts'
import { masterKeyText } from '../master-key.ts'
import { newProgressReporter, type WorkProgress } from '../progress.ts'
import { verifyDataDirectory } from '../verify.ts'
import type { Backup, BackupJob, BackupPeer, Point } from './backup.ts'
import { type LogEnd, type LogSource, openJournalSource, openShardSource } from './log-source.ts'
import { openStateSource, type StateSource } from './state-source.ts'
import { finishTarget, syncFile } from './target.ts'

/**
 * Copies the data directory of a running service, and renames the copy once it is whole, on disk and (if wanted)
 * verified. Snapshots come first: everything they cover is in the journals by then. Then a moment is chosen and the
 * journals are copied up to their ends at that moment, so that none refers to something missing in another.
 */
export const writeBackup = async (job: BackupJob, { pointNow, onProgress }: BackupPeer): Promise<Backup> => {
  const { path, partial, shards } = job
  const moment = await copyAll(job, pointNow, onProgress)
  const shardPath = shardPathIn(partial)
  const report = job.verify ? await verifyDataDirectory({ shards, shardPath }, onProgress) : null
  return finish(job, {
    path,
    pointMs: moment.atMs,
    shards: moment.shards.map(counted),
    directory: counted(moment.directory),
    transactions: report?.transactions ?? null,
    problems: report?.problems ?? null,
    masterKey: job.key !== null,
  })
}

const copyAll = async (
  { dataDir, partial, shards }: BackupJob,
  pointNow: () => Promise<Point>,
  onProgress: (progress: WorkProgress) => void,
): Promise<Moment> => {
  const numbers = Array.from({ length: shards }, (_, number) => number)
  const shardPath = shardPathIn(dataDir)
  const copyPath = shardPathIn(partial)
  const directory = openJournalSource(dataDir, 'directory')
  const logs = numbers.map((number) => openShardSource(shardPath(number)))
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
  try {
    requireRoom(sources.reduce((sum, source) => sum + source.bytes(), 0))
    for (const number of numbers) {
      mkdirSync(copyPath(number), { recursive: true })
      await states[number]?.copy(join(copyPath(number), 'state'), optionsOf('COPY_STATE', number))
    }
    const moment = await chooseMoment(directory, logs, pointNow)
    for (const number of numbers)
      await logs[number]!.copy(copyPath(number), moment.shards[number]!, optionsOf('COPY_JOURNAL', number))
    await directory.copy(partial, moment.directory, { requireRoom, onProgress: async () => undefined })
    return moment
  } finally {
    for (const source of sources) await source.close()
  }
}

/** A missing snapshot can be made again from the journal. */
const openState = (path: string): StateSource | null => (hasEnvironment(path) ? openStateSource(path) : null)

const counted = ({ entries, records }: LogEnd) => ({ entries, records })

/** Throws when less room would remain than the service may need: its data may be on the same disk. */
const roomOf =
  (path: string) =>
  (bytes: number): void => {
    const { bavail, bsize } = statfsSync(path)
    const free = bavail * bsize
    if (free >= bytes + limits.backupReserveBytes) return
    throw new Error(
      `the disk of ${path} has ${mebibytes(free)} MiB left; to write ${mebibytes(bytes)} MiB and leave ${mebibytes(limits.backupReserveBytes)} MiB free, that is too little`,
    )
  }

const mebibytes = (bytes: number): number => Math.ceil(bytes / 1024 / 1024)

type Moment = { readonly atMs: number; readonly directory: LogEnd; readonly shards: readonly LogEnd[] }

/**
 * Where all journals end at one moment. Shards refer to companies and endpoints in the directory, and a cluster's
 * directory says whose accounts the shards have opened, so it must not change while the shards are read.
 */
const chooseMoment = async (
  directory: LogSource,
  logs: readonly LogSource[],
  pointNow: () => Promise<Point>,
): Promise<Moment> => {
  for (let tries = 0; tries < limits.backupTriesMax; tries++) {
    const before = directory.end()
    const { atMs, ends } = await pointNow()
    if (ends !== null) {
      await reach(directory, ends.directory, 'the directory')
      for (const [number, log] of logs.entries()) await reach(log, ends.shards[number]!, `shard ${number}`)
    }
    const shards = logs.map((log) => log.end())
    const after = ends === null ? directory.end().entries : (await pointNow()).ends!.directory
    if (after === before.entries) return { atMs, directory: before, shards }
  }
  throw new Error('companies, keys and endpoints change all the time: try again later')
}

/** Waits until this node's disk has everything that was acknowledged anywhere. */
const reach = async (log: LogSource, end: number, what: string): Promise<void> => {
  const position = (): number => {
    const { records, entries } = log.end()
    return records ?? entries
  }
  for (let waitedMs = 0; position() < end; waitedMs += limits.backupPollMs) {
    if (waitedMs > limits.backupReachMs)
      throw new Error(
        `this node has ${position()} of the ${end} records of ${what}: wait until it has caught up`,
      )
    await pause(limits.backupPollMs)
  }
}

/** The file that makes the copy a data directory is written last, before the rename. */
const finish = (job: BackupJob, made: Omit<Backup, 'bytes'>): Backup => {
  const { partial } = job
  if (job.key !== null)
    writeFileSync(join(partial, 'master.key'), masterKeyText(Buffer.from(job.key)), { mode: 0o600 })
  const { path: _, pointMs, ...rest } = made
  const about = { format: 1, service: job.service, pointAt: isoInstant(pointMs), ...rest }
  writeFileSync(join(partial, 'backup.json'), `${JSON.stringify(about, null, 2)}\n`, { mode: 0o600 })
  copyFileSync(join(job.dataDir, formatFile), join(partial, formatFile))
  const bytes = syncTree(partial)
  finishTarget(job)
  return { ...made, bytes }
}

/** Flushes everything below a path. Returns its size in bytes. */
const syncTree = (path: string): number => {
  let bytes = 0
  for (const item of readdirSync(path, { withFileTypes: true })) {
    const below = join(path, item.name)
    if (item.isDirectory()) bytes += syncTree(below)
    else {
      bytes += statSync(below).size
      syncFile(below)
    }
  }
  syncFile(path)
  return bytes
}
