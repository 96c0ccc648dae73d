import type { Waiter } from '../../engine/kernel/handler.ts'
import { type Deadlines, openDeadlines } from './deadlines.ts'
import { announcedBytes, drainBytesMax, framingOf, refusalByHead } from './request-head.ts'
import {
  type BodyStream,
  type HttpRequest,
  type HttpResponse,
  isStream,
  type ListenOptions,
} from './transport.ts'

/** A request and its answer, from the first byte of the one to the last of the other. It is told its response. */
export type Exchange<Wire> = Waiter<HttpResponse> & {
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
type RequestOf<Wire> = {
  -readonly [field in Exclude<keyof HttpRequest, 'remoteAddress'>]: HttpRequest[field]
} & {
  readonly remoteAddress: string
  [exchangeOf]: Exchange<Wire>
}

/** What a transport does with a connection. */
export type Connections<Wire> = {
  /** The address of the peer. */
  readonly addressOf: (wire: Wire) => string
  /**
   * Throws before the first byte is written, or not at all. Returns whether the exchange has ended with it; otherwise the
   * transport calls `end` once the answer has left.
   */
  readonly send: (wire: Wire, verb: string, response: HttpResponse, closes: boolean) => boolean
  /** Writes the head of an answer that is streamed. */
  readonly start: (wire: Wire, response: HttpResponse, closes: boolean) => void
  /** Writes a piece. Returns whether there is room for more; if not, `onRoom` is called once there is. */
  readonly write: (wire: Wire, piece: string | Buffer, onRoom: () => void) => boolean
  /** Ends a stream after its last piece. */
  readonly finish: (wire: Wire, closes: boolean) => void
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

export type Exchanges<Wire> = {
  readonly open: (wire: Wire) => Exchange<Wire>
  /** Takes the head, once the request is filled in up to its body. Returns whether a body is to be read. */
  readonly readHead: (exchange: Exchange<Wire>, headerBytes: number) => boolean
  /**
   * Takes a chunk of the body, and copies it if needed. The body's time limit starts with the first chunk, which may be empty.
   */
  readonly readChunk: (exchange: Exchange<Wire>, chunk: Uint8Array, isLast: boolean) => void
  readonly fault: (exchange: Exchange<Wire>, error: unknown) => void
  /** Ends an exchange whose answer is written, or whose connection is gone. May be called twice. */
  readonly end: (exchange: Exchange<Wire>) => void
  /** From now on every answer closes its connection. Resolves when nothing is in flight, or after `graceMs`. */
  readonly drain: (graceMs: number) => Promise<void>
}

/**
 * The exchanges of one listener: everything but the wire itself. Nothing here throws, because a throw into native code ends the
 * process. Two rules keep a smuggled second request from being served (security, 3.4):
 *
 * - A request is handled in a later turn of the event loop than the one in which it was read. Further bytes of the same read then
 *   meet an exchange without an answer, and the transport closes the connection, the native one before anything is done. Clients
 *   that pipeline are disconnected, too.
 * - If the end of a body is in doubt, its answer closes the connection, so that later bytes are not served either.
 *
 * Requests of one turn are handled together and answers written together: between system calls the caches are cold, and
 * taking turns with them made the same work a tenth slower.
 */
export const openExchanges = <Wire>(
  { handle, refuse, onFault, limits }: ListenOptions,
  connections: Connections<Wire>,
): Exchanges<Wire> => {
  const bodies = openDeadlines<Exchange<Wire>>(limits.bodyTimeoutMs, (late) => answerRefusal(late, 408))
  const answers = openDeadlines<Exchange<Wire>>(limits.answerTimeoutMs, (late) => answerRefusal(late, 503))
  const stalls = openDeadlines<Exchange<Wire>>(limits.stallTimeoutMs, drop)
  const bytesMax = drainBytesMax(limits)
  let inFlight = 0
  /** The streams that do not end by themselves. */
  const endless = new Set<BodyStream>()
  let drained: (() => void) | null = null
  /** Requests are handled and answers written in batches, at the end of a turn of the event loop. */
  let gathering = false
  let completed: Exchange<Wire>[] = []
  let answered: Exchange<Wire>[] = []

  /** Read only when asked for: in the native transport it costs as much as all the headers. Empty once the exchange has ended. */
  const withAddress = {
    get remoteAddress(): string {
      const { wire } = (this as unknown as RequestOf<Wire>)[exchangeOf]
      return wire === null ? '' : connections.addressOf(wire)
    },
  }

  class Opened implements Exchange<Wire> {
    wire: Wire | null
    request: RequestOf<Wire>
    waitsFor: Deadlines<Exchange<Wire>> | null = null
    closes = false
    refusal = 0
    bodyBytes = 0
    chunks: Buffer[] = []
    response: HttpResponse | null = null
    onRoom = noWaiter

    constructor(wire: Wire, request: RequestOf<Wire>) {
      this.wire = wire
      this.request = request
    }

    resolve(response: HttpResponse): void {
      answer(this, response)
    }

    reject(error: unknown): void {
      fault(this, error)
    }
  }

  return { open, readHead, readChunk, fault, end, drain }

  function open(wire: Wire): Exchange<Wire> {
    inFlight += 1
    const request: RequestOf<Wire> = Object.create(withAddress)
    request.verb = ''
    request.path = ''
    request.query = ''
    request.headers = noHeaders
    request.repeatedHeaders = noRepetition
    request.body = noBody
    const exchange = new Opened(wire, request)
    request[exchangeOf] = exchange
    return exchange
  }

  function readHead(exchange: Exchange<Wire>, headerBytes: number): boolean {
    const { request } = exchange
    const framing = framingOf(request)
    if (framing === 'BROKEN') {
      drop(exchange)
      return false
    }
    exchange.refusal ||= refusalByHead(request, headerBytes, framing, limits)
    const bytes = announcedBytes(framing, request)
    // If a body might end elsewhere than it seems, the rest of it would be read as the next request.
    exchange.closes =
      framing === 'CHUNKED' ? connections.misreadsChunks : connections.overlooksHeaders && bytes === 0
    // A client that asks whether to send its body is told right away that it need not.
    const isNotSent = exchange.refusal !== 0 && request.headers.expect !== undefined
    if (isNotSent && connections.hasInvited(request)) {
      drop(exchange)
      return false
    }
    if (bytes === 0 || isNotSent || (framing === 'LENGTH' && bytes > bytesMax)) {
      complete(exchange)
      return false
    }
    return true
  }

  function readChunk(exchange: Exchange<Wire>, chunk: Uint8Array, isLast: boolean): void {
    if (exchange.wire === null || exchange.response !== null) return
    exchange.bodyBytes += chunk.length
    if (exchange.bodyBytes > limits.bodyBytesMax) exchange.refusal ||= 413
    const { chunks } = exchange
    if (exchange.refusal === 0 && chunk.length > 0) chunks.push(Buffer.from(chunk))
    if (!isLast && exchange.bodyBytes <= bytesMax) {
      if (exchange.waitsFor === null) wait(exchange, bodies)
      return
    }
    exchange.request.body = chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)
    exchange.chunks = noChunks
    complete(exchange)
  }

  /** Queues a request that is complete, or has been read as far as it will be. */
  function complete(exchange: Exchange<Wire>): void {
    if (exchange.refusal !== 0) {
      answerRefusal(exchange, exchange.refusal)
    } else {
      completed.push(exchange)
      gather()
    }
  }

  function run(exchange: Exchange<Wire>): void {
    wait(exchange, null)
    try {
      handle(exchange.request, exchange)
    } catch (error) {
      fault(exchange, error)
    }
    if (exchange.response === null && exchange.wire !== null) wait(exchange, answers)
  }

  /** Refusals close the connection, because bytes are left unread or in doubt; only a late answer's does not. */
  function answerRefusal(exchange: Exchange<Wire>, status: number): void {
    exchange.closes ||= status !== 503
    try {
      answer(exchange, refuse(status, exchange.request))
    } catch (error) {
      fault(exchange, error)
    }
  }

  function fault(exchange: Exchange<Wire>, error: unknown): void {
    try {
      onFault(error, exchange.request)
      answer(exchange, refuse(500, exchange.request))
    } catch {
      // This time `onFault` or `refuse` itself has failed, and there is nothing left to report to.
      drop(exchange)
    }
  }

  function answer(exchange: Exchange<Wire>, response: HttpResponse): void {
    const { body } = response
    if (exchange.wire === null || exchange.response !== null) {
      if (isStream(body)) body.end?.()
      return
    }
    wait(exchange, null)
    exchange.response = response
    if (isStream(body) && body.end !== undefined) {
      endless.add(body)
      if (drained !== null) body.end()
    }
    answered.push(exchange)
    gather()
  }

  function gather(): void {
    if (gathering) return
    gathering = true
    setImmediate(endTurn)
  }

  function endTurn(): void {
    const requests = completed
    completed = []
    for (const exchange of requests) if (exchange.wire !== null) run(exchange)
    gathering = false
    const answers = answered
    answered = []
    for (const exchange of answers) write(exchange)
  }

  function write(exchange: Exchange<Wire>): void {
    const { wire, request, response } = exchange
    if (wire === null) return
    const closes = exchange.closes || drained !== null
    try {
      if (isStream(response!.body) && request.verb !== 'HEAD') {
        void stream(exchange, response!.body, closes)
        return
      }
      if (connections.send(wire, request.verb, response!, closes)) end(exchange)
    } catch (error) {
      try {
        onFault(error, request)
        if (connections.send(wire, request.verb, refuse(500, request), closes)) end(exchange)
      } catch {
        drop(exchange)
      }
    }
  }

  /**
   * Streams a body: each piece is made when the client has taken the one before, until the last, or until the client stops
   * reading.
   */
  async function stream(exchange: Exchange<Wire>, body: BodyStream, closes: boolean): Promise<void> {
    try {
      connections.start(exchange.wire!, exchange.response!, closes)
      for (let piece = await body.next(); piece !== null; piece = await body.next()) {
        if (exchange.wire === null) return
        const room = new Promise<void>((resolve) => {
          exchange.onRoom = resolve
        })
        if (!connections.write(exchange.wire, piece, exchange.onRoom)) {
          wait(exchange, stalls)
          await room
          wait(exchange, null)
        }
        if (exchange.wire === null) return
      }
      if (exchange.wire === null) return
      connections.finish(exchange.wire, closes)
      end(exchange)
    } catch (error) {
      // The head has left, so only a cut connection can still say that the body is incomplete.
      onFault(error, exchange.request)
      drop(exchange)
    }
  }

  function drop(exchange: Exchange<Wire>): void {
    const { wire } = exchange
    end(exchange)
    if (wire !== null) connections.cut(wire)
  }

  function end(exchange: Exchange<Wire>): void {
    if (exchange.wire === null) return
    exchange.wire = null
    const body = exchange.response?.body
    if (body && isStream(body) && endless.delete(body)) body.end?.()
    // The native library keeps the exchange until the next request of its connection: long enough for all that it holds to be promoted, and to
    // be freed by the collection of the old generation alone.
    if (exchange.response !== null) exchange.request = noRequest as RequestOf<Wire>
    exchange.response = null
    exchange.onRoom()
    wait(exchange, null)
    inFlight -= 1
    if (inFlight === 0 && drained !== null) setImmediate(drained)
  }

  function drain(graceMs: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => drained?.(), graceMs)
      drained = () => {
        clearTimeout(timer)
        bodies.stop()
        answers.stop()
        stalls.stop()
        resolve()
      }
      for (const stream of endless) stream.end?.()
      if (inFlight === 0) drained()
    })
  }
}

/** Leads from a request to its exchange. A symbol, so that logging a request does not print the exchange. */
const exchangeOf = Symbol('exchange')

const wait = <Wire>(exchange: Exchange<Wire>, next: Deadlines<Exchange<Wire>> | null): void => {
  exchange.waitsFor?.remove(exchange)
  exchange.waitsFor = next
  next?.add(exchange)
}

const noWaiter = (): void => {}
const noHeaders: HttpRequest['headers'] = Object.freeze(Object.create(null))
export const noRepetition: readonly string[] = Object.freeze([])
const noBody = Buffer.alloc(0)
const noChunks: Buffer[] = Object.freeze([]) as never
/** In the place of a request that was answered. */
const noRequest = Object.freeze({
  verb: '',
  path: '',
  query: '',
  headers: noHeaders,
  repeatedHeaders: noRepetition,
  body: noBody,
  remoteAddress: '',
}) as unknown as RequestOf<unknown>
