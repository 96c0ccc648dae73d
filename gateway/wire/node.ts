import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { type AddressInfo, createServer as createTcpServer, Server as NetServer } from 'node:net'
import type { Duplex } from 'node:stream'
import { openEndings } from './endings.ts'
import { openExchange, openTraffic, readChunk, readHead } from './exchange.ts'
import { responseHead } from './response-head.ts'
import { tlsPolicy } from './tls-policy.ts'
import { type Connections, drainTraffic, type Exchange, endExchange, wait } from './traffic.ts'
import { type HttpRequest, isStream, type ListenOptions, type Transport } from './transport.ts'

/**
 * HTTP over `node:http`, for when no native build loads or answers every request (`self-test.ts`).
 *
 * With `sharedPort`, several threads on one port need Node 22.12 (`reusePort`) and a system that supports it: see `sharesPorts`.
 */
export const listenWithNode: Transport = async (options) => {
  const { host, port, sharedPort } = options
  const server = newServer(options)
  /** Connections that have had their last answer, which may not have left yet: whatever else comes over them is ignored. */
  const ended = new WeakSet<Duplex>()
  const traffic = openTraffic(options, connectionsOver(options, ended))
  /** The request in flight of each connection. */
  const busy = new Map<Duplex, Exchange<ServerResponse>>()
  const endings = openEndings(options.limits.stallTimeoutMs, () => options.onCut('unclosed', null))

  const onRequest = (req: IncomingMessage, res: ServerResponse): void => {
    const { socket } = req
    if (ended.has(socket)) return
    const earlier = busy.get(socket)
    // A request that follows one without an answer is pipelined or smuggled: the connection ends, as in `uws.ts`.
    if (earlier !== undefined) {
      options.onCut('pipelined', earlier.request)
      socket.destroy()
      return
    }
    const exchange = openExchange(traffic, res)
    busy.set(socket, exchange)
    res.once('close', () => {
      busy.delete(socket)
      endExchange(exchange)
    })
    const headerBytes = readRequest(exchange, req, options)
    if (!readHead(exchange, headerBytes)) return
    if (req.headers.expect !== undefined) res.writeContinue()
    wait(exchange, traffic.bodies)
    req.on('data', (chunk: Buffer) => readChunk(exchange, chunk, false))
    req.on('end', () => readChunk(exchange, nothing, true))
  }

  const onBrokenRequest = (error: NodeJS.ErrnoException, socket: Duplex): void => {
    const status = statusOf(error)
    const exchange = busy.get(socket)
    const isRead = exchange !== undefined && exchange.waitsFor !== traffic.bodies
    // A handshake that failed or took too long has no way to carry an answer: what ends such a socket politely waits for ever.
    if (status === null || !socket.writable || isRead) socket.destroy()
    else {
      if (exchange !== undefined) endExchange(exchange)
      ended.add(socket)
      refuseRaw(options, socket, status)
    }
  }

  server.on('request', onRequest)
  server.on('checkContinue', onRequest)
  server.on('checkExpectation', onRequest)
  server.on('clientError', onBrokenRequest)
  server.on('connect', (_: IncomingMessage, socket: Duplex) => refuseRaw(options, socket, 405))
  server.on('tlsClientError', ({ code }: NodeJS.ErrnoException) => {
    if (code === 'ERR_TLS_HANDSHAKE_TIMEOUT') options.onCut('handshake', null)
  })
  server.on(options.tls ? 'secureConnection' : 'connection', endings.watch)
  const where = { host, port, exclusive: !sharedPort, reusePort: sharedPort }
  await once(server.listen(where), 'listening')
  // A connection that could not be accepted is for its client to repeat; an unhandled event would end the process.
  server.on('error', () => {})
  let closed: Promise<void> | null = null
  return {
    port: (server.address() as AddressInfo).port,
    // Connections over the maximum are accepted and closed at once. Zero would count as no maximum.
    setAccepting: (isOn) => {
      server.maxConnections = isOn ? Number.POSITIVE_INFINITY : 1
    },
    close: (graceMs) => {
      closed ??= (async () => {
        // Only stops listening. The server's own `close` destroys connections whose answer was written but has not left yet.
        NetServer.prototype.close.call(server)
        await drainTraffic(traffic, graceMs)
        endings.stop()
        server.close()
        server.closeAllConnections()
      })()
      return closed
    },
  }
}

