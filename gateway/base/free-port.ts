import { type AddressInfo, createServer } from 'node:net'

/**
 * Finds a port on which no socket listens: the given one, or for 0 any. Connections that an earlier listener left behind do not count.
 * Rejects with the system's error (`EADDRINUSE`, `EACCES`, `EADDRNOTAVAIL`, …).
 */
export const freePort = (host: string, port: number): Promise<number> =>
  new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen({ host, port, exclusive: true }, () => {
      const { port } = server.address() as AddressInfo
      server.close(() => resolve(port))
    })
  })
