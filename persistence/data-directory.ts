import { existsSync, mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:net'
import { join } from 'node:path'

/** A data directory that this process alone may write. */
export type DataDirectory = {
  readonly path: string
  readonly shards: number
  readonly isNew: boolean
  readonly shardPath: (number: number) => string
  readonly directoryPath: string
  readonly release: () => Promise<void>
}

/** The layout of a data directory. A program refuses one that is newer than what it knows. */
export const dataFormat = 1

/** Why a data directory cannot be used, in words for the operator. */
export const DataDirectoryRefusal = class extends Error {}

/**
 * Opens or creates a data directory. Its number of shards is fixed when it is created, `newShards` where `shards` does
 * not say: accounts are spread by it.
 * Throws `DataDirectoryRefusal` for a newer format, another shard count, or one that a living process uses.
 */
export const openDataDirectory = async (
  path: string,
  shards: number | null,
  newShards: number,
): Promise<DataDirectory> => {
  mkdirSync(path, { recursive: true, mode: 0o700 })
  const lock = await takeLock(path)
  try {
    const stored = readFormat(path)
    const made = stored ?? { format: dataFormat, shards: shards ?? newShards }
    if (shards !== null && shards !== made.shards) {
      throw new DataDirectoryRefusal(
        `${path} was created with SHARDS=${made.shards}; a start with SHARDS=${shards} would lose accounts`,
      )
    }
    if (stored === null) writeFormat(path, made)
    const shardPath = (number: number) => join(path, 'shards', String(number).padStart(2, '0'))
    for (let number = 0; number < made.shards; number++) mkdirSync(shardPath(number), { recursive: true })
    return {
      path,
      shards: made.shards,
      isNew: stored === null,
      shardPath,
      directoryPath: join(path, 'directory'),
      release: () => new Promise((resolve) => lock.close(() => resolve())),
    }
  } catch (error) {
    lock.close()
    throw error
  }
}

/** Whether a service has kept its data there. */
export const isDataDirectory = (path: string): boolean => existsSync(join(path, 'format.json'))

type Format = { readonly format: number; readonly shards: number }

const readFormat = (path: string): Format | null => {
  if (!isDataDirectory(path)) return null
  const { format, shards } = JSON.parse(readFileSync(join(path, 'format.json'), 'utf8')) as Format
  if (format > dataFormat) {
    throw new DataDirectoryRefusal(
      `${path} has data format ${format}; this version reads up to ${dataFormat}: start a newer version of the service`,
    )
  }
  return { format, shards }
}

/** Written beside and renamed, so that a crash leaves either no format file or a whole one. */
const writeFormat = (path: string, format: Format): void => {
  const file = join(path, 'format.json')
  writeFileSync(`${file}.new`, `${JSON.stringify(format)}\n`, { mode: 0o600 })
  renameSync(`${file}.new`, file)
}

/**
 * An abstract Unix socket named after the directory's inode: the kernel gives it to one process and takes it back when
 * that process ends, however it ends. No stale lock file can be left behind.
 */
const takeLock = (path: string): Promise<Server> => {
  const { dev, ino } = statSync(path)
  const server = createServer((socket) => socket.destroy())
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
      resolve(server)
    })
  })
}
