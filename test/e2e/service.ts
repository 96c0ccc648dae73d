import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Rail } from '../../engine/shared/rail.ts'
import { chooseUws } from '../../gateway/wire/uws-builds.ts'
import { contract } from './contract.ts'
import { type Limit, watchLimits } from './limit-watch.ts'

/** The real service, started as an operator starts it: its own process, a data directory, the command line. */
export type Service = {
  readonly origin: string
  readonly dataDir: string
  readonly process: ChildProcess
  readonly log: () => string
  /** Resolves when the log has a text; the test's own time limit is the bound. */
  readonly logged: (text: string) => Promise<void>
  /** A command of `payments … --json`: a process of its own, so a second. */
  readonly command: (...args: string[]) => Promise<any>
  /** The sum of a metric over all of its labels, or those given; null where it has no value. */
  readonly metric: (name: string, labels?: string) => Promise<number | null>
  /** The operation behind a command, called as the command line calls it. */
  readonly operate: (name: string, input: object) => Promise<any>
  readonly kill: (signal: NodeJS.Signals) => Promise<number | null>
  /** From now on the test is about this limit: any other that refuses a request, whoever sent it, fails the test. */
  readonly expectLimit: (limit: Limit) => void
  /** From now on it is about none again. */
  readonly expectNoLimit: () => void
}

const isNativeThere = chooseUws().build !== null

const main = join(import.meta.dirname, '../../gateway/program/main.js')
/** A composition of the service for tests (`test/e2e/*-main.ts`), which `test/bundle.js` has bundled. */
export const programOf = (
  name: 'banked-main' | 'connected-main' | 'failing-main' | 'held-main' | 'killed-main',
): string => join(import.meta.dirname, '../programs', `${name}.js`)

/** What is made ends with it: a test, or a run that is none. */
export type Scope = {
  readonly teardown: (end: () => unknown) => void
  /** Whether all is well so far. */
  readonly passing?: () => boolean
  readonly fail?: (message: string) => unknown
}

export const newDataDir = (t: Scope): string => {
  const path = mkdtempSync(join(tmpdir(), 'payments-'))
  t.teardown(() => rmSync(path, { recursive: true, force: true, maxRetries: 5 }))
  return path
}

/** Whether a client meets a limit of requests depends on the machine's speed: a test that is about one sets it. */
const unlimited = { RATE_LIMIT: '0', RATE_LIMIT_EXPORT: '0' }

/** For a story that more threads would not change: with one the start takes two thirds of the time. */
export const oneWorker = { WORKERS: '1' }

