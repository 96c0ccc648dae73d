import type { Waiter } from '../../engine/kernel/handler.ts'
import type { Deadlines } from '../base/deadlines.ts'
import {
  type BodyStream,
  type HttpRequest,
  type HttpResponse,
  isStream,
  type ListenOptions,
} from './transport.ts'

/**
 * A request and its answer, from the first byte of one to the last of the other. `resolve` passes its response.
 */
export type Exchange<Wire> = Waiter<HttpResponse> & {
  readonly traffic: Traffic<Wire>
  /** Where the answer is written. Null once the exchange has ended: the wire must not be touched after that. */
  wire: Wire | null
  request: RequestOf<Wire>
  /** What the exchange waits for, if that has a time limit. */
  waitsFor: Deadlines<Exchange<Wire>> | null
  /** Whether the answer closes the connection. */
  closes: boolean
  /** The status to refuse with once the body has been read; 0 for none. */
  refusal: number
  bodyBytes: number
  /** The body, as far as it has come. */
  chunks: Buffer[]
  response: HttpResponse | null
  /** Resumes a stream that waits for room on the wire. */
  onRoom: () => void
}

/** The transport fills in everything but `body` and `remoteAddress`. */
export type RequestOf<Wire> = {
  -readonly [field in Exclude<keyof HttpRequest, 'remoteAddress'>]: HttpRequest[field]
} & {
  readonly remoteAddress: string
  [exchangeOf]: Exchange<Wire>
}

/** The exchanges of one listener. */
export type Traffic<Wire> = {
  readonly options: ListenOptions
  readonly connections: Connections<Wire>
  readonly bodies: Deadlines<Exchange<Wire>>
  readonly answers: Deadlines<Exchange<Wire>>
  readonly stalls: Deadlines<Exchange<Wire>>
  /** The most bytes of a body to read, even of a refused one. */
  readonly bytesMax: number
  /** Called at the end of the turn of the event loop: requests are handled and answers written in batches. */
  readonly onTurnEnd: () => void
  isTurnEnding: boolean
  /** The complete requests of this turn. */
  completed: Exchange<Wire>[]
  /** The responses of this turn. */
  answered: Exchange<Wire>[]
  inFlight: number
  /** The streams that do not end by themselves. */
  readonly endless: Set<BodyStream>
  /** Called once nothing is in flight; null until the listener closes. */
  onDrained: (() => void) | null
}

/** The operations of a transport on a connection. */
export type Connections<Wire> = {
  /** The address of the peer. */
  readonly addressOf: (wire: Wire) => string
  /**
   * Throws before the first byte is written, or not at all. Returns whether the exchange has ended with it; otherwise the
   * transport calls `end` once the answer has left.
   */
  readonly send: (exchange: Exchange<Wire>, response: HttpResponse, closes: boolean) => boolean
  /** Whether a whole body of this size would lose its end when its connection closes behind it: it is streamed instead. */
  readonly losesEnd: (bytes: number) => boolean
  /** Writes the head of an answer that is streamed. */
  readonly start: (wire: Wire, response: HttpResponse, closes: boolean) => void
  /** Writes a piece. Returns whether there is room for more; if not, `onRoom` is called once there is. */
  readonly write: (wire: Wire, piece: string | Buffer, onRoom: () => void) => boolean
  /** Ends a stream after its last piece. */
  readonly finish: (wire: Wire, closes: boolean) => void
  /** Whether `send` may be called while a request is being read, and nothing behind its last answer is read any more. */
  readonly answersWhileReading: boolean
  /** Closes the connection without an answer. */
  readonly cut: (wire: Wire) => void
  /**
   * Whether `100 Continue` is already waiting to be written for a request. It leaves with whatever is answered, and not at all if the
   * connection is cut.
   */
  readonly hasInvited: (request: Pick<HttpRequest, 'headers'>) => boolean
  /** Whether the parser can miss headers, including those that delimit the body. */
  readonly overlooksHeaders: boolean
  /** Whether the parser ignores the bytes between chunks and after the last one. */
  readonly misreadsChunks: boolean
}

/** Leads from a request to its exchange. A symbol, so that logging a request does not print the exchange. */
export const exchangeOf = Symbol('exchange')

/** Has an exchange wait for something that has a time limit, or for nothing. */
export const wait = <Wire>(exchange: Exchange<Wire>, next: Deadlines<Exchange<Wire>> | null): void => {
  exchange.waitsFor?.remove(exchange)
  exchange.waitsFor = next
  next?.add(exchange)
}

/** Ends an exchange whose client does not take its answer, and says so. */
export const cutStalled = <Wire>(exchange: Exchange<Wire>): void => {
  exchange.traffic.options.onCut('unread', exchange.request)
  dropExchange(exchange)
}

/** Ends an exchange, and cuts its connection. */
export const dropExchange = <Wire>(exchange: Exchange<Wire>): void => {
  const { wire, traffic } = exchange
  endExchange(exchange)
  if (wire !== null) traffic.connections.cut(wire)
}

/** Ends an exchange whose answer is written, or whose connection is gone. May be called twice. */
export const endExchange = <Wire>(exchange: Exchange<Wire>): void => {
  if (exchange.wire === null) return
  const { traffic } = exchange
  exchange.wire = null
  const body = exchange.response?.body
  if (body && isStream(body) && traffic.endless.delete(body)) body.end?.()
  // The native library keeps the exchange until the next request of its connection: long enough to move all that
  // it holds to V8's old generation, where only a major collection frees it.
  if (exchange.response !== null) exchange.request = noRequest as RequestOf<Wire>
  exchange.response = null
  exchange.onRoom()
  wait(exchange, null)
  traffic.inFlight -= 1
  if (traffic.inFlight === 0 && traffic.onDrained !== null) setImmediate(traffic.onDrained)
}

/** From now on every answer closes its connection. Resolves when nothing is in flight, or after `graceMs`. */
export const drainTraffic = <Wire>(traffic: Traffic<Wire>, graceMs: number): Promise<void> =>
  new Promise((resolve) => {
    const drained = (): void => {
      clearTimeout(timer)
      traffic.bodies.stop()
      traffic.answers.stop()
      traffic.stalls.stop()
      resolve()
    }
    const timer = setTimeout(drained, graceMs)
    traffic.onDrained = drained
    for (const stream of traffic.endless) stream.end?.()
    if (traffic.inFlight === 0) drained()
  })

/** The headers and the body of a request that has none. */
export const noHeaders: HttpRequest['headers'] = Object.freeze(Object.create(null))
export const noRepetition: readonly string[] = Object.freeze([])
export const noBody = Buffer.alloc(0)

/** Replaces a request that was answered. */
const noRequest = Object.freeze({
  verb: '',
  path: '',
  query: '',
  headers: noHeaders,
  repeatedHeaders: noRepetition,
  body: noBody,
  remoteAddress: '',
}) as unknown as RequestOf<unknown>
