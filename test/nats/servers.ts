import { type ChildProcess, spawn } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { jetstreamManager } from '@nats-io/jetstream'
import { type ConnectionOptions, connect } from '@nats-io/transport-node'
import { natsServer } from '../../gateway/local-cluster/nats-server.ts'
import { portsFrom } from '../../gateway/local-cluster/ports.ts'
import { startRouteProxy } from './proxy.ts'

/** nats-server processes on free ports of the loopback, as one cluster where there are several. */
export type NatsServers = {
  /** For NATS_URL. */
  readonly url: string
  readonly urls: readonly string[]
  /** Where each server's monitoring pages are. */
  readonly monitorUrls: readonly string[]
  /** The processes that run. */
  readonly pids: () => readonly number[]
  readonly start: (n: number) => Promise<void>
  readonly kill: (n: number, signal: 'SIGKILL' | 'SIGTERM' | 'SIGSTOP' | 'SIGCONT') => Promise<void>
  /** Where a server stores what it has. */
  readonly storeOf: (n: number) => string
  /** What a server that does not run has stored is gone. */
  readonly empty: (n: number) => void
  /** Resolves when JetStream answers. */
  readonly ready: () => Promise<void>
  /** All servers lose power: they are killed, and start with what was on their disks at `keepDisks`. */
  readonly keepDisks: () => Promise<void>
  readonly losePower: () => Promise<void>
  /** Cuts two servers from each other; null puts all together again. Only with `canCutRoutes`. */
  readonly cutRoute: (pair: readonly [number, number] | null) => void
  readonly stop: () => Promise<void>
}