export const startService = async (
  t: Scope,
  options: {
    dataDir?: string
    env?: Record<string, string>
    /** The rails that have a simulated connection in Production; without any it is the program that operators start. */
    connected?: readonly Rail[]
    /** Another program of the same composition, which the test can send messages. */
    program?: string
  } = {},
): Promise<Service> => {
  const dataDir = options.dataDir ?? newDataDir(t)
  // Tests find their nats-server by it; to the service it is no setting.
  const { NATS_SERVER_BIN: _, ...inherited } = process.env
  const env = {
    ...inherited,
    HOST: '127.0.0.1',
    PORT: '0',
    WORKERS: '2',
    DEMO: 'false',
    DATA_DIR: dataDir,
    // Over `node:http`, threads share a port from Node 22.12 on.
    ...(options.env?.WORKERS !== '1' && isNativeThere && { TRANSPORT: 'uws' }),
    ...unlimited,
    ...options.env,
    ...(options.connected && { SIMULATED_RAILS: options.connected.join() }),
  }
  const program = options.program ?? (options.connected && programOf('connected-main'))
  const child = spawn(process.execPath, [program ?? main, 'start'], {
    env,
    stdio: ['ignore', 'pipe', 'pipe', ...(program ? ['ipc' as const] : [])],
  })
  let log = ''
  const limits = watchLimits((sentence) => {
    if (t.fail === undefined) throw new Error(sentence)
    t.fail(sentence)
  }, options.env?.CLUSTER !== undefined)
  const waiting: (() => void)[] = []
  const exited = new Promise<number | null>((resolve) => child.once('exit', resolve))
  // Later than the exit: by then all that it wrote was read.
  const closed = new Promise<void>((resolve) => child.once('close', () => resolve()))
  t.teardown(() => {
    if (t.passing?.() === false) console.error(`the log of ${dataDir}:\n${log.slice(-3000)}`)
    child.kill('SIGKILL')
    return closed
  })
  let isServing = false
  const origin = await new Promise<string>((resolve, reject) => {
    const read = (chunk: Buffer): void => {
      log += chunk.toString('utf8')
      for (const wake of waiting.splice(0)) wake()
      const found = isServing ? null : /"origin":"([^"]+)"/.exec(log)
      if (found === null) return
      isServing = true
      resolve(found[1]!)
    }
    child.stdout!.on('data', read)
    child.stdout!.on('data', (chunk: Buffer) => limits.read(chunk.toString('utf8')))
    child.stderr!.on('data', read)
    void exited.then((code) => reject(new Error(`the service ended with ${code} before it served:\n${log}`)))
  })
  return {
    origin,
    dataDir,
    process: child,
    log: () => log,
    logged: async (text) => {
      while (!log.includes(text)) await new Promise<void>((resolve) => void waiting.push(resolve))
    },
    command: (...args) => command(dataDir, ...args),
    metric: async (name, labels = '') => sumOf(await metricsPage(dataDir), name, labels),
    operate: (name, input) => operate(dataDir, name, input),
    kill: (signal) => {
      child.kill(signal)
      return exited
    },
    expectLimit: limits.expect,
    expectNoLimit: limits.expectNone,
  }
}

/** Runs the command line; rejects with what it printed when it fails. */
export const command = (dataDir: string, ...args: string[]): Promise<any> =>
  new Promise((resolve, reject) => {
    const env = { ...process.env, DATA_DIR: dataDir }
    execFile(process.execPath, [main, ...args, '--json'], { env }, (error, stdout, stderr) => {
      if (error) reject(new Error(stderr + stdout))
      else resolve(JSON.parse(stdout))
    })
  })

/**
 * Sends a request when all that has arrived is read: the service closes a connection on which nothing was asked for twelve seconds, and a test
 * that was busy for so long would take it for one that is still open.
 */
export const send: typeof fetch = async (...request) => {
  // The first may come before connections are looked at, the second one does not.
  for (let turn = 0; turn < 2; turn++) await new Promise((resolve) => setImmediate(resolve))
  return fetch(...request)
}

const admin = (dataDir: string, path: string, request: RequestInit = {}): Promise<Response> => {
  const { port, token } = JSON.parse(readFileSync(join(dataDir, 'admin.json'), 'utf8'))
  const headers = { Authorization: `Bearer ${token}` }
  return send(`http://127.0.0.1:${port}${path}`, { ...request, headers })
}

/** The metrics as Prometheus reads them. */
export const metricsPage = async (dataDir: string): Promise<string> =>
  (await admin(dataDir, '/metrics')).text()

const sumOf = (page: string, name: string, labels: string): number | null => {
  const lines = page.split('\n').filter((line) => line.startsWith(`${name}{`) || line.startsWith(`${name} `))
  const values = lines.filter((line) => line.includes(labels)).map((line) => Number(line.split(' ').at(-1)))
  return values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0)
}

const operate = async (dataDir: string, name: string, input: object): Promise<any> => {
  const path = `/${name.replaceAll(' ', '/')}`
  const response = await admin(dataDir, path, { method: 'POST', body: JSON.stringify(input) })
  // What takes long tells how far it is before.
  const last = JSON.parse((await response.text()).trim().split('\n').at(-1)!)
  if (!response.ok || last.error !== undefined) throw new Error(last.detail ?? last.error)
  return response.headers.get('content-type') === 'application/x-ndjson' ? last.result : last
}

/** Asks over and over until the answer fits; the test's own time limit is the bound. */
export const until = async (fits: () => Promise<boolean>): Promise<void> => {
  while (!(await fits())) await new Promise((resolve) => setTimeout(resolve, 20))
}

