import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** Stands between a client and a nats-server, to lose answers. */
export type Proxy = {
  readonly url: string
  /** What the server says from now on is swallowed; what the client says still arrives. */
  readonly swallowAnswers: () => void
  /** Cuts every connection; new ones work. */
  readonly cut: () => void
  readonly stop: () => void
}

export const startProxy = async (target: string): Promise<Proxy> => {
  const { hostname, port } = new URL(target)
  const sockets = new Set<Socket>()
  let isSwallowing = false
  const server = createServer((client) => {
    const upstream = connect(Number(port), hostname)
    for (const [socket, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(socket)
      socket.on('error', () => undefined)
      socket.on('close', () => {
        sockets.delete(socket)
        other.destroy()
      })
    }
    client.on('data', (chunk) => upstream.write(chunk))
    upstream.on('data', (chunk) => {
      if (!isSwallowing) client.write(chunk)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  server.unref()
  const cut = (): void => {
    isSwallowing = false
    for (const socket of sockets) socket.destroy()
  }
  return {
    url: `nats://127.0.0.1:${(server.address() as AddressInfo).port}`,
    swallowAnswers: () => {
      isSwallowing = true
    },
    cut,
    stop: () => {
      cut()
      server.close()
    },
  }
}
