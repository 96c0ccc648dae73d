import { once } from 'node:events'
import type { Socket } from 'node:net'
import { createInterface, type Interface } from 'node:readline'
import { workerData } from 'node:worker_threads'
import type { HoldAnswer, HoldRequest, HoldThreadData } from './hold.ts'
import { connectToLenders } from './reads-socket.ts'

/** The thread that has the connections to the processes which lend reads, and answers a thread that waits (see `hold.ts`). */
const { port, answered } = workerData as HoldThreadData

type Connection = { readonly socket: Socket; readonly lines: Interface }

const held = new Map<number, Connection>()

/** The next line; null when the connection ends first. */
const nextLine = async ({ socket, lines }: Connection): Promise<string | null> => {
  if (socket.closed) return null
  const over = new AbortController()
  const { signal } = over
  try {
    return await Promise.race([
      once(lines, 'line', { signal }).then(([line]) => line as string),
      once(socket, 'close', { signal }).then(() => null),
    ])
  } catch {
    return null
  } finally {
    over.abort()
  }
}

const hold = async ({
  id,
  dataDir,
  environment,
  except,
}: HoldRequest & { readonly type: 'HOLD' }): Promise<boolean> => {
  for await (const socket of connectToLenders(dataDir, except)) {
    socket.on('error', () => socket.destroy())
    const lines = createInterface({ input: socket }).on('error', () => socket.destroy())
    const connection = { socket, lines }
    socket.write(`${environment}\n`)
    if ((await nextLine(connection)) === 'HELD') {
      held.set(id, connection)
      return true
    }
    socket.destroy()
  }
  return false
}

const release = async (id: number): Promise<boolean> => {
  const connection = held.get(id)
  if (connection === undefined) return false
  held.delete(id)
  const { socket } = connection
  if (!socket.writable) return false
  socket.write('RELEASE\n')
  const isHeld = (await nextLine(connection)) === 'RELEASED'
  socket.destroy()
  return isHeld
}

const answer = async (request: HoldRequest): Promise<HoldAnswer> => {
  try {
    return request.type === 'HOLD' ? await hold(request) : await release(request.id)
  } catch (error) {
    return { failure: (error as Error).message }
  }
}

port.on('message', (request: HoldRequest) =>
  answer(request).then((message) => {
    port.postMessage(message)
    Atomics.store(answered, 0, 1)
    Atomics.notify(answered, 0)
  }),
)
