import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { bounds } from '../base/bounds.ts'
import { freeBytes, watchDiskSpace } from '../disk/disk-space.ts'
import { hasEnvironment, openEnvironment } from '../disk/environment.ts'
import { makeLockRoom } from '../disk/lock-file.ts'
import { identityAt, writeIdentity } from '../journal/identity.ts'
import { lendReads } from './lend.ts'
import { lockIfFree, takeLock } from './lock.ts'
import {
  clusterId,
  DataDirectoryRefusal,
  formatFile,
  type Home,
  type Manifest,
  NoManifest,
  readManifest,
  writeManifest,
} from './manifest.ts'
import { isIncrement } from './marker.ts'
import { olderParts, openPartEnds, type PartEndsKeeper } from './part-ends.ts'
import { foreignFolders, journalsOf, missingJournals, problemOfJournal, shardPathIn } from './parts.ts'
import { removeReadsSockets } from './reads-socket.ts'
import { requireNotRemoved } from './removed.ts'
import { childrenOf, environmentsIn, makeDirectory, requireUsable } from './usable.ts'

/** A data directory that only this process may write. */
export type DataDirectory = {
  readonly path: string
  readonly shards: number
  readonly isNew: boolean
  /** The journals that were missing, and which this node of a cluster fetches. */
  readonly fetched: readonly string[]
  readonly shardPath: (number: number) => string
  readonly directoryPath: string
  /** How far its journals have come; null in a cluster, where the other nodes know. */
  readonly partEnds: PartEndsKeeper | null
  readonly release: () => Promise<void>
}

/** A locked data directory, whose missing settings can still be obtained elsewhere. */
export type ClaimedDirectory = {
  /** Null for a new directory. */
  readonly shards: number | null
  readonly directoryPath: string
  /**
   * Completes the directory with `setting` shards, or `newShards` for a new one. Throws `DataDirectoryRefusal`
   * when it was made with another number of shards, by which accounts are distributed, or with another master key
   * (`checkKey` gives the check of the present key for the directory's id), or when a part of it is missing or
   * belongs elsewhere.
   */
  readonly settle: (
    setting: number | null,
    newShards: number,
    checkKey: (id: string) => string,
  ) => Promise<DataDirectory>
  readonly release: () => Promise<void>
}

/**
 * Locks a data directory. Throws `Unusable` where this user cannot write, and `DataDirectoryRefusal` for another format,
 * another home, or a directory used by a living process.
 */
export const claimDataDirectory = async (path: string, home: Home | null): Promise<ClaimedDirectory> => {
  makeDirectory(path)
  requireUsable(path)
  const unlock = await takeLock(path)
  let stopLending = async (): Promise<void> => undefined
  const release = async (): Promise<void> => {
    await stopLending()
    await unlock()
  }
  try {
    requireStartRoom(path)
    const stored = readManifest(path)
    requireNotRemoved(path)
    if (stored !== null) requireHome(path, stored, home)
    else requireNoIncrement(path)
    stopLending = await lendWhileUsed(path)
    const shardPath = shardPathIn(path)
    const directoryPath = join(path, 'directory')
    return {
      shards: stored?.shards ?? null,
      directoryPath,
      settle: async (setting, newShards, checkKey) => {
        const shards = setting ?? stored?.shards ?? newShards
        if (stored !== null && stored.shards !== shards) {
          throw new DataDirectoryRefusal(
            `${path} was created with SHARDS=${stored.shards}; a start with SHARDS=${shards} would lose accounts`,
          )
        }
        const id = stored?.id ?? (home === null ? randomUUID() : clusterId(home.cluster))
        if (stored === null) await makeJournals(path, { id, shards, home })
        const masterKeyCheck = checkKey(id)
        if (stored !== null && stored.masterKeyCheck !== masterKeyCheck)
          throw new DataDirectoryRefusal(
            `the master key is not the one that sealed the secrets in ${path}: put that one back, or name it with MASTER_KEY_FILE`,
          )
        const manifest = { id, shards, masterKeyCheck, home }
        const journals = journalsOf(manifest).map((journal) => journal.path)
        const [problem] = stored === null ? [] : problemsOfJournals(path, manifest)
        if (problem !== undefined) throw new DataDirectoryRefusal(problem)
        const fetched = stored === null ? [] : await makeMissing(path, manifest)
        if (stored === null) writeManifest(path, manifest)
        const partEnds = home === null ? openPartEnds(path, journals) : null
        const isNew = stored === null
        return { path, shards, isNew, fetched, shardPath, directoryPath, partEnds, release }
      },
      release,
    }
  } catch (error) {
    await release()
    throw error
  }
}

