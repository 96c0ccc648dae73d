import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** Stands between a client and a nats-server, to lose answers or to hold them up. */
export type Proxy = {
  readonly url: string
  /** What the server says from now on arrives so much later. */
  readonly delay: (ms: number) => void
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
  let delayMs = 0
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
    // In order, also when the delay becomes shorter.
    const held: { readonly chunk: Buffer; readonly atMs: number }[] = []
    const pass = (): void => {
      while (held.length > 0 && held[0]!.atMs <= performance.now()) client.write(held.shift()!.chunk)
      if (held.length > 0) setTimeout(pass, held[0]!.atMs - performance.now())
    }
    upstream.on('data', (chunk) => {
      if (isSwallowing) return
      if (delayMs === 0 && held.length === 0) client.write(chunk)
      else if (held.push({ chunk, atMs: performance.now() + delayMs }) === 1) setTimeout(pass, delayMs)
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
    delay: (ms) => {
      delayMs = ms
    },
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