/** Resolves to whether several threads can listen on one port here. Node 20 accepts the option and ignores it. */
export const sharesPorts = async (host: string): Promise<boolean> => {
  const servers = [createTcpServer(), createTcpServer()] as const
  let port = 0
  try {
    for (const server of servers) {
      await once(server.listen({ host, port, exclusive: false, reusePort: true }), 'listening')
      port = (server.address() as AddressInfo).port
    }
    return true
  } catch {
    return false
  } finally {
    for (const server of servers) server.close(() => {})
  }
}

const newServer = ({ tls, limits }: ListenOptions) => {
  const settings = {
    insecureHTTPParser: false,
    joinDuplicateHeaders: false,
    // The transport refuses a missing Host itself, with a body.
    requireHostHeader: false,
    // The parser's limit includes the URL. It is a little larger, so that the exact limits are ours to enforce.
    maxHeaderSize: limits.urlBytesMax + limits.headerBytesMax + 2048,
    headersTimeout: limits.idleTimeoutMs,
    requestTimeout: limits.idleTimeoutMs + limits.bodyTimeoutMs,
    keepAliveTimeout: limits.idleTimeoutMs,
    connectionsCheckingInterval: 1000,
    noDelay: true,
  }
  const server = tls
    ? createTlsServer({
        ...settings,
        ...tlsPolicy,
        handshakeTimeout: limits.idleTimeoutMs,
        cert: readFileSync(tls.certFile),
        key: readFileSync(tls.keyFile),
      })
    : createServer(settings)
  // By default, headers above a number are silently dropped, even those that delimit the body. Their bytes are bounded
  // anyway.
  server.maxHeadersCount = 0
  return server
}

const nothing = new Uint8Array()

/** Fills in everything but the body; returns the size of the headers. */
const readRequest = (
  exchange: Exchange<ServerResponse>,
  req: IncomingMessage,
  options: ListenOptions,
): number => {
  const { request } = exchange
  const [authority, target] = readTarget(req.url ?? '')
  const mark = target.indexOf('?')
  request.verb = req.method ?? ''
  request.path = mark < 0 ? target : target.slice(0, mark)
  request.query = mark < 0 ? '' : target.slice(mark + 1)
  const headers: Record<string, string> = Object.create(null)
  const repeatedHeaders = new Set<string>()
  let headerBytes = 0
  const { rawHeaders } = req
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]!.toLowerCase()
    const value = rawHeaders[at + 1]!
    headerBytes += name.length + value.length + ': \r\n'.length
    if (headers[name] === undefined) headers[name] = value
    else {
      if (name === 'x-forwarded-for') headers[name] += `,${value}`
      repeatedHeaders.add(name)
    }
  }
  // RFC 9112, section 3.2.2: the host of an absolute target counts, whatever the header says.
  if (authority !== null && headers.host !== undefined) headers.host = authority
  request.headers = headers
  request.repeatedHeaders = [...repeatedHeaders]
  exchange.refusal = refusalOfNode(req, request, options)
  return headerBytes
}

