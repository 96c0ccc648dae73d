import { type Address, isAmong } from './address.ts'
import { attemptErrorOf, type Connect } from './connect.ts'
import type { ExchangeConnection, WebhookExchange, WebhookExchanges } from './exchange.ts'
import { newResponseReader } from './response-reader.ts'
import { newTimeLimit, type TimeLimit } from './time-limit.ts'

/**
 * Keep-alive connections to endpoints: a few per endpoint, and a bounded number of idle ones in all. A connection is reused only if its
 * address is among those vetted for the attempt at hand, so that reuse cannot bypass vetting. Servers close idle connections without a
 * word, so a request on a reused one that fails before the first byte of its answer is sent once more, on a new one (decisions,
 * section 28). The receiver may have taken the first: both are the same bytes, and webhooks are delivered at least once.
 */
export type EndpointConnections = {
  /** Makes an exchange as soon as its lane has a connection for it, unless its time is over by then. */
  readonly begin: (lane: Lane, asked: Asked) => void
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

/** The connections of one endpoint at one origin, and the exchanges that wait for one of them. */
export type Lane = {
  readonly origin: Origin
  readonly open: Set<Connection>
  idle: Connection[]
  readonly waiting: Asked[]
}

/** An exchange that wants a connection to one of these addresses. */
type Asked = {
  readonly exchange: WebhookExchange
  readonly addresses: readonly Address[]
  readonly request: Buffer
  /** It failed on a kept connection before, so it gets a new one. */
  readonly isRepeat?: true
}

export type Connection = ExchangeConnection & {
  /** Sends the request of an exchange. After its end or failure the connection belongs to other exchanges. */
  readonly send: (asked: Asked) => void
  /** Takes the connection for an exchange; false if it leads elsewhere, or the server may be closing it. */
  readonly reuse: (addresses: readonly Address[]) => boolean
}

export type ConnectionsOptions = {
  readonly connect: Connect
  readonly exchanges: WebhookExchanges
  readonly monotonicMs: () => number
  readonly later: (ms: number, callback: () => void) => void
  readonly perEndpointMax: number
  /** Above this, the connection idle for longest is closed. Connections in use are bounded by their users. */
  readonly idleMax: number
  readonly idleMs: number
  readonly headerBytesMax: number
}

/** A lane without connections. */
export const newLane = (origin: Origin): Lane => ({ origin, open: new Set(), idle: [], waiting: [] })

type ConnectionsState = ConnectionsOptions & {
  readonly all: Set<Connection>
  /** Idle or lingering connections, the one unused for longest first. */
  readonly spare: TimeLimit<Connection>
  isClosed: boolean
}

/** Opens the connections of one worker. */
export const openConnections = (options: ConnectionsOptions): EndpointConnections => {
  const connections: ConnectionsState = {
    ...options,
    all: new Set(),
    spare: newTimeLimit({ ...options, ms: options.idleMs, onLate: (connection) => connection.destroy() }),
    isClosed: false,
  }
  return {
    begin: (lane, asked) => begin(connections, lane, asked),
    close: () => {
      connections.isClosed = true
      for (const connection of connections.all) connection.destroy()
    },
  }
}

const begin = (connections: ConnectionsState, lane: Lane, asked: Asked): void => {
  const kept = asked.isRepeat ? null : takeIdle(lane, asked.addresses)
  const connection = kept ?? openOneMore(connections, lane, asked.addresses)
  if (connection === null) lane.waiting.push(asked)
  else connection.send(asked)
}

/** Takes the connection used last, so that surplus ones grow old. Closes those that this exchange cannot use. */
const takeIdle = (lane: Lane, addresses: readonly Address[]): Connection | null => {
  for (;;) {
    const connection = lane.idle.pop()
    if (connection === undefined) return null
    if (connection.reuse(addresses)) return connection
    connection.destroy()
  }
}

const openOneMore = (
  connections: ConnectionsState,
  lane: Lane,
  addresses: readonly Address[],
): Connection | null => {
  if (lane.open.size >= connections.perEndpointMax) [...lane.open].find(connections.spare.has)?.destroy()
  if (lane.open.size >= connections.perEndpointMax) return null
  const connection = openConnection(connections, lane, addresses)
  connections.all.add(connection)
  lane.open.add(connection)
  return connection
}

const openConnection = (
  connections: ConnectionsState,
  lane: Lane,
  addresses: readonly Address[],
): Connection => {
  let remoteAddress: string | undefined
  /** The exchange under way. */
  let exchange: WebhookExchange | null = null
  /** The request to send again if this connection turns out to be closed: null on a new one, and once an answer has begun. */
  let repeatable: Asked | null = null
  let isReused = false
  /** The request to send as soon as the socket is connected. */
  let unsent: Buffer | null = null
  let isDestroyed = false
  let usableUntilMs = 0

  const fail = (error: Error): void => {
    const failed = exchange
    const repeated = repeatable
    exchange = null
    repeatable = null
    const isRepeated = repeated !== null && !repeated.exchange.isOver && !connections.isClosed
    // Before those that wait: the end of this connection leaves room for one.
    if (isRepeated) lane.waiting.unshift({ ...repeated, isRepeat: true })
    connection.destroy()
    if (failed !== null && !isRepeated) connections.exchanges.fail(failed, attemptErrorOf(error))
  }

  const reader = newResponseReader(connections.headerBytesMax, {
    onHeader: (statusCode) => connections.exchanges.onHeader(exchange!, statusCode),
    onBody: (bytes) => connections.exchanges.onBody(exchange!, bytes),
    onEnd: (keepAliveMs) => {
      const ended = exchange!
      exchange = null
      release(socket.writableLength === 0 ? keepAliveMs : 0)
      connections.exchanges.onEnd(ended)
    },
    onError: fail,
  })

  const onBytes = (bytes: Buffer): void => {
    repeatable = null
    // No request asked for these bytes.
    if (exchange === null) connection.destroy()
    else reader.take(bytes)
    if (exchange !== null) connections.exchanges.onPause(exchange)
  }

  const socket = connections.connect({ ...lane.origin, addresses }, onBytes, (failure) => {
    if (failure !== null) {
      fail(failure)
      return
    }
    remoteAddress = socket.remoteAddress
    if (unsent !== null) socket.write(unsent)
    unsent = null
  })
  socket.on('error', fail)
  socket.on('close', () => {
    if (exchange === null) connection.destroy()
    else reader.close()
  })

  const release = (keepAliveMs: number): void => {
    if (isDestroyed) return
    if (remoteAddress === undefined || keepAliveMs === 0) {
      connection.destroy()
      return
    }
    usableUntilMs = connections.monotonicMs() + keepAliveMs
    isReused = true
    lane.idle.push(connection)
    spare(connections, connection)
    serveWaiting(connections, lane)
  }

  const connection: Connection = {
    send: (asked) => {
      exchange = asked.exchange
      exchange.connection = connection
      if (isReused) repeatable = asked
      reader.expect()
      if (isDestroyed) fail(new Error('the connection has just been closed'))
      else if (remoteAddress === undefined) unsent = asked.request
      else socket.write(asked.request)
    },
    reuse: (addresses) => {
      connections.spare.delete(connection)
      return connections.monotonicMs() < usableUntilMs && isAmong(addresses, remoteAddress!)
    },
    linger: () => {
      if (!isDestroyed) spare(connections, connection)
    },
    destroy: () => {
      if (isDestroyed) return
      isDestroyed = true
      connections.all.delete(connection)
      connections.spare.delete(connection)
      lane.open.delete(connection)
      lane.idle = lane.idle.filter((other) => other !== connection)
      socket.destroy()
      serveWaiting(connections, lane)
    },
  }
  return connection
}

const spare = ({ spare, idleMax }: ConnectionsState, connection: Connection): void => {
  spare.add(connection)
  if (spare.count() > idleMax) spare.first()!.destroy()
}

const serveWaiting = (connections: ConnectionsState, lane: Lane): void => {
  let next = lane.waiting.shift()
  while (next?.exchange.isOver) next = lane.waiting.shift()
  if (next !== undefined && !connections.isClosed) begin(connections, lane, next)
}
