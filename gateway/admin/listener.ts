import { timingSafeEqual } from 'node:crypto'
import { renameSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { OperationRefusal, type Operations } from './operations.ts'

/**
 * The admin listener: loopback only, and only for who can read the token file in the data directory. Metrics may also be
 * read with a token of their own, which is good for nothing else.
 */
export type AdminListener = { readonly port: number; readonly close: () => Promise<void> }

export const adminFile = (dataDir: string): string => join(dataDir, 'admin.json')

/**
 * `POST /<command>` with a JSON object answers the operation's result; `GET /metrics` the Prometheus page. Where and with
 * which token is in `admin.json`, readable by the service's user alone.
 */
export const openAdminListener = async (options: {
  readonly port: number
  readonly dataDir: string
  readonly token: string
  /** Null where there is none. */
  readonly metricsToken: () => string | null
  readonly operations: Operations
  readonly metrics: () => Promise<string>
  readonly onFault: (error: unknown) => void
}): Promise<AdminListener> => {
  const server = createServer((request, response) => {
    answer(request).then(
      ({ status, type, body }) => response.writeHead(status, { 'Content-Type': type }).end(body),
      (error: unknown) => {
        options.onFault(error)
        response.writeHead(500, { 'Content-Type': 'application/json' }).end('{"error":"internal error"}')
      },
    )
  })

  const answer = async (request: IncomingMessage): Promise<Answer> => {
    const isOperator = isSentBy(request, options.token)
    const metricsToken = isOperator ? null : options.metricsToken()
    const mayReadMetrics = isOperator || (metricsToken !== null && isSentBy(request, metricsToken))
    if (!mayReadMetrics) return refused(401, 'wrong token')
    if (request.method === 'GET' && request.url === '/metrics') {
      return { status: 200, type: 'text/plain; version=0.0.4', body: await options.metrics() }
    }
    if (!isOperator) return refused(403, 'this token may read /metrics, and nothing else')
    const name = decodeURIComponent((request.url ?? '/').slice(1)).replaceAll('/', ' ')
    const operation = Object.hasOwn(options.operations, name) ? options.operations[name] : undefined
    if (request.method !== 'POST' || operation === undefined)
      return refused(404, `there is no operation ${name}`)
    try {
      return json(200, await operation(JSON.parse(await bodyOf(request)) as Record<string, unknown>))
    } catch (error) {
      if (error instanceof OperationRefusal) return refused(422, error.message)
      throw error
    }
  }

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

const isSentBy = ({ headers }: IncomingMessage, token: string): boolean => {
  const [given, expected] = [headers.authorization ?? '', `Bearer ${token}`].map((text) => Buffer.from(text))
  return given!.length === expected!.length && timingSafeEqual(given!, expected!)
}

type Answer = { readonly status: number; readonly type: string; readonly body: string }

const json = (status: number, value: object): Answer => ({
  status,
  type: 'application/json',
  body: JSON.stringify(value),
})
const refused = (status: number, error: string): Answer => json(status, { error })

const bodyBytesMax = 64 * 1024

const bodyOf = async (request: IncomingMessage): Promise<string> => {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes > bodyBytesMax) throw new OperationRefusal('the body is too large')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8') || '{}'
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
