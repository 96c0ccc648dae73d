import { rmSync } from 'node:fs'
import { createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { threadId } from 'node:worker_threads'
import { lendTransaction } from '../disk/environment.ts'
import { DataDirectoryRefusal } from './manifest.ts'
import { readsSocket, withShortPath } from './reads-socket.ts'

/**
 * Lends read transactions of the environments that this thread writes to other processes, over a socket in the data directory: a line
 * names an environment, and the answer is HELD, or CLOSED where this thread does not have it open. Its newest commit keeps its pages until
 * the connection ends; a line RELEASE is answered by RELEASED before that. Only users who may write there can connect. Throws
 * `DataDirectoryRefusal` where the file system has no sockets.
 */
export const lendReads = async (dataDir: string): Promise<() => Promise<void>> => {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    let end: (() => void) | null = null
    socket.once('close', () => {
      end?.()
      sockets.delete(socket)
    })
    const hangUp = (): unknown => socket.destroy()
    const answer = (line: string): void => {
      if (line === 'RELEASE' && end !== null) return void socket.end('RELEASED\n')
      if (end !== null) return void hangUp()
      try {
        end = lendTransaction(join(dataDir, line), hangUp)
        socket.write(end === null ? 'CLOSED\n' : 'HELD\n')
      } catch {
        // The environment has failed, and its owner opens it again; or it has no room for one reader more.
        hangUp()
      }
    }
    socket.on('error', hangUp)
    // Errors of a socket are errors of the interface, too.
    createInterface({ input: socket }).on('line', answer).on('error', hangUp)
  })
  const name = readsSocket(threadId)
  const close = (): Promise<void> =>
    new Promise((resolve) => {
      for (const socket of sockets) socket.destroy()
      server.close(() => {
        rmSync(join(dataDir, name), { force: true })
        resolve()
      })
    })
  await withShortPath(
    dataDir,
    name,
    (path) =>
      new Promise<void>((resolve, reject) => {
        server.on('error', ({ message, code }: NodeJS.ErrnoException) =>
          reject(
            new DataDirectoryRefusal(
              code === 'EADDRINUSE'
                ? `${dataDir} is in use by another running process`
                : `${dataDir} takes no socket, over which backup and verify read beside the service (${message}): set another DATA_DIR`,
            ),
          ),
        )
        server.listen({ path }, resolve)
      }),
  )
  server.unref()
  lending.add(dataDir)
  return async () => {
    lending.delete(dataDir)
    await close()
  }
}

/** The directories whose reads this thread lends. */
const lending = new Set<string>()

/** The socket over which this thread lends the reads of a directory; null where it does not. */
export const ownReadsSocket = (dataDir: string): string | null =>
  lending.has(dataDir) ? readsSocket(threadId) : null
