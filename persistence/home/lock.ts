import { statSync } from 'node:fs'
import { createServer } from 'node:net'
import { DataDirectoryRefusal } from './manifest.ts'
import { connectToLenders } from './reads-socket.ts'

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
 * Takes an abstract Unix socket named after the directory's inode. The kernel gives it to one process and takes it back however that
 * process ends, so no stale lock can remain. A process in another container does not see the name, but the sockets over which a service
 * lends reads. Throws `DataDirectoryRefusal` while a living process has the lock. Writes nothing.
 */
export const takeLock = async (path: string): Promise<() => Promise<void>> => {
  const { dev, ino } = statSync(path)
  const release = await listenAt(path, `\0payments-${dev}-${ino}`)
  if (!(await isLent(path))) return release
  await release()
  throw inUse(path)
}

const isLent = async (path: string): Promise<boolean> => {
  try {
    for await (const socket of connectToLenders(path)) {
      socket.destroy()
      return true
    }
    return false
  } catch {
    // It is another user's, or takes no more connections.
    return true
  }
}

const listenAt = (path: string, name: string): Promise<() => Promise<void>> => {
  const server = createServer((socket) => socket.destroy())
  const release = (): Promise<void> => new Promise((resolve) => server.close(() => resolve()))
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      reject(error.code === 'EADDRINUSE' ? inUse(path) : error),
    )
    server.listen(name, () => {
      server.unref()
      resolve(release)
    })
  })
}

const inUse = (path: string) => new DataDirectoryRefusal(`${path} is in use by another running process`)
