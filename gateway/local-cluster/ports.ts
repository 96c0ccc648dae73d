import { randomInt } from 'node:crypto'
import { type AddressInfo, createServer, type Server } from 'node:net'

/** Finds `count` free loopback ports from `first` on, or any if `first` is 0, none of them among `given`. */
export const portsFrom = async (
  first: number,
  count: number,
  given: readonly number[] = [],
): Promise<readonly number[]> => {
  const take = async (port: number): Promise<Server> => {
    if (given.includes(port)) throw new PortTaken(port)
    return listen(port)
  }
  // All of them are held at the same time, so that none is given twice.
  const servers = first === 0 ? await takeAny(count, take) : await takeAll(first, count, take)
  const ports = servers.map((server) => (server.address() as AddressInfo).port)
  await close(servers)
  return ports
}

export class PortTaken extends Error {
  readonly port: number
  constructor(port: number) {
    super(`port ${port} is taken`)
    this.port = port
  }
}

type Take = (port: number) => Promise<Server>

const takeAll = async (first: number, count: number, take: Take): Promise<readonly Server[]> => {
  const taken = await Promise.allSettled(Array.from({ length: count }, (_, n) => take(first + n)))
  const servers = taken.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []))
  const failed = taken.find((result) => result.status === 'rejected')
  if (failed === undefined) return servers
  await close(servers)
  throw failed.reason
}

/**
 * Looks below the range that systems use for outgoing connections, so that a server can restart without finding its port taken by
 * one.
 */
const takeAny = async (count: number, take: Take): Promise<readonly Server[]> => {
  const servers: Server[] = []
  while (servers.length < count) {
    const server = await take(randomInt(anyPortMin, anyPortMax)).catch(() => null)
    if (server !== null) servers.push(server)
  }
  return servers
}

const anyPortMin = 20_000
const anyPortMax = 32_000

const close = (servers: readonly Server[]): Promise<unknown> =>
  Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))))

const listen = (port: number): Promise<Server> =>
  new Promise((resolve, reject) => {
    // Connections are dropped: a client of some other server must not delay the close.
    const server = createServer((socket) => socket.destroy())
    server.once('error', () => reject(new PortTaken(port)))
    server.listen(port, '127.0.0.1', () => resolve(server))
  })
