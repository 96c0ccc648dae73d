import { X509Certificate } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { createSecureContext, type TLSSocket } from 'node:tls'
import type { Agent, Dispatcher } from 'undici'
import { type Deadline, waits } from './deadline.ts'

/** What came back: a status with what could be read of it as JSON, or nothing. */
export type BankReply =
  | {
      readonly type: 'REPLY'
      readonly status: number
      /** Undefined where there is none, or none that is JSON. */
      readonly body: unknown
      readonly retryAfterMs: number | null
    }
  /** No whole reply; the code says why, for people. */
  | { readonly type: 'NONE'; readonly why: string }

export type BankRequest = {
  readonly verb: 'GET' | 'PUT' | 'POST' | 'PATCH'
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | null
}

/** The credentials of TLS, as a connection has them. */
export type TlsCredentials = {
  /** PEM. */
  readonly cert?: string
  readonly key?: string
  /** PKCS #12. */
  readonly pfx?: Buffer
  readonly passphrase?: string
  /** The only authority whose servers are trusted; the machine's own without it. */
  readonly ca?: string
}

export type BankHttp = {
  readonly send: (request: BankRequest, deadline: Deadline) => Promise<BankReply>
  /** When the certificate ends that the bank was shown; null before it was shown any. */
  readonly certificateEndsAtMs: () => number | null
  readonly close: () => void
}

/** A connection without a request ends after this, unless the bank says when: sooner than load balancers close one. */
const idleMs = 15_000

/** The longest reply that is read. A page of 100 PIX with their returns has a tenth of it. */
const replyBytesMax = 2 * 1024 * 1024

/**
 * Opens the connections to one bank. Redirects are not followed: they would take a token elsewhere. Nothing rejects. undici is loaded with the first
 * connection, since most services have none.
 */
export const openBankHttp = (credentials: TlsCredentials, connectMs: number = waits.connectMs): BankHttp => {
  let endsAtMs = credentials.cert === undefined ? null : endOf(credentials.cert)
  const agent: Promise<Agent> = import('undici').then(({ Agent, buildConnector }) => {
    // Keys are read once and not for every handshake: that takes longer than a request.
    const secureContext = createSecureContext({ ...credentials, minVersion: 'TLSv1.2' })
    const connect = buildConnector({ secureContext, timeout: connectMs })
    return new Agent({
      connections: 64,
      keepAliveTimeout: idleMs,
      maxResponseSize: replyBytesMax,
      connect: (options, callback) =>
        connect(options, (...connected) => {
          const [, socket] = connected
          endsAtMs ??= endOf((socket as TLSSocket | null)?.getX509Certificate?.()?.raw)
          callback(...connected)
        }),
    })
  })
  agent.catch(() => undefined)

  return {
    send: async (request, deadline) => {
      try {
        return await exchange(await agent, request, deadline)
      } catch (error) {
        return noReply(error)
      }
    },
    certificateEndsAtMs: () => endsAtMs,
    close: () => {
      void agent.then((opened) => opened.destroy()).catch(() => undefined)
    },
  }
}

/**
 * One request and its reply. undici's `dispatch` is its way without streams: a reply is small and read whole, also where it is no JSON, so that its
 * connection can be used for the next request.
 */
const exchange = (
  agent: Agent,
  { verb, url, headers, body }: BankRequest,
  deadline: Deadline,
): Promise<BankReply> =>
  new Promise((resolve) => {
    if (deadline.hasPassed()) return resolve(tooLate)
    const { origin, path } = splitUrl(url)
    const parts: Buffer[] = []
    let status = 0
    let replied: IncomingHttpHeaders = {}
    let controller: Dispatcher.DispatchController | null = null
    let isOver = false
    const end = (reply: BankReply): void => {
      isOver = true
      forget()
      resolve(reply)
    }
    const forget = deadline.onPassed(() => {
      end(tooLate)
      controller?.abort(new Error('the deadline has passed'))
    })
    agent.dispatch(
      { origin, path, method: verb, headers, body },
      {
        onRequestStart: (started) => {
          controller = started
          // It waited for a connection longer than for its deadline.
          if (isOver) started.abort(new Error('the deadline has passed'))
        },
        onResponseStart: (_, statusCode, received) => {
          status = statusCode
          replied = received
        },
        onResponseData: (_, part) => {
          parts.push(part)
        },
        onResponseEnd: () =>
          end({
            type: 'REPLY',
            status,
            body: readBody(parts, String(replied['content-type'])),
            retryAfterMs: retryAfterOf(replied['retry-after']),
          }),
        onResponseError: (_, error) => end(noReply(error)),
      },
    )
  })

const splitUrl = (url: string): { readonly origin: string; readonly path: string } => {
  const at = url.indexOf('/', url.indexOf('://') + 3)
  return at === -1 ? { origin: url, path: '/' } : { origin: url.slice(0, at), path: url.slice(at) }
}

const readBody = (parts: readonly Buffer[], media: string): unknown => {
  if (!/json/i.test(media)) return undefined
  try {
    return JSON.parse((parts.length === 1 ? parts[0]! : Buffer.concat(parts)).toString())
  } catch {
    return undefined
  }
}

/** Seconds, as API gateways write it; a date is of no use between two clocks. */
const retryAfterOf = (header: string | string[] | undefined): number | null => {
  const seconds = typeof header === 'string' && /^\d{1,5}$/.test(header) ? Number(header) : null
  return seconds === null ? null : seconds * 1_000
}

const tooLate: BankReply = { type: 'NONE', why: 'no answer in time' }

/** A code alone: messages of TLS and HTTP may quote what was sent. */
const noReply = (error: unknown): BankReply => {
  const { code, name } = error as { readonly code?: unknown; readonly name?: unknown }
  return { type: 'NONE', why: typeof code === 'string' ? code : String(name) }
}

const endOf = (certificate: string | Buffer | undefined): number | null => {
  if (certificate === undefined) return null
  try {
    return Date.parse(new X509Certificate(certificate).validTo)
  } catch {
    return null
  }
}
