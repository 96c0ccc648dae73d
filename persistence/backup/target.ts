import {
  closeSync,
  existsSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  statSync,
} from 'node:fs'
import { rm } from 'node:fs/promises'
import { dirname } from 'node:path'

/** Why no backup is made, in words for the operator. */
export const BackupRefusal = class extends Error {}

/**
 * Where a backup goes. It is written next to its destination and renamed, so that nothing incomplete ever looks whole.
 */
export type BackupTarget = {
  /** Its final place. */
  readonly path: string
  /** Where it is written meanwhile. */
  readonly partial: string
  /** Removes what was written. */
  readonly discard: () => Promise<void>
}

/**
 * Creates the directory that a backup is written into. Throws `BackupRefusal` when the destination exists or nothing
 * can be created.
 */
export const makeTarget = (path: string, dataDir: string): BackupTarget => {
  try {
    return { path, ...madeBeside(path, dataDir) }
  } catch (error) {
    if (error instanceof BackupRefusal) throw error
    throw new BackupRefusal(`${path} cannot be made: ${(error as Error).message}`)
  }
}

const madeBeside = (path: string, dataDir: string): Omit<BackupTarget, 'path'> => {
  const parent = dirname(path)
  const partial = `${path}.partial`
  if (!existsSync(parent)) throw new BackupRefusal(`there is no directory ${parent} to make it in`)
  if (isWithin(parent, dataDir))
    throw new BackupRefusal(`${path} is in the data directory itself: what happens to one happens to both`)
  requireFree(path, parent)
  if (existsSync(partial))
    throw new BackupRefusal(`${partial} is what an interrupted backup has left: remove it first`)
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

/** Whether a directory is the other one or below it. */
const isWithin = (path: string, other: string): boolean => {
  const { dev, ino } = statSync(path)
  const whole = statSync(other)
  if (dev === whole.dev && ino === whole.ino) return true
  const parent = dirname(path)
  return parent !== path && isWithin(parent, other)
}

/** Renames the finished copy to its place. Call once everything is on disk. */
export const finishTarget = ({ path, partial }: Pick<BackupTarget, 'path' | 'partial'>): void => {
  renameSync(partial, path)
  syncFile(dirname(path))
}

/** Resolves when a file's bytes, or a directory's names, are on disk. */
export const syncFile = (path: string): void => {
  const file = openSync(path, 'r')
  try {
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}
