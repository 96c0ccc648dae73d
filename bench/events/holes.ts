import { type AddressInfo, createServer } from 'node:net'

/**
 * Endpoints that never answer. One in two accepts connections and says nothing; the others have room for one connection,
 * and drop what comes after it. For both the process is stopped as soon as it has printed its ports: then the kernel
 * alone answers. Setting: HOLES.
 */
const ports = await Promise.all(
  Array.from(
    { length: Number(process.env.HOLES) },
    (_, n) =>
      new Promise<number>((resolve) => {
        const server = createServer()
        const backlog = n % 2 === 0 ? 511 : 1
        server.listen({ host: '127.0.0.1', port: 0, backlog }, () =>
          resolve((server.address() as AddressInfo).port),
        )
      }),
  ),
)
console.log(`PORTS ${ports.join(' ')}`)
