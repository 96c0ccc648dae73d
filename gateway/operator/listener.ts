import { timingSafeEqual } from 'node:crypto'
import { renameSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { ShardUnavailable } from '../../engine/kernel/unavailable.ts'
import { bounds } from '../base/bounds.ts'
import { operatorAsks } from '../identity/asked.ts'
import type { Operations } from '../operations/input.ts'
import { problemStatus } from '../problems/catalogue.ts'
import { OperationRefusal } from '../problems/refusal.ts'
import { answerInLines, type LongOperations } from './long-operations.ts'

/**
 * The admin listener: on the loopback only, and only for those who can read the token file in the data directory. Metrics can
 * also be read with a token of their own, which gives access to nothing else.
 */
export type AdminListener = { readonly port: number; readonly close: () => Promise<void> }

/** The file that holds the listener's port and token. */
export const adminFile = (dataDir: string): string => join(dataDir, 'admin.json')

export type AdminOptions = {
  readonly port: number
  readonly dataDir: string
  readonly token: string
  /** Null if there is none. */
  readonly metricsToken: () => string | null
  readonly operations: Operations
  readonly longOperations: LongOperations
  readonly metrics: () => Promise<string>
  readonly onFault: (error: unknown) => void
}

/**
 * Opens the listener. `POST /<command>` with a JSON object answers the operation's result, and `GET /metrics` the Prometheus
 * page; anything else gets a problem (RFC 9457). Port and token are in `admin.json`, readable only by the service's user.
 */
export const openAdminListener = async (options: AdminOptions): Promise<AdminListener> => {
  const timeouts = { requestTimeout: bounds.bodyTimeoutMs, connectionsCheckingInterval: 1000 }
  const server = createServer(timeouts, (request, response) => {
    answer(options, request, response)
      .catch((error: unknown) => {
        if (error instanceof Problem) return error.answer
        // The client has gone.
        if (!request.complete) return problem(400, 'BAD_REQUEST', 'the request ended early')
        options.onFault(error)
        return problem(500, 'INTERNAL_ERROR', 'this is our fault; the log of the service says more')
      })
      .then((answered) => {
        if (answered === null) return
        const { status, headers, body } = answered
        response.writeHead(status, { ...headers, 'Cache-Control': 'no-store' }).end(body)
      })
  })
  await listen(server, options.port)
  const { port } = server.address() as AddressInfo
  writeAdminFile(options.dataDir, { port, token: options.token, pid: process.pid })
  return {
    port,
    close: async () => {
      rmSync(adminFile(options.dataDir), { force: true })
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** Null if the answer was already written, line by line. */
const answer = async (
  options: AdminOptions,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<Answer | null> => {
  // Guards against DNS rebinding: a browser that was lured here by some name sends that name.
  if (!isOurs(request)) throw new Problem(403, 'WRONG_HOST', 'ask 127.0.0.1 or localhost')
  const isOperator = isSentBy(request, options.token)
  const metricsToken = isOperator ? null : options.metricsToken()
  if (!isOperator && (metricsToken === null || !isSentBy(request, metricsToken)))
    throw new Problem(
      401,
      'UNAUTHORIZED',
      'send the token of admin.json as "Authorization: Bearer <token>"',
      { 'WWW-Authenticate': 'Bearer' },
    )
  const { method, url = '/' } = request
  if (url === '/metrics') {
    if (method !== 'GET') throw new Problem(405, 'METHOD_NOT_ALLOWED', 'only GET', { Allow: 'GET' })
    return {
      status: 200,
      headers: { 'Content-Type': 'text/plain; version=0.0.4' },
      body: await options.metrics(),
    }
  }
  if (!isOperator) throw new Problem(403, 'NO_PERMISSION', 'this token may read /metrics, and nothing else')
  const name = operationName(url)
  const operation = Object.hasOwn(options.operations, name) ? options.operations[name] : undefined
  const long = Object.hasOwn(options.longOperations, name) ? options.longOperations[name] : undefined
  if (operation === undefined && long === undefined)
    throw new Problem(404, 'OPERATION_NOT_FOUND', 'there is no such operation')
  if (method !== 'POST') throw new Problem(405, 'METHOD_NOT_ALLOWED', 'only POST', { Allow: 'POST' })
  const input = inputOf(await bodyOf(request))
  if (operation !== undefined)
    return json(200, await operation(input, { ...operatorAsks, operation: name }).catch(refused))
  await answerInLines(long!, input, response, options.onFault).catch(refused)
  return null
}

const isOurs = ({ headers, socket }: IncomingMessage): boolean => {
  const host = (headers.host ?? '').toLowerCase()
  return hostNames.some((name) => host === name || host === `${name}:${socket.localPort}`)
}

const isSentBy = ({ headers }: IncomingMessage, token: string): boolean => {
  const [given, expected] = [headers.authorization ?? '', `Bearer ${token}`].map((text) => Buffer.from(text))
  return given!.length === expected!.length && timingSafeEqual(given!, expected!)
}

const hostNames = ['127.0.0.1', 'localhost']

type Answer = {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

const json = (status: number, value: object): Answer => ({
  status,
  headers: { 'Content-Type': 'application/json' },
  body: JSON.stringify(value),
})

const problem = (status: number, code: string, detail: string, headers: Answer['headers'] = {}): Answer => ({
  status,
  headers: { ...headers, 'Content-Type': 'application/problem+json' },
  body: JSON.stringify({ type: 'about:blank', title: STATUS_CODES[status], status, detail, code }),
})

/** A problem to answer with, thrown while a request is read. */
const Problem = class extends Error {
  readonly answer: Answer

  constructor(...of: Parameters<typeof problem>) {
    super(of[2])
    this.answer = problem(...of)
  }
}

const refused = (error: unknown): never => {
  if (error instanceof OperationRefusal)
    throw new Problem(problemStatus[error.code], error.code, error.message)
  if (error instanceof ShardUnavailable)
    throw new Problem(
      503,
      'SERVICE_UNAVAILABLE',
      'a shard does not answer now; whether this was done is not known: look before you do it again',
    )
  throw error
}

/** Turns `/webhooks/list` into `webhooks list`; a path of any other form names no operation. */
const operationName = (url: string): string => {
  const [path] = url.split('?')
  return /^(\/[a-z-]+)+$/.test(path!) ? path!.slice(1).replaceAll('/', ' ') : ''
}

const inputOf = (body: string): Readonly<Record<string, unknown>> => {
  let value: unknown
  try {
    value = JSON.parse(body || '{}')
  } catch {
    throw notAnObject
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw notAnObject
  return value as Record<string, unknown>
}

const notAnObject = new Problem(400, 'INVALID_JSON', 'the body must be a JSON object')

/** A body that is too long is read to its end without being kept, because its sender reads no answer before. */
const bodyOf = async (request: IncomingMessage): Promise<string> => {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes <= bounds.bodyBytesMax) chunks.push(chunk)
  }
  if (bytes > bounds.bodyBytesMax)
    throw new Problem(413, 'PAYLOAD_TOO_LARGE', `a body has at most ${bounds.bodyBytesMax / 1024} KiB`)
  return Buffer.concat(chunks).toString('utf8')
}

const listen = (server: Server, port: number): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', () => resolve())
  })

const writeAdminFile = (dataDir: string, content: object): void => {
  const file = adminFile(dataDir)
  writeFileSync(`${file}.new`, `${JSON.stringify(content)}\n`, { mode: 0o600 })
  renameSync(`${file}.new`, file)
}
