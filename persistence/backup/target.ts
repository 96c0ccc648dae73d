import {
  closeSync,
  existsSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  realpathSync,
  renameSync,
  statfsSync,
  statSync,
} from 'node:fs'
import { rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { bounds } from '../base/bounds.ts'
import { wholeAround } from '../home/data-directory.ts'
import { BackupRefusal } from './refusal.ts'

/**
 * The destination of a backup or a restore. It is written next to its final place and renamed, so that nothing
 * incomplete ever looks whole.
 */
export type BackupTarget = {
  /** The final path. */
  readonly path: string
  /** The path while it is written. */
  readonly partial: string
  /** Removes what was written. */
  readonly discard: () => Promise<void>
}

/**
 * Creates the directory to write into. Throws `BackupRefusal` when the destination exists, is in a data directory, or nothing
 * can be created.
 */
export const makeTarget = (path: string): BackupTarget => {
  try {
    return { path, ...madeBeside(path) }
  } catch (error) {
    if (error instanceof BackupRefusal) throw error
    throw new BackupRefusal(`${path} cannot be made: ${(error as Error).message}`)
  }
}

const madeBeside = (path: string): Omit<BackupTarget, 'path'> => {
  const parent = dirname(path)
  const partial = `${path}.partial`
  if (!existsSync(parent)) throw new BackupRefusal(`there is no directory ${parent} to make it in`)
  const around = wholeAround(join(realpathSync(parent), basename(path)))
  if (around !== null)
    throw new BackupRefusal(`${path} is in the data directory ${around}: what happens to one happens to both`)
  requireFree(path, parent)
  if (existsSync(partial))
    throw new BackupRefusal(`${partial} is what an interrupted backup or restore has left: remove it first`)
  // Fails if it exists, so only what was made here is ever removed.
  mkdirSync(partial, { mode: 0o700 })
  return { partial, discard: () => rm(partial, { recursive: true, force: true }) }
}

/** The destination must be absent, or an empty directory that the copy can replace. */
const requireFree = (path: string, parent: string): void => {
  const found = lstatSync(path, { throwIfNoEntry: false })
  if (found === undefined) return
  if (!found.isDirectory()) throw new BackupRefusal(`${path} is no directory`)
  if (found.dev !== statSync(parent).dev)
    throw new BackupRefusal(`${path} is where a disk is mounted: name a directory below it`)
  if (readdirSync(path).length > 0) throw new BackupRefusal(`${path} is not empty`)
}

/** Flushes all that was written, and renames it to its place. Returns its size in bytes. */
export const finishTarget = ({ path, partial }: Pick<BackupTarget, 'path' | 'partial'>): number => {
  const bytes = syncTree(partial)
  renameSync(partial, path)
  syncFile(dirname(path))
  return bytes
}

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

/** Resolves when a file's bytes, or a directory's names, are on disk. */
const syncFile = (path: string): void => {
  const file = openSync(path, 'r')
  try {
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}

/** Throws `BackupRefusal` when less room would remain than the service may need, perhaps on the same disk. */
export const roomOf =
  (path: string) =>
  (bytes: number): void => {
    const { bavail, bsize } = statfsSync(path)
    const free = bavail * bsize
    if (free >= bytes + bounds.backupReserveBytes) return
    throw new BackupRefusal(
      `the disk of ${path} has ${mebibytes(free)} MiB left; to write ${mebibytes(bytes)} MiB and leave ${mebibytes(bounds.backupReserveBytes)} MiB free, that is too little`,
    )
  }

const mebibytes = (bytes: number): number => Math.ceil(bytes / 1024 / 1024)
