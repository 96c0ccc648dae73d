import { connect, SocketAddress } from 'node:net'
import type * as Uws from '@trufflesuite/uws-js-unofficial'
import { assert } from '../../engine/shared/assert.ts'
import { freePort } from '../base/free-port.ts'
import { failExchange, openExchange, openTraffic, readChunk, readHead } from './exchange.ts'
import { responseHead } from './response-head.ts'
import type { StandingHeaders } from './standing-headers.ts'
import { tls12Ciphers } from './tls-policy.ts'
import { type Connections, drainTraffic, type Exchange, endExchange, noRepetition, wait } from './traffic.ts'
import { isStream, type ListenOptions, type Transport } from './transport.ts'
import { loadUws, type NativeApp, type NativeUws, type UwsBuild } from './uws-builds.ts'

/**
 * HTTP over a native build of uWebSockets.js. Several threads may listen on one port, each with its own listener; port 0 is
 * never shared. A thread that listens must be closed, never terminated: `worker.terminate()` on it aborts the process.
 *
 * Some behaviour is built in and cannot be changed. Both builds close connections that are idle, or send no complete head, after 10 to
 * 12 seconds, and write `100 Continue` without asking. 20.57 answers requests that it cannot read (HTTP/1.0, no Host, 99 headers or
 * more) with 400, 431 or 505 and a page of its own. 20.30 gives such requests (from 49 headers on) no answer at all, and closes the
 * connection at once on unknown methods and on a head above 4 KB that arrives in pieces.
 */
export const listenWithUws =
  (build: UwsBuild): Transport =>
  async (options) => {
    const uws = loadUws(build)
    uws._cfg(withoutBanner)
    const { tls } = options
    const app = tls
      ? uws.SSLApp({ cert_file_name: tls.certFile, key_file_name: tls.keyFile, ssl_ciphers: tls12Ciphers })
      : uws.App()
    const traffic = openTraffic(options, {
      ...connectionsWith(options.standing),
      overlooksHeaders: options.keepsConnections !== true && (await overlooksNamelessHeaders(uws)),
    })
    app.any('/*', (res, req) => {
      const exchange = openExchange(traffic, res)
      res.onAborted(() => endExchange(exchange))
      try {
        const headerBytes = readRequest(exchange.request, req)
        if (!readHead(exchange, headerBytes)) return
        // The chunk is only lent: its memory is reclaimed when this returns.
        res.onData((chunk, isLast) => readChunk(exchange, new Uint8Array(chunk), isLast))
      } catch (error) {
        failExchange(exchange, error)
      }
    })
    let socket: Uws.us_listen_socket | null = await listen(app, options)
    const port = uws.us_socket_local_port(socket)
    let closed: Promise<void> | null = null
    const stopAccepting = (): void => {
      if (socket !== null) uws.us_listen_socket_close(socket)
      socket = null
    }
    const accept = (opened: Uws.us_listen_socket): void => {
      if (closed === null && socket === null) socket = opened
      else uws.us_listen_socket_close(opened)
    }
    return {
      port,
      setAccepting: (isOn) => {
        if (!isOn) stopAccepting()
        // If the port is still taken, the next call tries again.
        else if (socket === null)
          listen(app, { ...options, port, sharedPort: true }).then(accept, () => undefined)
      },
      close: (graceMs) => {
        closed ??= (async () => {
          stopAccepting()
          await drainTraffic(traffic, graceMs)
          app.close()
        })()
        return closed
      },
    }
  }

/**
 * Whether a build accepts a header line that starts with a colon, and then drops all headers after it, including the length of
 * the body. The build itself is asked over a connection: upstream has refused such lines since August 2026, but no version number
 * says so. If it does not answer, the worst is assumed.
 */
