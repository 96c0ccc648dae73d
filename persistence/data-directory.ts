import { existsSync, mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { dirname, join, resolve } from 'node:path'

/** A data directory that only this process may write. */
export type DataDirectory = {
  readonly path: string
  readonly shards: number
  readonly isNew: boolean
  readonly shardPath: (number: number) => string
  readonly directoryPath: string
  readonly release: () => Promise<void>
}

/** A locked data directory, whose missing settings can still be obtained elsewhere. */
export type ClaimedDirectory = {
  /** Null for a new directory. */
  readonly shards: number | null
  readonly directoryPath: string
  /**
   * Completes it with `setting` shards, or `newShards` for a new one. Throws `DataDirectoryRefusal` when it was made
   * with another number, because accounts are distributed by it.
   */
  readonly settle: (setting: number | null, newShards: number) => DataDirectory
  readonly release: () => Promise<void>
}

/** The node that a data directory belongs to; null outside a cluster. */
export type Home = { readonly cluster: string; readonly node: string }

/** The format of a data directory. All others are refused; 1 and 2 were never released. */
const dataFormat = 3

/** Why a data directory cannot be used, in words for the operator. */
export const DataDirectoryRefusal = class extends Error {}

/**
 * Locks a data directory. Throws `DataDirectoryRefusal` for another format, another home, or a directory used by a
 * living process.
 */
export const claimDataDirectory = async (path: string, home: Home | null): Promise<ClaimedDirectory> => {
  mkdirSync(path, { recursive: true, mode: 0o700 })
  const release = await takeLock(path)
  try {
    const stored = readFormat(path)
    if (stored !== null) requireHome(path, stored, home)
    const shardPath = shardPathIn(path)
    const directoryPath = join(path, 'directory')
    return {
      shards: stored?.shards ?? null,
      directoryPath,
      settle: (setting, newShards) => {
        const shards = setting ?? stored?.shards ?? newShards
        if (stored !== null && stored.shards !== shards) {
          throw new DataDirectoryRefusal(
            `${path} was created with SHARDS=${stored.shards}; a start with SHARDS=${shards} would lose accounts`,
          )
        }
        if (stored === null) writeFormat(path, { shards, home })
        for (let number = 0; number < shards; number++) mkdirSync(shardPath(number), { recursive: true })
        return { path, shards, isNew: stored === null, shardPath, directoryPath, release }
      },
      release,
    }
  } catch (error) {
    await release()
    throw error
  }
}

/** A data directory opened for reading. */
export type StoredDirectory = Pick<DataDirectory, 'path' | 'shards' | 'shardPath' | 'release'>

/**
 * Locks an existing data directory without creating anything. Throws `DataDirectoryRefusal` when it is missing,
 * unreadable, or used by a living process.
 */
export const openStoredDirectory = async (path: string): Promise<StoredDirectory> => {
  const stored = readFormat(path)
  if (stored === null) throw new DataDirectoryRefusal(whyNoDataDirectory(path))
  return { path, shards: stored.shards, shardPath: shardPathIn(path), release: await takeLock(path) }
}

const whyNoDataDirectory = (path: string): string => {
  if (!existsSync(path)) return `${path} does not exist`
  const whole = wholeAround(resolve(path))
  return whole === null
    ? `${path} is not a data directory: it has no ${formatFile}`
    : `${path} is only a part of a data directory: name ${whole}`
}

/** The data directory around a path; null if there is none. */
const wholeAround = (path: string): string | null => {
  const parent = dirname(path)
  if (existsSync(join(parent, formatFile))) return parent
  return parent === path ? null : wholeAround(parent)
}

/** Where each shard is kept. */
export const shardPathIn =
  (path: string) =>
  (number: number): string =>
    join(path, 'shards', String(number).padStart(2, '0'))

type Stored = { readonly shards: number; readonly home: Home | null }

/** The file that makes a directory a data directory. Written once. */
export const formatFile = 'format.json'

/** Null if there is none. */
const readFormat = (path: string): Stored | null => {
  const file = join(path, formatFile)
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ENOTDIR') return null
    throw new DataDirectoryRefusal(`${path} cannot be read: ${message}`)
  }
  const { format, shards, cluster, node } = parsedFormat(text)
  if (format === undefined || shards === undefined)
    throw new DataDirectoryRefusal(`${path} is not a data directory: its ${formatFile} is something else`)
  if (format > dataFormat) {
    throw new DataDirectoryRefusal(
      `${path} has data format ${format}; this version reads ${dataFormat}: start a newer version of the service`,
    )
  }
  if (format < dataFormat) {
    throw new DataDirectoryRefusal(
      `${path} has data format ${format}, from before the first release, and this version reads ${dataFormat}: export what you need with the version that made it, and begin with a new data directory`,
    )
  }
  return { shards, home: cluster === undefined || node === undefined ? null : { cluster, node } }
}

const parsedFormat = (
  text: string,
): { readonly format?: number; readonly shards?: number } & Partial<Home> => {
  try {
    return Object(JSON.parse(text))
  } catch {
    return {}
  }
}

const requireHome = (path: string, stored: Stored, home: Home | null): void => {
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

/** Written next to its place and renamed, so that a crash leaves either no format file or a whole one. */
const writeFormat = (path: string, { shards, home }: Stored): void => {
  const file = join(path, formatFile)
  writeFileSync(`${file}.new`, `${JSON.stringify({ format: dataFormat, shards, ...home })}\n`, {
    mode: 0o600,
  })
  renameSync(`${file}.new`, file)
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