/** Makes sure of what every start writes, before any environment is mapped (see `makeLockRoom`): lock files, and small files of its own. */
const requireStartRoom = (path: string): void => {
  const full = `the disk of ${path} is full, and every start writes a little to it: free some space`
  try {
    for (const environment of environmentsIn(path)) if (hasEnvironment(environment)) makeLockRoom(environment)
  } catch (error) {
    throw (error as NodeJS.ErrnoException).code === 'ENOSPC' ? new DataDirectoryRefusal(full) : error
  }
  if (freeBytes(path) < bounds.startBytes) throw new DataDirectoryRefusal(full)
}

/**
 * Lends reads of a locked directory, so that a process in another container knows that it is used, and removes the sockets of all threads
 * at the end: also of a start that is refused later, without a release.
 */
const lendWhileUsed = async (path: string): Promise<() => Promise<void>> => {
  const removeSockets = (): void => removeReadsSockets(path)
  removeSockets()
  const stopLending = await lendReads(path)
  process.once('exit', removeSockets)
  return async () => {
    await stopLending()
    process.off('exit', removeSockets)
    removeSockets()
  }
}

/** A data directory opened for reading. */
export type StoredDirectory = Pick<DataDirectory, 'path' | 'shards' | 'shardPath' | 'release'> & {
  readonly manifest: Manifest
  /** Why the manifest was derived from the rest of the directory; null for the stored one. */
  readonly manifestProblem: string | null
  /** Whether a living process writes it. */
  readonly isInUse: boolean
}

/**
 * Opens an existing data directory without creating anything, and locks it if it is free. Throws
 * `DataDirectoryRefusal` when it is missing or unreadable, or when `use` is STOPPED and a living process uses it.
 * With LOOK it may be in use, and its manifest may be damaged.
 */
export const openStoredDirectory = async (
  path: string,
  use: 'STOPPED' | 'LOOK' = 'STOPPED',
): Promise<StoredDirectory> => {
  const { manifest, manifestProblem } = storedManifest(path, use)
  const release = await lockIfFree(path)
  if (release === null && use === 'STOPPED')
    throw new DataDirectoryRefusal(`${path} is in use by another running process; stop it first`)
  const lending = use === 'STOPPED' ? lendWhileUsed(path) : null
  const stopLending = await lending?.catch(async (error: unknown) => {
    await release?.()
    throw error
  })
  return {
    path,
    shards: manifest.shards,
    shardPath: shardPathIn(path),
    manifest,
    manifestProblem,
    isInUse: release === null,
    release: async () => {
      await stopLending?.()
      await release?.()
    },
  }
}

const storedManifest = (
  path: string,
  use: 'STOPPED' | 'LOOK',
): Pick<StoredDirectory, 'manifest' | 'manifestProblem'> => {
  try {
    const manifest = readManifest(path)
    if (manifest === null) requireNoIncrement(path)
    if (manifest === null) throw new NoManifest(whyNoDataDirectory(path))
    return { manifest, manifestProblem: null }
  } catch (error) {
    const manifest = use === 'LOOK' && error instanceof NoManifest ? manifestOfRest(path) : null
    if (manifest === null) throw error
    const manifestProblem = `${join(path, formatFile)} is missing or damaged: put it back from a backup`
    return { manifest, manifestProblem }
  }
}

/** The manifest that the journals suggest; null without any. Shards may be missing, so nothing may rely on it. */
const manifestOfRest = (path: string): Manifest | null => {
  const folders = childrenOf(join(path, 'shards'))
  if (folders.length === 0) return null
  const id = identityAt(join(path, 'directory')).replace(/ directory$/, '')
  const home = folders.some((folder) => existsSync(join(folder, 'log'))) ? { cluster: '', node: '' } : null
  return { id, shards: folders.length, masterKeyCheck: '', home }
}