/** Has a node own a shard. One that could not renew a lease in time takes none for some seconds, as on a busy machine. */
export const moveShard = async ({ operate }: Service, shard: number, node: string): Promise<void> =>
  until(() =>
    operate('cluster move', { shard: String(shard), node }).then(
      () => true,
      (error: Error) => {
        if (/is UNFIT|does not hand it over now|there is no node/.test(error.message)) return false
        throw error
      },
    ),
  )

/** Starts the service with settings that it must refuse; answers how it ended and what it said. */
export const refusedStart = (env: Record<string, string>): Promise<{ code: number | null; output: string }> =>
  new Promise((resolve) => {
    const child = spawn(process.execPath, [main, 'start'], { env: { ...process.env, PORT: '0', ...env } })
    let output = ''
    child.stdout.on('data', (chunk: Buffer) => (output += chunk))
    child.stderr.on('data', (chunk: Buffer) => (output += chunk))
    child.once('exit', (code) => resolve({ code, output }))
  })

/** A company with a key, and a client that calls with it. */
export const newMerchant = async (service: Service, options: CompanyOptions = {}) => {
  const { company, key } = await newCompany(service, options)
  return { company, key, call: caller(service.origin, key.secret) }
}

export type CompanyOptions = {
  readonly environment?: string
  readonly scopes?: string
  readonly products?: string
  readonly name?: string
}

/** A company with a key, in a service or in what is prepared for one. */
export const newCompany = async (
  { operate }: Pick<Service, 'operate'>,
  { name = 'Loja Teste', environment = 'sandbox', products, scopes }: CompanyOptions = {},
) => {
  const company = await operate('companies create', { name, document: '11222333000181', products })
  const key = await operate('keys create', { company: company.id, environment, scopes })
  return { company, key }
}

export type Answer = { readonly status: number; readonly headers: Headers; readonly body: any }
export type Call = (
  verb: string,
  path: string,
  body?: unknown,
  headers?: Record<string, string>,
) => Promise<Answer>

/** A client that holds every answer of the API against the OpenAPI document, and throws where one differs. */
export const caller =
  (origin: string, secret: string): Call =>
  async (verb, path, body, headers = {}) => {
    const response = await send(origin + path, {
      method: verb,
      headers: {
        ...(secret && { Authorization: `Bearer ${secret}` }),
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    const text = await response.text()
    const answer = {
      status: response.status,
      headers: response.headers,
      body: text === '' ? null : parsed(text),
    }
    const type = response.headers.get('content-type')
    const violations = contract().violations({ verb, path, sent: body, type, ...answer })
    if (violations.length > 0)
      throw new Error(
        `${verb} ${path} answers ${answer.status} against the OpenAPI document: ${violations.join('; ')}\n${text.slice(0, 2000)}`,
      )
    return answer
  }

/** Posts what must be done, and answers its body. */
export const posted = async (call: Call, path: string, body: object): Promise<any> => {
  const answer = await call('POST', path, body)
  if (answer.status >= 300) throw new Error(`POST ${path}: ${answer.status} ${JSON.stringify(answer.body)}`)
  return answer.body
}

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

export type Heard = { readonly headers: IncomingHttpHeaders; readonly body: string; readonly event: any }

/**
 * A merchant's server: it keeps what it hears, and answers what it is told to. An event that is none of the OpenAPI
 * document ends the test.
 */
export const startReceiver = async (t: Scope, answer: (heard: Heard) => number = () => 200) => {
  const heard: Heard[] = []
  let wake: () => void = () => undefined
  const server: Server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString('utf8')
      const one = { headers: request.headers, body, event: JSON.parse(body) }
      const violations = contract().violationsOfEvent(one.event)
      if (violations.length > 0)
        throw new Error(`an event against the OpenAPI document: ${violations.join('; ')}\n${body}`)
      heard.push(one)
      response.writeHead(answer(one)).end('thanks')
      wake()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()))
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    heard,
    /** Resolves when so many were heard; the test's own time limit is the bound. */
    count: async (count: number) => {
      while (heard.length < count) {
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      }
      return heard
    },
  }
}
