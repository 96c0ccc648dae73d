import { type AddressInfo, createServer, type Server } from 'node:net'

/** So many ports of the loopback from `first` on, each of them free; any free ones where it is 0. */
export const portsFrom = async (first: number, count: number): Promise<readonly number[]> => {
  // All of them are taken at once, so that none is given twice.
  const taken = await Promise.allSettled(
    Array.from({ length: count }, (_, n) => listen(first === 0 ? 0 : first + n)),
  )
  const servers = taken.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []))
  const ports = servers.map((server) => (server.address() as AddressInfo).port)
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))))
  const failed = taken.findIndex(({ status }) => status === 'rejected')
  if (failed >= 0) throw new PortTaken(first + failed)
  return ports
}

export class PortTaken extends Error {
  readonly port: number
  constructor(port: number) {
    super(`port ${port} is taken`)
    this.port = port
  }
}

const listen = (port: number): Promise<Server> =>
  new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(port, '127.0.0.1', () => resolve(server))
  })
