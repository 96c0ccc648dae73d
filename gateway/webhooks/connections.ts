import { type Address, isAmong } from './address.ts'
import type { Connect } from './connect.ts'
import { newResponseReader, type ResponseHandler } from './response-reader.ts'

/**
 * Keep-alive connections to endpoints: a few per endpoint, and a bounded number in all. A connection is reused only if its
 * address is among those vetted for the attempt at hand, so that reuse cannot bypass vetting.
 */
export type EndpointConnections = {
  /** Resolves to a connection for one exchange. Waits while the endpoint has all that it may have. */
  readonly take: (endpointId: string, origin: Origin, addresses: readonly Address[]) => Promise<Connection>
  /** Closes all of them; exchanges under way fail. */
  readonly close: () => void
}

/** The part of an endpoint's URL that a connection depends on. */
export type Origin = {
  /** For example `https://example.com:8443`. */
  readonly origin: string
  readonly hostname: string
  readonly port: number
  readonly secure: boolean
}

export type Connection = {
  /** Sends one request. After its end or failure the connection belongs to others. */
  readonly send: (request: Buffer, handler: ResponseHandler) => void
  /** The rest of an answer is still being read, but another exchange may take the endpoint's place. */
  readonly linger: () => void
  /** Nothing was sent. */
  readonly release: () => void
  readonly destroy: () => void
}

export type ConnectionsOptions = {
  readonly connect: Connect
  readonly perEndpointMax: number
  /** Above this, the connection idle for longest is closed. Connections in use are bounded by their users. */
  readonly totalMax: number
  readonly idleMs: number
  readonly headerBytesMax: number
}

/** Opens the connection cache of one worker. */
export const openConnections = (options: ConnectionsOptions): EndpointConnections => {
  const lanes = new Map<string, Lane>()
  /** Idle or lingering connections, the one unused for longest first. */
  const spare = new Set<OpenConnection>()
  let total = 0

  const take: EndpointConnections['take'] = (endpointId, origin, addresses) => {
    const lane = laneOf(endpointId, origin)
    const connection = takeIdle(lane, addresses) ?? openOneMore(lane, addresses)
    if (connection !== null) return Promise.resolve(connection)
    return new Promise((resolve) => {
      lane.waiting.push({ addresses, resolve })
    })
  }

  const laneOf = (endpointId: string, origin: Origin): Lane => {
    const key = `${endpointId} ${origin.origin}`
    const found = lanes.get(key)
    if (found !== undefined) return found
    const lane: Lane = { key, endpointId, origin, open: new Set(), idle: [], waiting: [] }
    lanes.set(key, lane)
    return lane
  }

  /** Takes the connection used last, so that surplus ones grow old. Closes those whose address is no longer vetted. */
  const takeIdle = (lane: Lane, addresses: readonly Address[]): OpenConnection | null => {
    for (;;) {
      const connection = lane.idle.pop()
      if (connection === undefined) return null
      if (connection.reuse(addresses)) return connection
      connection.destroy()
    }
  }

  const openOneMore = (lane: Lane, addresses: readonly Address[]): OpenConnection | null => {
    if (lane.open.size >= options.perEndpointMax) firstLingering(lane)?.destroy()
    if (lane.open.size >= options.perEndpointMax) return null
    if (total >= options.totalMax) spare.values().next().value?.destroy()
    total++
    const connection = openConnection(lane, addresses)
    lane.open.add(connection)
    // Closing the last of its old connections may have removed the lane from the map.
    lanes.set(lane.key, lane)
    return connection
  }

  const firstLingering = (lane: Lane): OpenConnection | undefined =>
    [...lane.open].find((connection) => spare.has(connection))

  const openConnection = (lane: Lane, addresses: readonly Address[]): OpenConnection => {
    const reader = newResponseReader(options.headerBytesMax)
    let remoteAddress: string | undefined
    /** The handler of the exchange under way. */
    let handler: ResponseHandler | null = null
    /** What is sent as soon as the socket is connected. */
    let unsent: Buffer | null = null
    let isDestroyed = false
    let idleTimer: NodeJS.Timeout | undefined

    const fail = (error: Error): void => {
      const failed = handler
      handler = null
      connection.destroy()
      failed?.onError(error)
    }

    const socket = options.connect({ ...lane.origin, addresses }, (failure) => {
      if (failure !== null) {
        fail(failure)
        return
      }
      remoteAddress = socket.remoteAddress
      if (unsent !== null) socket.write(unsent)
      unsent = null
    })
    socket.on('data', (bytes) => {
      if (handler !== null) reader.take(bytes)
      // No request asked for them.
      else connection.destroy()
    })
    socket.on('error', fail)
    socket.on('close', () => {
      if (handler === null) connection.destroy()
      else reader.close()
    })

    const release = (keepAliveMs: number): void => {
      if (isDestroyed) return
      if (remoteAddress === undefined || keepAliveMs === 0) {
        connection.destroy()
        return
      }
      spare.delete(connection)
      spare.add(connection)
      lane.idle.push(connection)
      idleTimer = setTimeout(connection.destroy, Math.min(keepAliveMs, options.idleMs))
      serveWaiting(lane)
    }

    const connection: OpenConnection = {
      send: (request, to) => {
        handler = to
        reader.expect({
          onHeader: to.onHeader,
          onBody: to.onBody,
          onEnd: (keepAliveMs) => {
            handler = null
            release(socket.writableLength === 0 ? keepAliveMs : 0)
            to.onEnd(keepAliveMs)
          },
          onError: fail,
        })
        if (isDestroyed) fail(new Error('the connection has just been closed'))
        else if (remoteAddress === undefined) unsent = request
        else socket.write(request)
      },
      reuse: (addresses) => {
        clearTimeout(idleTimer)
        spare.delete(connection)
        return isAmong(addresses, remoteAddress!)
      },
      linger: () => {
        if (!isDestroyed) spare.add(connection)
      },
      release: () => release(Number.POSITIVE_INFINITY),
      destroy: () => {
        if (isDestroyed) return
        isDestroyed = true
        clearTimeout(idleTimer)
        total--
        spare.delete(connection)
        lane.open.delete(connection)
        lane.idle = lane.idle.filter((other) => other !== connection)
        socket.destroy()
        serveWaiting(lane)
      },
    }
    return connection
  }

  const serveWaiting = (lane: Lane): void => {
    const next = lane.waiting.shift()
    if (next !== undefined) void take(lane.endpointId, lane.origin, next.addresses).then(next.resolve)
    else if (lane.open.size === 0) lanes.delete(lane.key)
  }

  return {
    take,
    close: () => {
      for (const lane of lanes.values()) {
        lane.waiting.length = 0
        for (const connection of lane.open) connection.destroy()
      }
    },
  }
}

type Lane = {
  readonly key: string
  readonly endpointId: string
  readonly origin: Origin
  readonly open: Set<OpenConnection>
  idle: OpenConnection[]
  readonly waiting: {
    readonly addresses: readonly Address[]
    readonly resolve: (connection: Connection) => void
  }[]
}

type OpenConnection = Connection & {
  /** Takes the connection for an exchange with these addresses; false if it leads elsewhere. */
  readonly reuse: (addresses: readonly Address[]) => boolean
}
