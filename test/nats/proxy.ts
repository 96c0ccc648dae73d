import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** Stands between a client and a nats-server, to lose what one says to the other, or to hold it up. */
export type Proxy = {
  readonly url: string
  /** What the server says from now on arrives so much later. */
  readonly delay: (ms: number) => void
  /** What either says from now on arrives so much later. */
  readonly delayBoth: (ms: number) => void
  /** What the server says from now on is swallowed; what the client says still arrives. */
  readonly swallowAnswers: () => void
  /** What the client says from now on is swallowed; what the server says still arrives. */
  readonly swallowRequests: () => void
  /** Takes nothing more from either on the connections there are; new ones work. */
  readonly stall: () => void
  /** Cuts every connection; new ones work. */
  readonly cut: () => void
  readonly stop: () => void
}

/** What happens to everything that goes one way. */
type Way = { isSwallowing: boolean; delayMs: number }

const open: Way = { isSwallowing: false, delayMs: 0 }

export const startProxy = (target: string): Promise<Proxy> => startProxyOf(target, /^/)

/** Only connections of clients with such a name suffer. */
export const startProxyOf = async (target: string, clients: RegExp): Promise<Proxy> => {
  const answers: Way = { isSwallowing: false, delayMs: 0 }
  const requests: Way = { isSwallowing: false, delayMs: 0 }
  const { port, sockets, stop } = await relayTo(target, (client, upstream) => {
    // The server speaks first, before the client says its name.
    let isMeant = clients.test('')
    client.once('data', (said) => {
      isMeant = clients.test(/"name":"([^"]+)"/.exec(said.toString('latin1'))?.[1] ?? '')
    })
    client.on(
      'data',
      passOn(() => (isMeant ? requests : open), upstream),
    )
    upstream.on(
      'data',
      passOn(() => (isMeant ? answers : open), client),
    )
  })
  const cut = (): void => {
    for (const way of [answers, requests]) way.isSwallowing = false
    for (const socket of sockets) socket.destroy()
  }
  return {
    url: `nats://127.0.0.1:${port}`,
    delay: (ms) => {
      answers.delayMs = ms
    },
    delayBoth: (ms) => {
      for (const way of [answers, requests]) way.delayMs = ms
    },
    swallowAnswers: () => {
      answers.isSwallowing = true
    },
    swallowRequests: () => {
      requests.isSwallowing = true
    },
    stall: () => {
      for (const socket of sockets) socket.pause()
    },
    cut,
    stop: () => {
      cut()
      stop()
    },
  }
}

/** Writes chunks to a socket as the way allows: in order, also when the delay becomes shorter. */
const passOn = (wayNow: () => Way, to: Socket): ((chunk: Buffer) => void) => {
  const held: { readonly chunk: Buffer; readonly atMs: number }[] = []
  const pass = (): void => {
    while (held.length > 0 && held[0]!.atMs <= performance.now()) to.write(held.shift()!.chunk)
    if (held.length > 0) setTimeout(pass, held[0]!.atMs - performance.now())
  }
  return (chunk) => {
    const way = wayNow()
    if (way.isSwallowing) return
    if (way.delayMs === 0 && held.length === 0) to.write(chunk)
    else if (held.push({ chunk, atMs: performance.now() + way.delayMs }) === 1) setTimeout(pass, way.delayMs)
  }
}

/** Stands before the route port of a nats-server, and can keep one of the others away. */
export type RouteProxy = {
  readonly port: number
  /** Ends the routes from the server of this name, and lets in no more until `null`. */
  readonly keepAway: (name: string | null) => void
  readonly stop: () => void
}

/** What passes arrives `delayMs` later. */
export const startRouteProxy = async (target: string, delayMs = 0): Promise<RouteProxy> => {
  let keptAway: string | null = null
  const way: Way = { isSwallowing: false, delayMs }
  const names = new Map<Socket, string>()
  const { port, sockets, stop } = await relayTo(target, (client, upstream) => {
    let said = ''
    const [toServer, toCaller] = [passOn(() => way, upstream), passOn(() => way, client)]
    client.on('data', (chunk) => {
      // Whoever calls introduces itself first.
      if (!names.has(client)) {
        said += chunk.toString('latin1')
        const name = /"server_name":"([^"]+)"/.exec(said)?.[1]
        if (name !== undefined) names.set(client, name)
        if (name === keptAway && name !== undefined) return void client.destroy()
      }
      toServer(chunk)
    })
    client.on('close', () => names.delete(client))
    upstream.on('data', toCaller)
  })
  return {
    port,
    keepAway: (name) => {
      keptAway = name
      for (const [client, caller] of names) if (caller === name) client.destroy()
    },
    stop: () => {
      for (const socket of sockets) socket.destroy()
      stop()
    },
  }
}

/** Listens on a free port, and connects whoever comes with the target. */
const relayTo = async (target: string, relay: (client: Socket, upstream: Socket) => void) => {
  const { hostname, port } = new URL(target)
  const sockets = new Set<Socket>()
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
    relay(client, upstream)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  server.unref()
  return { port: (server.address() as AddressInfo).port, sockets, stop: () => void server.close() }
}
