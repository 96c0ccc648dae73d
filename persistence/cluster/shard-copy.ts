import { randomUUID } from 'node:crypto'
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { rangesIn } from '../archive/files.ts'
import { archiveOf, fileName } from '../archive/format.ts'
import { syncFolder } from '../archive/pack.ts'
import { firstSealOf } from '../codec/sealed-batch.ts'
import { markClosed } from '../disk/closed-mark.ts'
import { Damaged } from '../disk/damage.ts'
import { openFileReader } from '../disk/data-file/reader.ts'
import { hasEnvironment } from '../disk/environment.ts'
import { emptyEnvironment, takePlace } from '../disk/set-aside.ts'
import { readBatches } from '../journal/batches.ts'
import { identityAt, identityFile } from '../journal/identity.ts'
import { logIn } from './log-folder.ts'
import { chainHash, unpackRecord } from './record.ts'
import { openReplicaStore, positionIn, positionKey, type ReplicaStore } from './replica-store.ts'

/** How far this node's own log of a shard goes, and the seal of its last entry; null without entries. */
export type OwnEnd = { readonly applied: number; readonly entries: number; readonly seal: string | null }

/**
 * The end of the closed log in a shard's folder; null where it cannot be read. It is read without LMDB, which would write to a new one, and
 * this is asked of every shard at a start.
 */
export const ownEndIn = (path: string): OwnEnd | null => {
  const log = logIn(path)
  try {
    const reader = openFileReader(join(log, 'data.mdb'), 'THROW')
    try {
      const { applied, entries } = positionIn(log, reader.shelf('meta').get(positionKey))
      if (entries === 0) return { applied, entries, seal: null }
      const batches = readBatches(log, reader.shelf('batches'))
      try {
        return { applied, entries, seal: batches.sealAt(entries) }
      } finally {
        batches.archive.close()
      }
    } finally {
      reader.close()
    }
  } catch {
    return null
  }
}

/** Removes what an interrupted join has left, and makes an empty folder for the next. Throws where the archive of the shard is away. */
export const newJoiningFolder = (path: string): string => {
  removeJoining(path)
  const folder = joiningIn(path)
  mkdirSync(folder, { mode: 0o700 })
  const archive = archiveOf(logIn(path))
  if (isLink(archive)) {
    if (!existsSync(archive))
      throw new Error(`${archive} leads to ${readlinkSync(archive)}, which is not there`)
    // On its disk, so that files are only renamed later.
    const beside = joiningIn(realpathSync(archive))
    mkdirSync(beside, { mode: 0o700 })
    symlinkSync(beside, join(folder, 'archive'))
  }
  return folder
}

/** Removes what a join has written and not put into place. */
export const removeJoining = (path: string): void => {
  const archive = archiveOf(logIn(path))
  if (isLink(archive) && existsSync(archive))
    rmSync(joiningIn(realpathSync(archive)), { recursive: true, force: true })
  rmSync(joiningIn(path), { recursive: true, force: true })
}

const joiningIn = (path: string): string => join(path, 'joining')

const isLink = (path: string): boolean =>
  lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true

/**
 * Requires that a fetched copy, whose bytes are those of its source, is a log of this shard: its entries begin with this identity, it continues
 * what this node has itself, and its newest records are a chain up to the position that it states. All others are read again when the log is
 * open (`ShardLog.check`), and each is checked wherever it is used. Throws `Damaged` where it is not.
 */
export const requireOwnCopy = async (
  folder: string,
  identity: string,
  own: OwnEnd,
): Promise<{ readonly applied: number }> => {
  const path = logIn(folder)
  writeFileSync(join(path, identityFile), identity)
  // All of it is what the source has read: its structure and its values need no look of their own.
  markClosed(path)
  const store = openReplicaStore(path)
  try {
    const { batches, position } = store
    const end = position()
    const isOurs = end.entries === 0 || batches.at(1).previous.equals(firstSealOf(identity))
    if (!isOurs) throw new Damaged(`${path} is of another shard or cluster`)
    if (batches.last() !== end.entries) throw new Damaged(`${path} lacks entries`)
    const trouble = batches.archive.trouble()
    if (trouble !== null) throw trouble
    requireChain(store)
    if (own.seal !== null && (own.entries > end.entries || batches.sealAt(own.entries) !== own.seal))
      throw new Damaged(`${path} does not continue what this node has of the shard`)
    return end
  } finally {
    await store.close()
  }
}

const requireChain = ({ path, read, position, base }: ReplicaStore): void => {
  const end = position()
  let { head } = end
  for (let sequence = end.applied; sequence > Math.max(base().applied, end.applied - linkedMin); sequence--) {
    const bytes = read(sequence)
    const { previous } = bytes === null ? { previous: null } : unpackRecord(bytes).record
    if (bytes === null || previous === null || chainHash(previous, bytes) !== head)
      throw new Damaged(`${path} is damaged at record ${sequence}`)
    head = previous
  }
}

/** How many records of a copy are read before it is put into place. */
const linkedMin = 100

/**
 * Puts a checked copy into place, in a shard's folder whose environments are closed. A crash in between leaves a shard without a log, which
 * is fetched again, or with its new one: a log never refers to files of another archive, and a snapshot that does not fit its
 * log is made again.
 */
export const placeCopy = async (path: string, folder: string, own: OwnEnd): Promise<void> => {
  const log = logIn(path)
  if (own.applied > 0) {
    await emptyEnvironment(log)
    await syncFolder(log)
  }
  await placeArchive(archiveOf(log), archiveOf(logIn(folder)))
  takePlace(logIn(folder), log)
  markClosed(log)
  const [state, copied] = [join(path, 'state'), join(folder, 'state')]
  await rm(state, { recursive: true, force: true })
  if (hasEnvironment(copied)) {
    markClosed(copied)
    renameSync(copied, state)
  }
  await Promise.all([syncFolder(log), syncFolder(path)])
  removeJoining(path)
}

const placeArchive = async (archive: string, copied: string): Promise<void> => {
  emptyArchive(archive)
  if (!existsSync(copied)) return
  if (!existsSync(archive)) mkdirSync(archive, { mode: 0o700 })
  const [from, to] = [realpathSync(copied), realpathSync(archive)]
  for (const { first, last } of rangesIn(from))
    renameSync(join(from, fileName(first, last)), join(to, fileName(first, last)))
  await syncFolder(to)
}

const emptyArchive = (archive: string): void => {
  if (!existsSync(archive)) return
  for (const { first, last } of rangesIn(archive)) rmSync(join(archive, fileName(first, last)))
}

/** Whether there is anything of a shard's log in its folder, read or not: it is closed. */
export const hasRecords = (path: string): boolean => ownEndIn(path)?.applied !== 0

/**
 * Empties a shard's folder, whose environments are closed. The log goes first, at once: after a crash in between the rest stands for nothing, and
 * is removed by the next time.
 */
export const emptyShard = async (path: string): Promise<void> => {
  const log = logIn(path)
  if (hasRecords(path)) {
    await emptyEnvironment(log)
    await syncFolder(log)
  }
  emptyArchive(archiveOf(log))
  await rm(join(path, 'state'), { recursive: true, force: true })
  removeJoining(path)
}

/** A name for one attempt to fetch a copy. */
export const newAttempt = (node: string): string => `${node} ${randomUUID()}`

/** The identity of the shard's log in this node's data directory. */
export const ownIdentity = (path: string): string => identityAt(logIn(path))
