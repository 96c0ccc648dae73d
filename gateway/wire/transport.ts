import type { Waiter } from '../../engine/kernel/handler.ts'
import type { StandingHeaders } from './standing-headers.ts'

/**
 * The port between the pipeline and the HTTP/1.1 implementations: `uws.ts` (native) and `node.ts` (`node:http`, for when no
 * native build loads or answers every request). A transport refuses broken framing by itself, hands over complete requests, and writes
 * their answers in a later tick than the one in which they were read.
 */
export type Transport = (options: ListenOptions) => Promise<Listener>

export type ListenOptions = {
  readonly host: string
  /** 0 takes any free port; the listener says which. */
  readonly port: number
  /** Whether several threads listen on this same port (SO_REUSEPORT); otherwise this listener must be alone on it. */
  readonly sharedPort: boolean
  readonly tls?: { readonly certFile: string; readonly keyFile: string }
  /**
   * Whether connections stay open after requests that show no body, although the build may overlook headers that announce one: only where
   * no header line without a name can come in from a connection that callers share.
   */
  readonly keepsConnections?: boolean
  /** The headers that every answer gets, also the answers that the transport gives by itself. */
  readonly standing: StandingHeaders
  /** Answers a request, at once or later. May throw instead. */
  readonly handle: Handle
  /** Renders the answers that the transport gives by itself: 400, 408, 413, 414, 431, 500, 503, 505 and so on. */
  readonly refuse: (
    status: number,
    request: Pick<HttpRequest, 'verb' | 'path'> & Partial<Pick<HttpRequest, 'headers'>>,
  ) => HttpResponse
  /** The requests that may come over HTTP/1.0, which the default health checks of proxies speak; others are answered 505. */
  readonly takesHttp10?: (verb: string, path: string) => boolean
  /** The transport has closed a connection without an answer, or before its answer has left. */
  readonly onCut: (reason: CutReason, request: Pick<HttpRequest, 'verb' | 'path'> | null) => void
  /** `handle` has thrown or rejected: the caller logs it, the transport answers 500. */
  readonly onFault: (error: unknown, request: HttpRequest) => void
  readonly limits: TransportLimits
}

/**
 * Why a connection was closed: a handshake that was not finished in time; bytes behind a request without an answer; a client that did not
 * read its answer in time, or did not close its side of a connection that had ended.
 */
export type CutReason = 'handshake' | 'pipelined' | 'unread' | 'unclosed'

/** Answers a request by telling the response. */
export type Handle = (request: HttpRequest, to: Waiter<HttpResponse>) => void

export type TransportLimits = {
  readonly urlBytesMax: number
  readonly headerBytesMax: number
  readonly bodyBytesMax: number
  /** From the first byte of a body to its last. */
  readonly bodyTimeoutMs: number
  /** From the complete request to its answer. */
  readonly answerTimeoutMs: number
  /** For a client that does not read its answer, or does not answer the end of its connection. */
  readonly stallTimeoutMs: number
  /** For a TLS handshake, for a head, and between requests. Native builds have 10 to 12 s built in. */
  readonly idleTimeoutMs: number
}

export type HttpRequest = {
  /** In capitals. */
  readonly verb: string
  /** As sent: not decoded, without the query. */
  readonly path: string
  /** As sent: not decoded, without the question mark; empty if there is none. */
  readonly query: string
  /**
   * Headers by lower-case name. A repeated header has its first value, except `x-forwarded-for`, a list, which has
   * all (RFC 9110, 5.3).
   */
  readonly headers: Readonly<Record<string, string>>
  /** Lower-case names of the headers that were sent more than once. */
  readonly repeatedHeaders: readonly string[]
  readonly body: Buffer
  /** The peer of the socket, with IPv4-mapped addresses in dotted form; never a forwarded address. */
  readonly remoteAddress: string
}

export type HttpResponse = {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** `null` sends no body. A HEAD request gets only the headers, whatever this holds. */
  readonly body: string | Buffer | BodyStream | null
}

/** A streamed body of unknown length: the next piece is requested once the one before has left (RFC 9112, 7.1). */
export type BodyStream = {
  /**
   * The next piece; null after the last. A rejection cuts the connection: no client takes a part for the whole.
   */
  readonly next: () => Promise<string | Buffer | null>
  /** Ends an endless stream, when its client has gone or the listener closes. May be called twice. */
  readonly end?: () => void
}

/** Whether a body is streamed. */
export const isStream = (body: HttpResponse['body']): body is BodyStream =>
  typeof body === 'object' && body !== null && 'next' in body

export type Listener = {
  readonly port: number
  /**
   * Whether new connections are accepted; open ones are served either way. For a process that runs out of file descriptors: the native
   * transport would otherwise do nothing but try to accept.
   */
  readonly setAccepting: (isOn: boolean) => void
  /** Refuses new connections at once, lets requests in flight finish (for at most `graceMs`), then closes. */
  readonly close: (graceMs: number) => Promise<void>
}
