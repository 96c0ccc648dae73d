import { openDeadlines } from '../base/deadlines.ts'
import { announcedBytes, drainBytesMax, framingOf, refusalByHead } from './request-head.ts'
import {
  type Connections,
  cutStalled,
  dropExchange,
  type Exchange,
  endExchange,
  exchangeOf,
  noBody,
  noHeaders,
  noRepetition,
  type RequestOf,
  type Traffic,
  wait,
} from './traffic.ts'
import { type BodyStream, type HttpResponse, isStream, type ListenOptions } from './transport.ts'

/**
 * Opens the traffic of one listener: everything but the wire itself. Nothing here throws, because a throw into native code ends the
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
export const openTraffic = <Wire>(options: ListenOptions, connections: Connections<Wire>): Traffic<Wire> => {
  const { limits } = options
  const traffic: Traffic<Wire> = {
    options,
    connections,
    bodies: openDeadlines(limits.bodyTimeoutMs, (late) => answerRefusal(late, 408)),
    answers: openDeadlines(limits.answerTimeoutMs, (late) => answerRefusal(late, 503)),
    stalls: openDeadlines(limits.stallTimeoutMs, cutStalled),
    bytesMax: drainBytesMax(limits),
    onTurnEnd: () => endTurn(traffic),
    isTurnEnding: false,
    completed: [],
    answered: [],
    inFlight: 0,
    endless: new Set(),
    onDrained: null,
  }
  return traffic
}

/** Opens an exchange over a wire whose request has begun. */
export const openExchange = <Wire>(traffic: Traffic<Wire>, wire: Wire): Exchange<Wire> => {
  traffic.inFlight += 1
  const request: RequestOf<Wire> = Object.create(withAddress)
  request.verb = ''
  request.path = ''
  request.query = ''
  request.headers = noHeaders
  request.repeatedHeaders = noRepetition
  request.body = noBody
  const exchange = new Opened(traffic, wire, request)
  request[exchangeOf] = exchange
  return exchange
}

/** Read only when asked for: in the native transport it costs as much as all the headers. Empty once the exchange has ended. */
const withAddress = {
  get remoteAddress(): string {
    const { wire, traffic } = (this as unknown as RequestOf<unknown>)[exchangeOf]
    return wire === null ? '' : traffic.connections.addressOf(wire)
  },
}

class Opened<Wire> implements Exchange<Wire> {
  readonly traffic: Traffic<Wire>
  wire: Wire | null
  request: RequestOf<Wire>
  waitsFor: Exchange<Wire>['waitsFor'] = null
  closes = false
  refusal = 0
  bodyBytes = 0
  chunks: Buffer[] = []
  response: HttpResponse | null = null
  onRoom = noWaiter

  constructor(traffic: Traffic<Wire>, wire: Wire, request: RequestOf<Wire>) {
    this.traffic = traffic
    this.wire = wire
    this.request = request
  }

  resolve(response: HttpResponse): void {
    answer(this, response)
  }

  reject(error: unknown): void {
    failExchange(this, error)
  }

  hasLeft(): boolean {
    return this.wire === null
  }
}

const noWaiter = (): void => {}
const noChunks: Buffer[] = Object.freeze([]) as never

/** Takes the head, once the request is filled in up to its body. Returns whether a body is to be read. */
export const readHead = <Wire>(exchange: Exchange<Wire>, headerBytes: number): boolean => {
  const { request, traffic } = exchange
  const { connections, bytesMax } = traffic
  const framing = framingOf(request)
  if (framing === 'BROKEN') {
    refuseAtOnce(exchange, 400)
    return false
  }
  exchange.refusal ||= refusalByHead(request, headerBytes, framing, traffic.options.limits)
  const bytes = announcedBytes(framing, request)
  // If a body might end elsewhere than it seems, the rest of it would be read as the next request.
  exchange.closes =
    framing === 'CHUNKED' ? connections.misreadsChunks : connections.overlooksHeaders && bytes === 0
  // A client that asks whether to send its body is told right away that it need not.
  const isNotSent = exchange.refusal !== 0 && request.headers.expect !== undefined
  if (isNotSent && connections.hasInvited(request)) {
    dropExchange(exchange)
    return false
  }
  if (bytes === 0 || isNotSent || (framing === 'LENGTH' && bytes > bytesMax)) {
    complete(exchange)
    return false
  }
  return true
}