export const overlooksNamelessHeaders = async (uws: NativeUws): Promise<boolean> => {
  const app = uws.App()
  let overlooked = (): void => {}
  app.any('/*', (res) => {
    res.onAborted(() => {})
    overlooked()
  })
  const socket = await listen(app, { host: '127.0.0.1', port: 0, sharedPort: false })
  const client = connect(uws.us_socket_local_port(socket), '127.0.0.1')
  const overlooks = await new Promise<boolean>((resolve) => {
    overlooked = () => resolve(true)
    client.setTimeout(namelessHeaderMs, () => resolve(true))
    for (const event of ['data', 'close', 'error']) client.on(event, () => resolve(false))
    client.write('GET / HTTP/1.1\r\nHost: a\r\n: b\r\n\r\n')
  })
  client.destroy()
  app.close()
  return overlooks
}

/** A build that refuses does so at once. */
const namelessHeaderMs = 2000

/** Undocumented: removes the header `uWebSockets: 20` from every answer. */
const withoutBanner = '999999990007'

/**
 * Listens, always so that the port may be shared (SO_REUSEPORT): a build that asks for a port of its own sets no SO_REUSEADDR, and is
 * refused for a minute where an earlier listener had connections. Whether it is alone is found out before.
 */
const listen = async (
  app: NativeApp,
  where: Pick<ListenOptions, 'host' | 'port' | 'sharedPort'>,
): Promise<Uws.us_listen_socket> => {
  const { host, sharedPort } = where
  const port =
    sharedPort && where.port !== 0
      ? where.port
      : await freePort(host, where.port).catch(() => {
          throw notFree(where)
        })
  return new Promise((resolve, reject) => {
    app.listen(host, port, 0, (socket) => {
      if (socket) resolve(socket)
      else reject(notFree(where))
    })
  })
}

const notFree = ({ host, port }: Pick<ListenOptions, 'host' | 'port'>): Error =>
  new Error(`cannot listen on ${host}:${port}: it is in use or not an address of this machine`)

/** Fills in everything but the body; returns the size of the headers. Synchronous, because `req` is gone afterwards. */
const readRequest = (request: Exchange<Uws.HttpResponse>['request'], req: Uws.HttpRequest): number => {
  request.verb = req.getCaseSensitiveMethod()
  request.path = req.getUrl()
  request.query = req.getQuery() ?? ''
  headers = Object.create(null)
  repeatedHeaders = noRepetition
  headerBytes = 0
  req.forEach(readHeader)
  request.headers = headers
  request.repeatedHeaders = repeatedHeaders
  return headerBytes
}

/** Filled by `readHeader`: one function serves all requests, instead of one for each. */
let headers: Record<string, string>
let repeatedHeaders: readonly string[]
let headerBytes: number

const readHeader = (name: string, value: string): void => {
  headerBytes += name.length + value.length + ': \r\n'.length
  if (headers[name] === undefined) {
    headers[name] = value
    return
  }
  if (name === 'x-forwarded-for') headers[name] += `,${value}`
  if (!repeatedHeaders.includes(name)) repeatedHeaders = [...repeatedHeaders, name]
}

const addressText = (address: ArrayBuffer): string => {
  const bytes = new Uint8Array(address)
  if (bytes.length === 4) return bytes.join('.')
  if (bytes.length !== 16) return ''
  if (isMapped(bytes)) return bytes.subarray(12).join('.')
  const words = Array.from({ length: 8 }, (_, at) =>
    ((bytes[2 * at]! << 8) | bytes[2 * at + 1]!).toString(16),
  )
  return new SocketAddress({ address: words.join(':'), family: 'ipv6' }).address
}

/** Whether an address is an IPv4 peer (`::ffff:0:0/96`) of a listener on all addresses. */
const isMapped = (bytes: Uint8Array): boolean =>
  bytes.subarray(0, 10).every((byte) => byte === 0) && bytes[10] === 0xff && bytes[11] === 0xff

