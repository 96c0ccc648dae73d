import { connect, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { passOn, type Waiter } from '../../../engine/kernel/handler.ts'
import { standingHeaders } from '../../../gateway/wire/standing-headers.ts'
import type {
  CutReason,
  Handle,
  HttpRequest,
  HttpResponse,
  Listener,
  ListenOptions,
  Transport,
} from '../../../gateway/wire/transport.ts'

export type Server = {
  readonly listener: Listener
  readonly port: number
  /** Every request that reached the handler, as `VERB path`. */
  readonly seen: readonly string[]
  readonly requests: readonly HttpRequest[]
  /** Who waits for the answer of each. */
  readonly waiters: readonly Waiter<HttpResponse>[]
  readonly faults: readonly unknown[]
  readonly cuts: readonly CutReason[]
}

/** A handler that returns its answer. */
export type Answers = (request: HttpRequest) => HttpResponse | Promise<HttpResponse>

/** The same handler, for a transport. */
export const telling =
  (answer: Answers): Handle =>
  (request, to) => {
    const response = answer(request)
    if (response instanceof Promise) passOn(response, to)
    else to.resolve(response)
  }

export type ServeOptions = Partial<Omit<ListenOptions, 'handle'>> & { readonly handle?: Answers }

/** A listener with small limits, so that nothing has to be large or slow to pass them. */
export const serve = async (transport: Transport, options: ServeOptions = {}): Promise<Server> => {
  const seen: string[] = []
  const requests: HttpRequest[] = []
  const waiters: Waiter<HttpResponse>[] = []
  const faults: unknown[] = []
  const cuts: CutReason[] = []
  const { handle = echo, limits, ...rest } = options
  const listener = await transport({
    host: '127.0.0.1',
    port: 0,
    sharedPort: false,
    refuse: (status) => ({ status, headers: { 'Content-Type': 'text/plain' }, body: `refused ${status}` }),
    onFault: (error) => faults.push(error),
    onCut: (reason) => cuts.push(reason),
    standing: standingHeaders({ secure: false }),
    ...rest,
    handle: (request, to) => {
      waiters.push(to)
      seen.push(`${request.verb} ${request.path}`)
      requests.push(request)
      telling(handle)(request, to)
    },
    limits: {
      urlBytesMax: 200,
      headerBytesMax: 1000,
      bodyBytesMax: 2000,
      bodyTimeoutMs: 300,
      answerTimeoutMs: 5000,
      stallTimeoutMs: 5000,
      idleTimeoutMs: 12_000,
      ...limits,
    },
  })
  return { listener, port: listener.port, seen, requests, waiters, faults, cuts }
}

export const echo = (request: HttpRequest): HttpResponse => ({
  status: 200,
  headers: { 'Content-Type': 'text/plain' },
  body: `${request.verb} ${request.path} ${request.body.toString('latin1')}`,
})

export type Answer = {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

export type Client = {
  readonly send: (bytes: string | Buffer) => void
  /** Resolves when all that was sent has left. */
  readonly hasLeft: () => Promise<void>
  /** The next answer; rejects when the connection closes before it is whole. */
  readonly answer: (verb?: string) => Promise<Answer>
  /** Resolves when the server closes the connection, with what it had sent and nobody read. */
  readonly closed: Promise<string>
  /** Reads nothing until `resume`. */
  readonly pause: () => void
  readonly resume: () => void
  readonly destroy: () => void
}

/** An HTTP client that takes nothing for granted: bytes out, bytes in. */
export const client = (port: number, host = '127.0.0.1'): Client => clientOver(connect(port, host))

export const clientOver = (socket: Socket): Client => {
  let received = ''
  let isClosed = false
  let wake = (): void => {}
  const closed = new Promise<string>((resolve) => {
    socket.on('close', () => {
      isClosed = true
      wake()
      resolve(received)
    })
  })
  socket.on('data', (bytes: Buffer) => {
    received += bytes.toString('latin1')
    wake()
  })
  // A reset is one way to close.
  socket.on('error', () => {})
  return {
    send: (bytes) => void (typeof bytes === 'string' ? socket.write(bytes, 'latin1') : socket.write(bytes)),
    hasLeft: () => new Promise((resolve) => void socket.write('', () => resolve())),
    answer: async (verb = 'GET') => {
      for (;;) {
        const read = readAnswer(received, verb)
        if (read !== null) {
          received = received.slice(read.length)
          return read.answer
        }
        if (isClosed) throw new Error(`closed after ${JSON.stringify(received)}`)
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      }
    },
    closed,
    pause: () => void socket.pause(),
    resume: () => void socket.resume(),
    destroy: () => socket.destroy(),
  }
}

const readAnswer = (text: string, verb: string): { answer: Answer; length: number } | null => {
  const end = text.indexOf('\r\n\r\n')
  if (end < 0) return null
  const [statusLine, ...lines] = text.slice(0, end).split('\r\n')
  const headers = Object.fromEntries(
    lines.map((line) => [
      line.slice(0, line.indexOf(': ')).toLowerCase(),
      line.slice(line.indexOf(': ') + 2),
    ]),
  )
  const status = Number(statusLine!.split(' ')[1])
  if (headers['transfer-encoding'] === 'chunked' && verb !== 'HEAD') {
    const chunked = readChunks(text, end + 4)
    return chunked && { answer: { status, headers, body: chunked.body }, length: chunked.end }
  }
  const bytes = verb === 'HEAD' ? 0 : Number(headers['content-length'] ?? 0)
  const length = end + 4 + bytes
  if (text.length < length) return null
  return { answer: { status, headers, body: text.slice(end + 4, length) }, length }
}

/** The chunks of a body that begins at a place, and where they end; null if they are not whole (RFC 9112, section 7.1). */
const readChunks = (text: string, start: number): { readonly body: string; readonly end: number } | null => {
  let body = ''
  for (let at = start; ; ) {
    const lineEnd = text.indexOf('\r\n', at)
    if (lineEnd < 0) return null
    const size = Number.parseInt(text.slice(at, lineEnd), 16)
    const end = lineEnd + 2 + size
    if (text.length < end + 2) return null
    if (size === 0) {
      // Trailers end with an empty line.
      const trailersEnd = text.indexOf('\r\n\r\n', lineEnd)
      return trailersEnd < 0 ? null : { body, end: trailersEnd + 4 }
    }
    body += text.slice(lineEnd + 2, end)
    at = end + 2
  }
}

/** What came of a connection: the statuses of its answers, and whether the server closed it. */
export type Outcome = { readonly statuses: readonly number[]; readonly closed: boolean }

/**
 * Sends the parts, each after the first when the one before it was answered, and the pieces of a part one by one. Waits until the server closes, where that
 * is expected; otherwise for the expected answers and then a little, for what should not come.
 */
export const outcomeOf = async (
  port: number,
  parts: readonly (string | readonly string[])[],
  expected: Outcome,
  isSecure = false,
): Promise<Outcome> => {
  const { send, hasLeft, answer, closed, destroy } = isSecure
    ? clientOver(connectTls({ port, host: '127.0.0.1', rejectUnauthorized: false }))
    : client(port)
  const statuses: number[] = []
  const pieces = parts.map((part) => (typeof part === 'string' ? [part] : part))
  const sendPart = async ([first, ...others]: readonly string[]): Promise<void> => {
    send(first!)
    for (const piece of others) {
      await hasLeft()
      await sleep(pieceMs)
      // On a busy machine the time is over before the event loop has looked for what came.
      await new Promise<void>((resolve) => setImmediate(resolve))
      await new Promise<void>((resolve) => setImmediate(resolve))
      send(piece)
    }
  }
  const read = async (): Promise<void> => {
    const verb = pieces[Math.min(statuses.length, pieces.length - 1)]![0]!.split(' ')[0]!
    statuses.push((await answer(verb)).status)
  }
  const isClosed = closed.then(() => true)
  const within = (ms: number) =>
    Promise.race([isClosed, new Promise<boolean>((resolve) => setTimeout(resolve, ms, false).unref())])
  const reading = (async () => {
    await sendPart(pieces[0]!)
    for (const part of pieces.slice(1)) {
      await read()
      await sendPart(part)
    }
    for (;;) await read()
  })().catch(() => {})
  const wait = async (): Promise<boolean> => {
    if (expected.closed) return within(closeMs)
    const deadline = Date.now() + closeMs
    while (statuses.length < expected.statuses.length && Date.now() < deadline && !(await within(10)));
    return within(silenceMs)
  }
  const outcome = { closed: await wait(), statuses }
  destroy()
  await reading
  return outcome
}

export const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

/** Long enough for a piece to be read alone, mostly; where it is not, that is one packet. */
const pieceMs = 20
const silenceMs = 150
const closeMs = 5000