/** The authority of a request target in absolute form, or null, and the target in origin form. */
const readTarget = (target: string): readonly [authority: string | null, target: string] => {
  if (target.startsWith('/')) return [null, target]
  const absolute = /^https?:\/\/([^/?#]+)(.*)$/i.exec(target)
  if (absolute === null) return [null, target]
  const [, authority, rest] = absolute as unknown as readonly [string, string, string]
  return [authority, rest.startsWith('/') ? rest : `/${rest}`]
}

/** The status for requests that Node's parser accepts and the native one does not; 0 for none. */
const refusalOfNode = (
  req: IncomingMessage,
  { verb, path, headers }: Pick<HttpRequest, 'verb' | 'path' | 'headers'>,
  { takesHttp10 }: ListenOptions,
): number => {
  if (req.httpVersion === '1.0' && takesHttp10?.(verb, path)) return 0
  if (req.httpVersion !== '1.1') return 505
  if (headers.host === undefined || !path.startsWith('/')) return 400
  return 0
}

/** Answers a request that could not be parsed, and closes: what is still on its way in would otherwise be read on. */
const refuseRaw = (options: ListenOptions, socket: Duplex, status: number): void => {
  socket.on('error', () => {})
  socket.end(refusal(options, status), 'latin1', () => socket.destroy())
}

/** A complete answer, as latin1, to a request that could not even be parsed. */
const refusal = ({ refuse, standing }: ListenOptions, status: number): string => {
  const response = refuse(status, { verb: '', path: '' })
  const body = Buffer.from((response.body ?? '') as string)
  const framing = `Content-Length: ${body.length}\r\nConnection: close`
  return `HTTP/1.1 ${responseHead(response, standing)}\r\n${framing}\r\n\r\n${body.toString('latin1')}`
}

/** The status for a request that could not be read; null if the connection itself has failed. */
const statusOf = ({ code = '' }: NodeJS.ErrnoException): number | null => {
  if (code === 'HPE_HEADER_OVERFLOW') return 431
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return 408
  return code.startsWith('HPE_') ? 400 : null
}

const connectionsOver = (
  { limits: { stallTimeoutMs }, standing, onCut }: ListenOptions,
  ended: WeakSet<Duplex>,
): Connections<ServerResponse> => ({
  addressOf: ({ req }) => (req.socket.remoteAddress ?? '').replace(/^::ffff:/, ''),
  send: ({ wire, request: { verb } }, response, closes) => {
    const res = wire!
    const { status, headers, body } = response
    if (res.destroyed) return true
    if (closes) ended.add(res.req.socket)
    responseHead(response, standing)
    const bodiless = status === 204 || status === 304 || isStream(body)
    const length = bodiless ? {} : { 'Content-Length': String(body === null ? 0 : Buffer.byteLength(body)) }
    res.writeHead(status, {
      ...headers,
      ...standing(headers).fields,
      ...length,
      ...(closes && { Connection: 'close' }),
    })
    if (verb === 'HEAD' || bodiless || body === null) res.end()
    // Writes head and body at once if the body is ASCII: in front of other text Node would write the latin1 head
    // as UTF-8.
    else if (typeof body === 'string' && Buffer.byteLength(body) === body.length) res.end(body, 'latin1')
    else res.end(Buffer.from(body as string))
    // More is left than the system buffers at once. Node counts from the last bytes that left.
    if (res.socket !== null && res.socket.writableLength > 0)
      res.setTimeout(stallTimeoutMs, () => {
        onCut('unread', null)
        cut(res)
      })
    return false
  },
  losesEnd: () => false,
  start: (res, response, closes) => {
    responseHead(response, standing)
    const { status, headers } = response
    const added = standing(headers).fields
    if (closes) ended.add(res.req.socket)
    res.writeHead(status, { ...headers, ...added, ...(closes && { Connection: 'close' }) })
  },
  write: (res, piece, onRoom) => {
    const hasRoom = res.write(piece)
    if (!hasRoom) res.once('drain', onRoom)
    return hasRoom
  },
  finish: (res) => void res.end(),
  answersWhileReading: true,
  cut,
  hasInvited: () => false,
  overlooksHeaders: false,
  misreadsChunks: false,
})

const cut = (res: ServerResponse): void => void res.socket?.destroy()
