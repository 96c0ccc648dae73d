import { randomUUID } from 'node:crypto'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { createServer } from 'node:net'
import { dirname, join, resolve } from 'node:path'
import { open } from 'lmdb'
import { checksumOfJson } from '../base/checksum.ts'
import { watchDiskSpace } from '../disk/disk-space.ts'
import { hasEnvironment } from '../disk/environment.ts'
import { replaceFile } from '../disk/replace-file.ts'
import { identityAt, writeIdentity } from '../journal/identity.ts'
import { isIncrement } from './marker.ts'
import { olderParts, openPartEnds, type PartEndsKeeper } from './part-ends.ts'
import { childrenOf, makeDirectory, requireUsable } from './usable.ts'

/** A data directory that only this process may write. */
export type DataDirectory = {
  readonly path: string
  readonly shards: number
  readonly isNew: boolean
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

/** The node that a data directory belongs to; null outside a cluster. */
export type Home = { readonly cluster: string; readonly node: string }

/** The format of a data directory. All others are refused; 1 to 3 were never released. */
const dataFormat = 4

/** A data directory cannot be used; the message is for the operator. */
export const DataDirectoryRefusal = class extends Error {}

/**
 * Locks a data directory. Throws `Unusable` where this user cannot write, and `DataDirectoryRefusal` for another format,
 * another home, or a directory used by a living process.
 */
export const claimDataDirectory = async (path: string, home: Home | null): Promise<ClaimedDirectory> => {
  makeDirectory(path)
  requireUsable(path)
  const release = await takeLock(path)
  try {
    const stored = readManifest(path)
    if (stored !== null) requireHome(path, stored, home)
    else requireNoIncrement(path)
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
        if (stored === null) writeManifest(path, manifest)
        const partEnds = home === null ? openPartEnds(path, journals) : null
        return { path, shards, isNew: stored === null, shardPath, directoryPath, partEnds, release }
      },
      release,
    }
  } catch (error) {
    await release()
    throw error
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
  return {
    path,
    shards: manifest.shards,
    shardPath: shardPathIn(path),
    manifest,
    manifestProblem,
    isInUse: release === null,
    release: release ?? (async () => undefined),
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

/** The manifest is missing or is something else. */
const NoManifest = class extends DataDirectoryRefusal {}

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

/** Where each shard is kept. */
export const shardPathIn =
  (path: string) =>
  (number: number): string =>
    join(path, 'shards', shardName(number))

/** The journal of a shard outside a cluster, below the data directory. */
export const shardJournal = (number: number): string => join('shards', shardName(number), 'journal')

const shardName = (number: number): string => String(number).padStart(2, '0')

/** The content of a data directory's `format.json`. */
export type Manifest = {
  /** Random outside a cluster; in a cluster the same on every node, so that journals have the same seals. */
  readonly id: string
  readonly shards: number
  /** See `masterKeyCheck` in master-key.ts. */
  readonly masterKeyCheck: string
  readonly home: Home | null
}

/** The id of a cluster's data directories. */
export const clusterId = (cluster: string): string => `cluster ${cluster}`

/** The file that makes a directory a data directory. Written once. */
export const formatFile = 'format.json'

/** The journals of a data directory: the directory's, and one for each shard. */
export const journalsOf = ({ id, shards, home }: Journals): readonly JournalPart[] => [
  { path: 'directory', identity: `${id} directory` },
  ...Array.from({ length: shards }, (_, number) => ({
    path: join('shards', shardName(number), home === null ? 'journal' : 'log'),
    identity: `${id} shard ${number}`,
  })),
]

type Journals = Pick<Manifest, 'id' | 'shards' | 'home'>

export type JournalPart = {
  /** Below the data directory. */
  readonly path: string
  readonly identity: string
}

/**
 * Makes the journals of a new data directory. `format.json` follows last: after an interrupted start the next one
 * begins anew.
 */
const makeJournals = async (path: string, manifest: Journals): Promise<void> => {
  const trouble = watchDiskSpace(path).trouble()
  if (trouble !== null) throw new DataDirectoryRefusal(trouble.message)
  for (const { path: name, identity } of journalsOf(manifest)) {
    const entryCount = await makeJournal(join(path, name), identity)
    if (entryCount > 0)
      throw new DataDirectoryRefusal(
        `${path} has data and no ${formatFile}: put that file back, or restore the data directory from a backup`,
      )
  }
}

/**
 * Makes an empty journal with this identity. Returns the number of entries already there; if any, the journal
 * keeps its own identity.
 */
export const makeJournal = async (path: string, identity: string): Promise<number> => {
  const db = open({ path, maxDbs: 3 })
  const { entryCount } = db.getStats() as { readonly entryCount: number }
  await db.close()
  if (entryCount === 0) writeIdentity(path, identity)
  return entryCount
}

/** Describes journals that are missing or replaced, and folders that do not belong here. */
const problemsOfJournals = (path: string, manifest: Manifest): readonly string[] => {
  const journals = journalsOf(manifest)
  return [
    ...journals.flatMap(
      (journal) => problemOfJournal(join(path, journal.path), journal.identity, manifest.home) ?? [],
    ),
    ...foreignFolders(path, manifest),
    ...(manifest.home === null
      ? olderParts(
          path,
          journals.map((journal) => journal.path),
        )
      : []),
  ]
}

/** Describes each folder of a shard that the manifest does not name. */
export const foreignFolders = (path: string, manifest: Manifest): readonly string[] => {
  const folders = new Set(journalsOf(manifest).map((journal) => join(path, dirname(journal.path))))
  return childrenOf(join(path, 'shards'))
    .filter((folder) => !folders.has(folder))
    .map((folder) => `${folder} does not belong in this data directory`)
}

const problemOfJournal = (path: string, identity: string, home: Home | null): string | null => {
  if (!hasEnvironment(path))
    return `${path} is missing: put it back, or ${home === null ? 'restore the data directory from a backup' : 'give the node an empty data directory, which it fills from the cluster'}`
  const found = identityAt(path)
  if (found === identity) return null
  return `${path} is another journal than the one that belongs there: it is “${found}”, and not “${identity}”`
}

/** The manifest in `format.json`; null without the file. Throws `DataDirectoryRefusal` for an unusable one. */
export const readManifest = (path: string): Manifest | null => {
  const file = join(path, formatFile)
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ENOTDIR') return null
    throw new DataDirectoryRefusal(`${path} cannot be read: ${message}`)
  }
  const { checksum, ...stored } = parsedFormat(text)
  const { format, id, shards, masterKeyCheck, cluster, node } = stored
  if (format === undefined || shards === undefined)
    throw new NoManifest(`${path} is not a data directory: its ${formatFile} is something else`)
  if (format > dataFormat) {
    throw new DataDirectoryRefusal(
      `${path} has data format ${format}; this version reads ${dataFormat}: start a newer version of the service`,
    )
  }
  // The first days of format 4 knew neither the checksum nor that of the master key.
  const isEarly = format === dataFormat && masterKeyCheck === undefined && checksum === undefined
  if (format < dataFormat || isEarly) {
    throw new DataDirectoryRefusal(
      `${path} has ${isEarly ? 'an early ' : ''}data format ${format}, from before the first release, and this version reads ${isEarly ? 'a later' : dataFormat}: export what you need with the version that made it, and begin with a new data directory`,
    )
  }
  if (id === undefined || masterKeyCheck === undefined || checksum !== checksumOfJson(stored))
    throw new NoManifest(`${file} is damaged: put that of the last backup in its place`)
  const home = cluster === undefined || node === undefined ? null : { cluster, node }
  return { id, shards, masterKeyCheck, home }
}

const parsedFormat = (
  text: string,
): Partial<Omit<Manifest, 'home'> & Home & { readonly format: number; readonly checksum: string }> => {
  try {
    return Object(JSON.parse(text))
  } catch {
    return {}
  }
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

/** A crash leaves either no format file or a whole one. */
export const writeManifest = (path: string, { home, ...manifest }: Manifest): void => {
  const file = join(path, formatFile)
  const stored = { format: dataFormat, ...manifest, ...home }
  replaceFile(file, `${JSON.stringify({ ...stored, checksum: checksumOfJson(stored) })}\n`)
}

/** Locks the directory; null while a living process has the lock. */
const lockIfFree = async (path: string): Promise<(() => Promise<void>) | null> => {
  try {
    return await takeLock(path)
  } catch (error) {
    if (error instanceof DataDirectoryRefusal) return null
    throw error
  }
}

/**
 * An abstract Unix socket named after the directory's inode. The kernel gives it to one process and takes it back
 * however that process ends, so no stale lock can remain.
 */
const takeLock = (path: string): Promise<() => Promise<void>> => {
  const { dev, ino } = statSync(path)
  const server = createServer((socket) => socket.destroy())
  const release = (): Promise<void> => new Promise((resolve) => server.close(() => resolve()))
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      reject(
        error.code === 'EADDRINUSE'
          ? new DataDirectoryRefusal(`${path} is in use by another running process`)
          : error,
      ),
    )
    server.listen(`\0payments-${dev}-${ino}`, () => {
      server.unref()
      resolve(release)
    })
  })
}