const whyNoDataDirectory = (path: string): string => {
  if (!existsSync(path)) return `${path} does not exist`
  const whole = wholeAround(resolve(path))
  return whole === null
    ? `${path} is not a data directory: it has no ${formatFile}`
    : `${path} is only a part of a data directory: name ${whole}`
}

const requireNoIncrement = (path: string): void => {
  if (isIncrement(path))
    throw new DataDirectoryRefusal(
      `${path} is an increment of a backup, which holds only what an earlier one does not have: \`payments restore\` makes a data directory of both`,
    )
}

/** The data directory around a path; null if there is none. */
export const wholeAround = (path: string): string | null => {
  const parent = dirname(path)
  if (existsSync(join(parent, formatFile))) return parent
  return parent === path ? null : wholeAround(parent)
}

/**
 * Makes the journals of a new data directory. `format.json` follows last: after an interrupted start the next one
 * begins anew.
 */
const makeJournals = async (
  path: string,
  manifest: Pick<Manifest, 'id' | 'shards' | 'home'>,
): Promise<void> => {
  requireRoom(path)
  for (const { path: name, identity } of journalsOf(manifest)) {
    const entryCount = await makeJournal(join(path, name), identity)
    if (entryCount > 0)
      throw new DataDirectoryRefusal(
        `${path} has data and no ${formatFile}: put that file back, or restore the data directory from a backup`,
      )
  }
}

const requireRoom = (path: string): void => {
  const trouble = watchDiskSpace(path).trouble()
  if (trouble !== null) throw new DataDirectoryRefusal(trouble.message)
}

/**
 * Makes an empty journal with this identity. Returns the number of entries already there; if any, the journal
 * keeps its own identity.
 */
export const makeJournal = async (path: string, identity: string): Promise<number> => {
  const db = openEnvironment({ path, maxDbs: 3 })
  const { entryCount } = db.getStats() as { readonly entryCount: number }
  await db.close()
  if (entryCount === 0) writeIdentity(path, identity)
  return entryCount
}

/** Describes journals that are missing or replaced, and folders that do not belong here. A node of a cluster fetches what is missing. */
const problemsOfJournals = (path: string, manifest: Manifest): readonly string[] => {
  const isAlone = manifest.home === null
  const missing = new Set(missingJournals(path, manifest).map((part) => part.path))
  const journals = journalsOf(manifest)
  return [
    ...journals.flatMap((part) => {
      const problem = problemOfJournal(join(path, part.path), part.identity)
      if (problem === null || !missing.has(part.path)) return problem ?? []
      return isAlone ? `${problem}: put it back, or restore the data directory from a backup` : []
    }),
    ...foreignFolders(path, manifest),
    ...(isAlone
      ? olderParts(
          path,
          journals.map((part) => part.path),
        )
      : []),
  ]
}

/** Makes empty journals where a node of a cluster has lost its copy: they are filled as those of a new node. Returns their paths. */
const makeMissing = async (path: string, manifest: Manifest): Promise<readonly string[]> => {
  const missing = missingJournals(path, manifest)
  if (missing.length > 0) requireRoom(path)
  for (const part of missing) await makeJournal(join(path, part.path), part.identity)
  return missing.map((part) => join(path, part.path))
}

const requireHome = (path: string, stored: Manifest, home: Home | null): void => {
  if (stored.home === null && home !== null) {
    throw new DataDirectoryRefusal(
      `${path} was made without CLUSTER, and what is in it is on no other node: give node ${home.node} an empty data directory`,
    )
  }
  if (stored.home === null) return
  const { cluster, node } = stored.home
  if (home?.cluster === cluster && home.node === node) return
  const given = home === null ? 'without CLUSTER' : `with CLUSTER=${home.cluster} NODE_ID=${home.node}`
  throw new DataDirectoryRefusal(
    `${path} belongs to node ${node} of cluster ${cluster}; a start ${given} needs another data directory`,
  )
}
