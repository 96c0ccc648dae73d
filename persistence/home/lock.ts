import { statSync } from 'node:fs'
import { createServer } from 'node:net'
import { DataDirectoryRefusal } from './manifest.ts'

/** Locks the directory; null while a living process has the lock. */
export const lockIfFree = async (path: string): Promise<(() => Promise<void>) | null> => {
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
export const takeLock = (path: string): Promise<() => Promise<void>> => {
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