export const startNatsServers = async (
  size: number,
  options: {
    /** Lines for the configuration of each server. */
    readonly config?: string
    /** Whom these let in. */
    readonly client?: ConnectionOptions
    readonly syncInterval?: string
    readonly hasJetStream?: boolean
    /** Whether clients that know one server hear of the others: those behind a proxy must stay there. */
    readonly advertises?: boolean
    readonly canCutRoutes?: boolean
    /** What one server says to another arrives so much later. */
    readonly routeDelayMs?: number
  } = {},
): Promise<NatsServers> => {
  const { syncInterval = 'always', hasJetStream = true, advertises = true } = options
  const { canCutRoutes = false, routeDelayMs = 0 } = options
  const folder = mkdtempSync(join(tmpdir(), 'nats-'))
  const binary = natsServer()
  const ports = await portsFrom(0, 3 * size)
  const urls = ports.slice(0, size).map((port) => `nats://127.0.0.1:${port}`)
  const monitorPorts = ports.slice(2 * size)
  const routePorts = ports.slice(size, 2 * size)
  const proxies =
    canCutRoutes || routeDelayMs > 0
      ? await Promise.all(
          routePorts.map((port) => startRouteProxy(`nats-route://127.0.0.1:${port}`, routeDelayMs)),
        )
      : []
  /** Where the others find each server. */
  const routes = proxies.length > 0 ? proxies.map(({ port }) => port) : routePorts
  const running = new Map<number, ChildProcess>()

  const diskOf = (n: number): string => join(folder, `server-${n}`, 'jetstream')
  const keptOf = (n: number): string => join(folder, `server-${n}`, 'kept')
  const everyServer = Array.from({ length: size }, (_, n) => n)

  const start = async (n: number): Promise<void> => {
    const own = join(folder, `server-${n}`)
    mkdirSync(own, { recursive: true })
    const cluster =
      size === 1
        ? ''
        : `cluster { name: test, listen: "127.0.0.1:${routePorts[n]}", advertise: "127.0.0.1:${routes[n]}", no_advertise: ${!advertises}, routes: [${routes.map((port) => `nats-route://127.0.0.1:${port}`)}] }`
    const file = join(own, 'server.conf')
    writeFileSync(
      file,
      [
        `server_name: server-${n}`,
        `listen: "127.0.0.1:${ports[n]}"`,
        `http: "127.0.0.1:${monitorPorts[n]}"`,
        'max_payload: 4MB',
        hasJetStream ? `jetstream { store_dir: "${diskOf(n)}", sync_interval: ${syncInterval} }` : '',
        cluster,
        options.config ?? '',
      ].join('\n'),
    )
    const log = openSync(join(own, 'server.log'), 'a')
    const child = spawn(binary, ['-c', file], { stdio: ['ignore', log, log] })
    running.set(n, child)
    child.on('exit', () => {
      if (running.get(n) === child) running.delete(n)
    })
  }

  const kill: NatsServers['kill'] = async (n, signal) => {
    const child = running.get(n)
    if (child === undefined) return
    const gone = new Promise((resolve) => child.once('exit', resolve))
    if (signal === 'SIGKILL' || signal === 'SIGTERM') child.kill('SIGCONT')
    child.kill(signal)
    if (signal === 'SIGKILL' || signal === 'SIGTERM') await gone
    // The signal is sent before it arrives: until then a server would answer.
    if (signal === 'SIGSTOP') while (!isStopped(child.pid!)) await turn()
  }

  /**
   * Their disks are copied while they stand still, all at one moment, and they go on: what was on its way then is stored by
   * them as it was copied. After a kill something else could be, and a copy that comes back would deny it.
   */
  const keepDisks = async (): Promise<void> => {
    for (const n of everyServer) await kill(n, 'SIGSTOP')
    for (const n of everyServer) rmSync(keptOf(n), { recursive: true, force: true })
    for (const n of everyServer) cpSync(diskOf(n), keptOf(n), { recursive: true })
    for (const n of everyServer) await kill(n, 'SIGCONT')
    await ready()
  }

  const losePower = async (): Promise<void> => {
    for (const n of everyServer) await kill(n, 'SIGKILL')
    for (const n of everyServer) {
      rmSync(diskOf(n), { recursive: true })
      cpSync(keptOf(n), diskOf(n), { recursive: true })
    }
    for (const n of everyServer) await start(n)
    await ready()
  }

  /** One whose port was taken at the last moment ends, and never answers. */
  const requireRunning = (count: number): void => {
    if (running.size >= count) return
    const logs = everyServer.map((n) => readFileSync(join(folder, `server-${n}`, 'server.log'), 'utf8'))
    throw new Error(`a nats-server ended:\n${logs.map((log) => log.slice(-1000)).join('\n')}`)
  }

  const ready = async (runningMin = 0): Promise<void> => {
    while (hasJetStream) {
      requireRunning(runningMin)
      try {
        const connection = await connect({
          servers: [...urls],
          timeout: 1000,
          reconnect: false,
          ...options.client,
        })
        try {
          await (await jetstreamManager(connection, { timeout: 1500 })).getAccountInfo()
          return
        } finally {
          await connection.close()
        }
      } catch {
        await new Promise((resolve) => setTimeout(resolve, 50))
      }
    }
  }

  for (const n of everyServer) await start(n)
  await ready(size)
  return {
    url: urls.join(','),
    urls,
    monitorUrls: monitorPorts.map((port) => `http://127.0.0.1:${port}`),
    pids: () => [...running.values()].map(({ pid }) => pid!),
    start,
    kill,
    storeOf: diskOf,
    empty: (n) => rmSync(diskOf(n), { recursive: true }),
    ready: () => ready(),
    keepDisks,
    losePower,
    cutRoute: (pair) => {
      for (const [n, proxy] of proxies.entries()) {
        const other = pair?.includes(n) ? pair.find((m) => m !== n)! : null
        proxy.keepAway(other === null ? null : `server-${other}`)
      }
    },
    stop: async () => {
      for (const proxy of proxies) proxy.stop()
      await Promise.all([...running.keys()].map((n) => kill(n, 'SIGKILL')))
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** By the third field of its state, behind the name in brackets. */
const isStopped = (pid: number): boolean =>
  readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]![0] === 'T'

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