/** Takes a chunk of the body, and copies it if needed. The body's time limit starts with the first chunk, which may be empty. */
export const readChunk = <Wire>(exchange: Exchange<Wire>, chunk: Uint8Array, isLast: boolean): void => {
  if (exchange.wire === null || exchange.response !== null) return
  const { options, bodies, bytesMax } = exchange.traffic
  exchange.bodyBytes += chunk.length
  if (exchange.bodyBytes > options.limits.bodyBytesMax) exchange.refusal ||= 413
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
const complete = <Wire>(exchange: Exchange<Wire>): void => {
  if (exchange.refusal !== 0) answerRefusal(exchange, exchange.refusal)
  else {
    exchange.traffic.completed.push(exchange)
    gather(exchange.traffic)
  }
}

const run = <Wire>(exchange: Exchange<Wire>): void => {
  const { options, answers } = exchange.traffic
  wait(exchange, null)
  try {
    options.handle(exchange.request, exchange)
  } catch (error) {
    failExchange(exchange, error)
  }
  if (exchange.response === null && exchange.wire !== null) wait(exchange, answers)
}

/** Refusals close the connection, because bytes are left unread or in doubt; only a late answer's does not. */
const answerRefusal = <Wire>(exchange: Exchange<Wire>, status: number): void => {
  exchange.closes ||= status !== 503
  try {
    answer(exchange, exchange.traffic.options.refuse(status, exchange.request))
  } catch (error) {
    failExchange(exchange, error)
  }
}

/** Refuses a request of which nothing more may be read: whatever follows its head could be taken for another request. */
const refuseAtOnce = <Wire>(exchange: Exchange<Wire>, status: number): void => {
  const { request, traffic } = exchange
  const { connections, options } = traffic
  try {
    if (!connections.answersWhileReading) dropExchange(exchange)
    else if (connections.send(exchange, options.refuse(status, request), true)) endExchange(exchange)
  } catch {
    dropExchange(exchange)
  }
}

/** Reports a fault, and answers 500. */
export const failExchange = <Wire>(exchange: Exchange<Wire>, error: unknown): void => {
  const { onFault, refuse } = exchange.traffic.options
  try {
    onFault(error, exchange.request)
    answer(exchange, refuse(500, exchange.request))
  } catch {
    // This time `onFault` or `refuse` itself has failed, and there is nothing left to report to.
    dropExchange(exchange)
  }
}

const answer = <Wire>(exchange: Exchange<Wire>, response: HttpResponse): void => {
  const { body } = response
  if (exchange.wire === null || exchange.response !== null) {
    if (isStream(body)) body.end?.()
    return
  }
  const { traffic } = exchange
  wait(exchange, null)
  exchange.response = response
  if (isStream(body) && body.end !== undefined) {
    traffic.endless.add(body)
    if (traffic.onDrained !== null) body.end()
  }
  traffic.answered.push(exchange)
  gather(traffic)
}

const gather = <Wire>(traffic: Traffic<Wire>): void => {
  if (traffic.isTurnEnding) return
  traffic.isTurnEnding = true
  setImmediate(traffic.onTurnEnd)
}

const endTurn = <Wire>(traffic: Traffic<Wire>): void => {
  const { completed } = traffic
  traffic.completed = []
  for (const exchange of completed) if (exchange.wire !== null) run(exchange)
  traffic.isTurnEnding = false
  const { answered } = traffic
  traffic.answered = []
  for (const exchange of answered) write(exchange)
}

const write = <Wire>(exchange: Exchange<Wire>): void => {
  const { wire, request, response, traffic } = exchange
  if (wire === null) return
  const { connections } = traffic
  const closes = exchange.closes || traffic.onDrained !== null
  try {
    const { body } = response!
    const streamed = isStream(body)
      ? body
      : closes && body !== null && connections.losesEnd(body.length)
        ? inPieces(body)
        : null
    if (streamed !== null && request.verb !== 'HEAD') {
      void stream(exchange, streamed, closes)
      return
    }
    if (connections.send(exchange, response!, closes)) endExchange(exchange)
  } catch (error) {
    const { onFault, refuse } = traffic.options
    try {
      onFault(error, request)
      if (connections.send(exchange, refuse(500, request), closes)) endExchange(exchange)
    } catch {
      dropExchange(exchange)
    }
  }
}

/** A whole body as a stream. */
const inPieces = (whole: string | Buffer): BodyStream => {
  const bytes = Buffer.from(whole as string)
  let at = 0
  return {
    next: async () => {
      if (at >= bytes.length) return null
      at += pieceBytes
      return bytes.subarray(at - pieceBytes, at)
    },
  }
}

const pieceBytes = 64 * 1024

/**
 * Streams a body: each piece is made when the client has taken the one before, until the last, or until the client stops
 * reading.
 */
const stream = async <Wire>(exchange: Exchange<Wire>, body: BodyStream, closes: boolean): Promise<void> => {
  const { connections, stalls, options } = exchange.traffic
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
    endExchange(exchange)
  } catch (error) {
    // The head has left, so only a cut connection can still say that the body is incomplete.
    options.onFault(error, exchange.request)
    dropExchange(exchange)
  }
}
