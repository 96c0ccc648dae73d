/**
 * The port between the pipeline and whatever speaks HTTP/1.1 on the wire: `uws.ts` (native) and `node.ts`
 * (`node:http`, where no native build loads). A transport refuses broken framing by itself, hands over whole requests,
 * and writes every answer from a later tick than the one in which the request was read.
 */
export type Transport = (options: ListenOptions) => Promise<Listener>

export type ListenOptions = {
  readonly host: string
  /** 0 takes any free port; the listener says which. */
  readonly port: number
  /** Whether several threads listen on this same port (SO_REUSEPORT), or this listener must be alone on it. */
  readonly sharedPort: boolean
  readonly tls?: { readonly certFile: string; readonly keyFile: string }
  readonly handle: (request: HttpRequest) => HttpResponse | Promise<HttpResponse>
  /** The body of an answer that the transport gives by itself: 400, 408, 413, 414, 431, 500, 503, 505 … */
  readonly refuse: (
    status: number,
    request: Pick<HttpRequest, 'verb' | 'path'> & Partial<Pick<HttpRequest, 'headers'>>,
  ) => HttpResponse
  /** An exception out of `handle`: logged by the caller, answered 500 by the transport. */
  readonly onFault: (error: unknown, request: HttpRequest) => void
  readonly limits: TransportLimits
}

export type TransportLimits = {
  readonly urlBytesMax: number
  readonly headerBytesMax: number
  readonly bodyBytesMax: number
  /** From the first byte of a body to its last. */
  readonly bodyTimeoutMs: number
  /** From the whole request to its answer. */
  readonly answerTimeoutMs: number
  /** Of a client that does not read what is on its way to it. */
  readonly stallTimeoutMs: number
}

export type HttpRequest = {
  /** In capitals. */
  readonly verb: string
  /** As sent: not decoded, without the query. */
  readonly path: string
  /** As sent: not decoded, without the question mark; empty when there is none. */
  readonly query: string
  /** By lower-case name. Of a repeated header, the first value. */
  readonly headers: Readonly<Record<string, string>>
  /** Lower-case names of the headers that were sent more than once. */
  readonly repeatedHeaders: readonly string[]
  readonly body: Buffer
  /** The peer of the socket, IPv4-mapped addresses in dotted form. Never a forwarded one. */
  readonly remoteAddress: string
}

export type HttpResponse = {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** `null` sends no body. A HEAD request gets the headers only, whatever this holds. */
  readonly body: string | Buffer | BodyStream | null
}

/** A body whose length nobody knows, in pieces: the next is asked for when the one before has left (RFC 9112, 7.1). */
export type BodyStream = {
  /** Null after the last one. Where it rejects the connection is cut, so that nobody takes a part for the whole. */
  readonly next: () => Promise<string | null>
}

export const isStream = (body: HttpResponse['body']): body is BodyStream =>
  typeof body === 'object' && body !== null && 'next' in body

export type Listener = {
  readonly port: number
  /** Refuses new connections at once, lets requests in flight be answered (at most `graceMs`), then closes. */
  readonly close: (graceMs: number) => Promise<void>
}
