import { X509Certificate } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { createSecureContext, type TLSSocket } from 'node:tls'
import type { Agent, Dispatcher } from 'undici'

/** HTTP to one provider: connections that stay open, with the certificate of a company. Nothing rejects. */
export type ProviderHttp = {
  readonly send: (request: ProviderHttpRequest, deadline: Deadline) => Promise<ProviderReply>
  /** When the certificate ends that the provider was shown; null before it was shown any. */
  readonly certificateEndsAtMs: () => number | null
  readonly close: () => void
}

export type ProviderHttpRequest = {
  readonly verb: 'GET' | 'PUT' | 'POST' | 'PATCH'
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | null
}

/** What came back: a status with what could be read of it as JSON, or nothing. */
export type ProviderReply =
  | {
      readonly type: 'REPLY'
      readonly status: number
      /** Undefined where there is none, or none that is JSON. */
      readonly body: unknown
      readonly retryAfterMs: number | null
    }
  | NoReply

/** No whole reply; the code says why, for people. */
export type NoReply = { readonly type: 'NONE'; readonly why: string }

/** The end of an ask: what is still under way then is given up, with all that it had begun. */
export type Deadline = {
  readonly hasPassed: () => boolean
  /** Calls back when it passes, unless the returned function is called first. */
  readonly onPassed: (callback: () => void) => () => void
}

/** The credentials of TLS, as a connection has them. */
export type TlsCredentials = {
  /** PEM. */
  readonly cert?: string
  readonly key?: string
  /** PKCS #12. */
  readonly pfx?: Uint8Array
  readonly passphrase?: string
  /** The only authority whose servers are trusted; the machine's own without it. */
  readonly ca?: string
}

/** Opens the connections to one provider. */
export type OpenProviderHttp = (credentials: TlsCredentials) => ProviderHttp

/** A reply as it came. */
export type RawReply =
  | {
      readonly type: 'RAW'
      readonly status: number
      readonly media: string | null
      readonly retryAfter: string | null
      readonly text: string
    }
  | NoReply

/** Connections whose replies are not read yet. */
export type RawHttp = Omit<ProviderHttp, 'send'> & {
  readonly send: (request: ProviderHttpRequest, deadline: Deadline) => Promise<RawReply>
}

/** A connection without a request ends after this, unless the provider says when: sooner than load balancers close one. */
const idleMs = 15_000

/** The longest reply that is read. A page of 100 PIX with their returns has a tenth of it. */
const replyBytesMax = 2 * 1024 * 1024

/** How long a connection may take (rails, section 1.4). */
const connectMsMax = 2_000

/** Opens connections on this thread, which then spends its time on their TLS. */
export const openProviderHttp = (credentials: TlsCredentials, connectMs?: number): ProviderHttp => {
  const { send, ...http } = openRawHttp(credentials, connectMs)
  return { ...http, send: async (request, deadline) => readReply(await send(request, deadline)) }
}

/**
 * Opens the connections to one provider. Redirects are not followed: they would take a token elsewhere. undici is loaded with the first
 * connection, since most services have none.
 */
export const openRawHttp = (credentials: TlsCredentials, connectMs: number = connectMsMax): RawHttp => {
  let endsAtMs = endOf(credentials.cert)
  const agent: Promise<Agent> = import('undici').then(({ Agent, buildConnector }) => {
    // Bytes that come from another thread are no Buffer any more.
    const { pfx, ...others } = credentials
    // Keys are read once and not for every handshake: that takes longer than a request.
    const secureContext = createSecureContext({
      ...others,
      ...(pfx === undefined ? {} : { pfx: Buffer.from(pfx) }),
      minVersion: 'TLSv1.2',
    })
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
  { verb, url, headers, body }: ProviderHttpRequest,
  deadline: Deadline,
): Promise<RawReply> =>
  new Promise((resolve) => {
    if (deadline.hasPassed()) return resolve(tooLate)
    const { origin, path } = splitUrl(url)
    const parts: Buffer[] = []
    let status = 0
    let replied: IncomingHttpHeaders = {}
    let controller: Dispatcher.DispatchController | null = null
    let isOver = false
    const end = (reply: RawReply): void => {
      isOver = true
      forget()
      resolve(reply)
    }
    const forget = deadline.onPassed(() => {
      end(tooLate)
      controller?.abort(passed)
    })
    agent.dispatch(
      { origin, path, method: verb, headers, body },
      {
        onRequestStart: (started) => {
          controller = started
          // It waited for a connection longer than for its deadline.
          if (isOver) started.abort(passed)
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
            type: 'RAW',
            status,
            media: textOrNull(replied['content-type']),
            retryAfter: textOrNull(replied['retry-after']),
            text: (parts.length === 1 ? parts[0]! : Buffer.concat(parts)).toString(),
          }),
        onResponseError: (_, error) => end(noReply(error)),
      },
    )
  })

const passed = new Error('the deadline has passed')

const splitUrl = (url: string): { readonly origin: string; readonly path: string } => {
  const at = url.indexOf('/', url.indexOf('://') + 3)
  return at === -1 ? { origin: url, path: '/' } : { origin: url.slice(0, at), path: url.slice(at) }
}

const textOrNull = (header: string | string[] | undefined): string | null =>
  typeof header === 'string' ? header : null

/** Reads what came back. */
export const readReply = (raw: RawReply): ProviderReply =>
  raw.type === 'NONE'
    ? raw
    : {
        type: 'REPLY',
        status: raw.status,
        body: /json/i.test(raw.media ?? '') ? readJson(raw.text) : undefined,
        retryAfterMs: retryAfterOf(raw.retryAfter),
      }

const readJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Seconds, as API gateways write it; a date is of no use between two clocks. */
const retryAfterOf = (header: string | null): number | null =>
  header !== null && /^\d{1,5}$/.test(header) ? Number(header) * 1_000 : null

/** What a request comes to that has no reply by its deadline. */
export const tooLate: NoReply = { type: 'NONE', why: 'no answer in time' }

/** A code alone: messages of TLS and HTTP may quote what was sent. */
const noReply = (error: unknown): NoReply => {
  const { code, name } = error as { readonly code?: unknown; readonly name?: unknown }
  return { type: 'NONE', why: typeof code === 'string' ? code : String(name) }
}

/** When a certificate ends; null where there is none, or none that can be read. */
export const endOf = (certificate: string | Buffer | undefined): number | null => {
  if (certificate === undefined) return null
  try {
    return Date.parse(new X509Certificate(certificate).validTo)
  } catch {
    return null
  }
}
