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

/** Where a backup goes. It is written beside and renamed, so that nothing ever looks whole that is not. */
export type BackupTarget = {
  /** Where it is at the end. */
  readonly path: string
  /** Where it is written. */
  readonly partial: string
  /** Removes what was written: afterwards all is as it was. */
  readonly discard: () => Promise<void>
}

/**
 * Makes the directory that a backup is written into.
 * Throws `BackupRefusal` where something is there already, or nothing can be made.
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
  // It fails where there is something: what is removed later was made here.
  mkdirSync(partial, { mode: 0o700 })
  return { partial, discard: () => rm(partial, { recursive: true, force: true }) }
}

/** Nothing is there, or an empty directory, which the copy can take the place of. */
const requireFree = (path: string, parent: string): void => {
  const found = lstatSync(path, { throwIfNoEntry: false })
  if (found === undefined) return
  if (!found.isDirectory()) throw new BackupRefusal(`${path} is no directory`)
  if (found.dev !== statSync(parent).dev)
    throw new BackupRefusal(`${path} is where a disk is mounted: name a directory below it`)
  if (readdirSync(path).length > 0) throw new BackupRefusal(`${path} is not empty`)
}

/** Whether a directory is another one, or below it. */
const isWithin = (path: string, other: string): boolean => {
  const { dev, ino } = statSync(path)
  const whole = statSync(other)
  if (dev === whole.dev && ino === whole.ino) return true
  const parent = dirname(path)
  return parent !== path && isWithin(parent, other)
}

/** Puts what was written where it belongs, when all of it is on disk. */
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
