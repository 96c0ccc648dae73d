import { closeSync, existsSync, openSync, readdirSync, rmSync } from 'node:fs'
import { createConnection, type Socket } from 'node:net'
import { join } from 'node:path'

/** The name of the socket in a data directory over which a thread of the service lends its reads. */
export const readsSocket = (thread: number): string => `reads-${thread}.sock`

/** The sockets in a data directory, which may be those of a killed process. */
export const socketsIn = (dataDir: string): readonly string[] =>
  existsSync(dataDir) ? readdirSync(dataDir).filter((name) => /^reads-\d+\.sock$/.test(name)) : []

/** Removes what a process that was killed has left. */
export const removeReadsSockets = (dataDir: string): void => {
  for (const name of socketsIn(dataDir)) rmSync(join(dataDir, name), { force: true })
}

/** Connects to the threads that lend the reads of a directory, one after the other, `except` over one socket. */
export const connectToLenders = async function* (
  dataDir: string,
  except: string | null = null,
): AsyncGenerator<Socket> {
  for (const name of socketsIn(dataDir)) {
    if (name === except) continue
    const socket = await withShortPath(dataDir, name, connect)
    if (socket !== null) yield socket
  }
}

/** Null where no process listens. */
const connect = (path: string): Promise<Socket | null> =>
  new Promise((resolve, reject) => {
    const socket = createConnection({ path })
    socket.once('connect', () => resolve(socket))
    socket.once('error', (error: NodeJS.ErrnoException) =>
      error.code === 'ECONNREFUSED' || error.code === 'ENOENT' ? resolve(null) : reject(error),
    )
  })

/** Runs work with a short path of a socket: one has at most 107 bytes (unix(7)), and that of a directory may have more. */
export const withShortPath = async <Value>(
  dataDir: string,
  name: string,
  use: (path: string) => Promise<Value>,
): Promise<Value> => {
  const handle = openSync(dataDir, 'r')
  try {
    return await use(`/proc/self/fd/${handle}/${name}`)
  } finally {
    closeSync(handle)
  }
}