const connectionsWith = (
  standing: StandingHeaders,
): Omit<Connections<Uws.HttpResponse>, 'overlooksHeaders'> => ({
  // Never the proxied address: the library believes any client that claims to be a proxy.
  addressOf: (res) => addressText(res.getRemoteAddress()),
  send: (exchange, response, closes) => {
    const res = exchange.wire!
    const { verb } = exchange.request
    const head = responseHead(response, standing)
    const { status, body } = response
    // The library ends the process on a body of any other type.
    assert(
      body === null || typeof body === 'string' || Buffer.isBuffer(body) || isStream(body),
      'a body is text or bytes',
    )
    if (status === 204 || status === 304 || isStream(body)) sendHead(res, head, closes)
    else if (verb === 'HEAD') sendHead(res, `${head}\r\nContent-Length: ${bytesOf(body)}`, closes)
    else if (!closes && body !== null && body.length > largeBody)
      return sendLarge(exchange, head, Buffer.from(body as string))
    else sendWhole(res, head, body ?? '', closes)
    return true
  },
  losesEnd: (bytes) => bytes > largeBody,
  start: (res, response, closes) => {
    const head = responseHead(response, standing)
    res.cork(() => {
      res.writeStatus(latin1(closes ? `${head}\r\nConnection: close` : head))
    })
  },
  write: (res, piece, onRoom) => {
    let hasRoom = true
    res.cork(() => {
      hasRoom = res.write(piece)
    })
    if (!hasRoom) {
      // Whatever is written while this handler runs is lost, so the stream resumes in a later turn.
      res.onWritable(() => {
        setImmediate(onRoom)
        return true
      })
    }
    return hasRoom
  },
  finish: (res, closes) => {
    if (!closes) {
      res.cork(() => void res.end(''))
      return
    }
    // `end` with the close flag would write that header into the body. This writes the last chunk and a trailer instead.
    res.cork(() => {
      res.writeHeader('\r\n0\r\nService-End', 'whole\r\n')
    })
    res.close()
  },
  // The library writes nothing of a handler that closes its connection.
  answersWhileReading: false,
  cut: (res) => res.close(),
  hasInvited: ({ headers }) => headers.expect === '100-continue',
  misreadsChunks: true,
})

/** The whole head is written in one call: each call into native code costs as much as a header. */
const sendWhole = (res: Uws.HttpResponse, head: string, body: string | Buffer, closes: boolean): void => {
  res.cork(() => {
    res.writeStatus(latin1(head))
    res.end(body, closes)
  })
}

/** More than the system buffers of an answer at once, so that a client that reads slowly leaves part of it here. */
const largeBody = 64 * 1024

/**
 * Writes what the connection takes of a large body, and the rest as the client reads; returns whether all has left. The exchange lasts until
 * then: the library would drop the rest when the listener closes.
 */
const sendLarge = (exchange: Exchange<Uws.HttpResponse>, head: string, body: Buffer): boolean => {
  const res = exchange.wire!
  let hasLeft = false
  let start = 0
  res.cork(() => {
    res.writeStatus(latin1(head))
    start = res.getWriteOffset()
    hasLeft = res.tryEnd(body, body.length)[1]
  })
  if (hasLeft) return true
  wait(exchange, exchange.traffic.stalls)
  res.onWritable((offset) => {
    const [isWhole, isDone] = res.tryEnd(body.subarray(offset - start), body.length)
    if (isDone) endExchange(exchange)
    else wait(exchange, exchange.traffic.stalls)
    return isWhole
  })
  return false
}

/**
 * `endWithoutBody` with a length leaves the answer pending for ever, and without one it cannot close the connection. So the
 * length is written like any other header, and an answer that closes is written and cut by hand.
 */
const sendHead = (res: Uws.HttpResponse, head: string, closes: boolean): void => {
  if (!closes) {
    res.cork(() => {
      res.writeStatus(latin1(head))
      res.endWithoutBody()
    })
    return
  }
  const whole = latin1(`${head}\r\nDate: ${new Date().toUTCString()}\r\nConnection: close\r\n`)
  res.cork(() => {
    res.writeStatus(whole)
  })
  res.close()
}

const bytesOf = (body: string | Buffer | null): number => (body === null ? 0 : Buffer.byteLength(body))

/** Native code writes a string as UTF-8, but headers are latin1. */
const latin1 = (head: string): string | Buffer =>
  Buffer.byteLength(head) === head.length ? head : Buffer.from(head, 'latin1')
