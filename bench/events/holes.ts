import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/**
 * Endpoints that answer until they fall silent, all in the same moment: when the process is stopped. Then the kernel alone is there. One in
 * two takes connections and says nothing; the others have room for one connection, and drop what comes after it. Setting: HOLES.
 */
const ports = await Promise.all(
  Array.from(
    { length: Number(process.env.HOLES) },
    (_, n) =>
      new Promise<number>((resolve) => {
        const server = createServer((request, response) => {
          request.resume().on('end', () => response.end())
        })
        const backlog = n % 2 === 0 ? 511 : 1
        server.listen({ host: '127.0.0.1', port: 0, backlog }, () =>
          resolve((server.address() as AddressInfo).port),
        )
      }),
  ),
)
console.log(`PORTS ${ports.join(' ')}`)
