import { accessSync, constants, existsSync, mkdirSync, readdirSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** A path cannot be used; the message is for the operator. */
export class Unusable extends Error {}

/**
 * Checks every existing part of a data directory before anything is written: directories are directories, files
 * are files, and this user may read and write them. Throws `Unusable` for the first part that fails.
 */
export const requireUsable = (path: string): void => {
  requireDirectory(path)
  for (const name of ['format.json', 'master.key', 'admin.json']) requireFile(join(path, name), readable)
  const shards = join(path, 'shards')
  requireDirectory(shards)
  for (const shard of childrenOf(shards)) requireDirectory(shard)
  for (const environment of environmentsIn(path)) {
    requireDirectory(environment)
    for (const name of ['data.mdb', 'lock.mdb']) requireFile(join(environment, name), writable)
    requireFile(join(environment, 'identity'), readable)
  }
}

/** Where LMDB has its files in a data directory, whatever of it there is. */
export const environmentsIn = (path: string): readonly string[] => [
  join(path, 'directory'),
  join(path, 'sessions'),
  ...childrenOf(join(path, 'shards')).flatMap((shard) =>
    ['journal', 'log', 'state'].map((name) => join(shard, name)),
  ),
]

/** Makes a directory and those above it that are missing. Throws `Unusable` where it cannot. */
export const makeDirectory = (path: string): void => {
  if (existsSync(path)) return
  makeDirectory(dirname(path))
  try {
    // Not `recursive`, which never returns below /proc.
    mkdirSync(path, { mode: 0o700 })
  } catch (error) {
    throw new Unusable(`${path} cannot be made: ${reasonOf(error)}`)
  }
}

const readable = constants.R_OK
const writable = constants.R_OK | constants.W_OK

const requireDirectory = (path: string): void => {
  const isThere = requireKind(path, (found) => found.isDirectory(), 'directory')
  if (isThere) requireAccess(path, writable | constants.X_OK)
}

const requireFile = (path: string, access: number): void => {
  const isThere = requireKind(path, (found) => found.isFile(), 'file')
  if (isThere) requireAccess(path, access)
}

/** Whether the path exists. Throws `Unusable` for another kind. */
const requireKind = (
  path: string,
  isKind: (found: NonNullable<ReturnType<typeof statSync>>) => boolean,
  kind: 'directory' | 'file',
): boolean => {
  let found: ReturnType<typeof statSync>
  try {
    found = statSync(path, { throwIfNoEntry: false })
  } catch (error) {
    throw new Unusable(`${path} cannot be used: ${reasonOf(error)}`)
  }
  if (found === undefined) return false
  if (!isKind(found)) throw new Unusable(`${path} must be a ${kind}, and is none: move what is there away`)
  return true
}

const requireAccess = (path: string, access: number): void => {
  try {
    accessSync(path, access)
  } catch (error) {
    throw new Unusable(`${path} cannot be ${access === readable ? 'read' : 'written'}: ${reasonOf(error)}`)
  }
}

/** The paths of a folder's children; none if the folder is missing or is a file. */
export const childrenOf = (folder: string): readonly string[] =>
  existsSync(folder) && statSync(folder).isDirectory()
    ? readdirSync(folder).map((name) => join(folder, name))
    : []

/** Why the system refused, and what to do. */
const reasonOf = (error: unknown): string => {
  const { code = '', message } = error as NodeJS.ErrnoException
  return reasons[code] ?? message
}

const reasons: Readonly<Record<string, string>> = {
  EACCES: 'this user may not; give it to the user that the service runs as',
  EPERM: 'this user may not; give it to the user that the service runs as',
  EROFS: 'its file system is mounted read-only; mount it for writing, or set another DATA_DIR',
  ENOTDIR: 'something above it is no directory; set another DATA_DIR',
  ENOENT: 'the directory above it takes none; set another DATA_DIR',
  ENOSPC: 'its disk is full; free some space',
}
