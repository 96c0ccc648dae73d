import { randomInt } from 'node:crypto'
import { type AddressInfo, createServer, type Server } from 'node:net'

/** So many ports of the loopback from `first` on, each of them free and none of `given`; any such ones where it is 0. */
export const portsFrom = async (
  first: number,
  count: number,
  given: readonly number[] = [],
): Promise<readonly number[]> => {
  const take = async (port: number): Promise<Server> => {
    if (given.includes(port)) throw new PortTaken(port)
    return listen(port)
  }
  // All of them are taken at once, so that none is given twice.
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
 * From below those that systems give to connections: whoever listens there may end and start again, and nobody's
 * connection is in the way.
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
    // Whoever looks for another server there is sent away: a connection would hold up the end.
    const server = createServer((socket) => socket.destroy())
    server.once('error', () => reject(new PortTaken(port)))
    server.listen(port, '127.0.0.1', () => resolve(server))
  })
