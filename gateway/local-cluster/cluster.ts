// A cluster on one machine, for trying it out and for tests: `npm run cluster` starts three nodes on three NATS
// servers, and restarts a node that is killed.
import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { type KeptProgram, keepRunning } from './keeper.ts'
import type { Teller } from './lines.ts'
import { type NatsPlace, natsConfig } from './nats-config.ts'
import { portsFrom } from './ports.ts'
import { startProgram } from './process.ts'

/** Three nodes on three NATS servers, all on this machine. */
export type LocalCluster = {
  readonly natsUrl: string
  readonly nodes: readonly LocalNode[]
  /** Stops the nodes, and then the servers over which nodes say goodbye to each other. */
  readonly stop: () => Promise<void>
}

export type LocalNode = KeptProgram & { readonly origin: string; readonly dataDir: string }

export type LocalClusterOptions = {
  /** Holds nodes, servers and logs; kept from one start to the next. */
  readonly dataDir: string
  /** The ports of the first node and of the first server; the others follow. 0 takes any free ones. */
  readonly port: number
  readonly natsPort: number
  readonly natsServer: string
  /** The path of the service's program. */
  readonly payments: string
  /** Settings of every node, in addition to those that make it a node. */
  readonly settings: NodeJS.ProcessEnv
  readonly teller: Teller
  /** Aborted if the cluster is no longer wanted before it runs. */
  readonly stopping: AbortSignal
}

const nodeNames = ['a', 'b', 'c'] as const
const serverNames = ['nats-1', 'nats-2', 'nats-3'] as const

/**
 * Starts the cluster; resolves when every node is serving. Rejects if a node ends or a port is taken, and leaves nothing running
 * then.
 */
export const startLocalCluster = async (options: LocalClusterOptions): Promise<LocalCluster> => {
  const { stopping } = options
  const ports = await portsFrom(options.port, nodeNames.length)
  const places = placesOf(await portsFrom(options.natsPort, 3 * serverNames.length, ports))
  const natsUrl = places.map(({ client }) => `nats://127.0.0.1:${client}`).join(',')
  const common = {
    ...commonSettings(options),
    NATS_URL: natsUrl,
    NATS_MONITOR_URLS: places.map(monitorUrl).join(','),
  }
  const servers: KeptProgram[] = []
  const nodes: LocalNode[] = []
  const stop = async (): Promise<void> => {
    await Promise.all(nodes.map((node) => node.stop(nodeStopMs)))
    await Promise.all(servers.map((server) => server.stop(serverStopMs)))
  }
  try {
    for (const [n, name] of serverNames.entries()) servers.push(startServer(options, name, places, n))
    await Promise.all(
      servers.map(({ ready }, n) => ready(() => isOk(`${monitorUrl(places[n]!)}/healthz`), stopping)),
    )
    for (const [n, name] of nodeNames.entries()) nodes.push(startNode(options, name, ports[n]!, common))
    await Promise.all(nodes.map(({ ready, origin }) => ready(() => isOk(`${origin}/readyz`), stopping)))
    return { natsUrl, nodes, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

const startServer = (
  { dataDir, natsServer, teller }: LocalClusterOptions,
  name: string,
  all: readonly NatsPlace[],
  n: number,
): KeptProgram => {
  const folder = join(dataDir, name)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const file = join(folder, 'server.conf')
  writeFileSync(file, natsConfig({ name, self: all[n]!, all, storeDir: join(folder, 'jetstream') }))
  const command = [natsServer, '-c', file]
  return keepRunning(
    name,
    () => startProgram(command, { env: process.env, logFile: `${folder}.log` }),
    teller,
  )
}

const startNode = (
  { dataDir, payments, teller }: LocalClusterOptions,
  name: string,
  port: number,
  common: NodeJS.ProcessEnv,
): LocalNode => {
  const own = join(dataDir, name)
  const env = { ...common, HOST: '127.0.0.1', PORT: String(port), DATA_DIR: own, NODE_ID: name }
  const start = () =>
    startProgram([process.execPath, '--v8-pool-size=1', payments, 'start'], {
      env,
      logFile: `${own}.log`,
      onLine: (line) => teller.sayLogged(name, line),
    })
  return { ...keepRunning(name, start, teller), origin: `http://127.0.0.1:${port}`, dataDir: own }
}

/** Three nodes share the processors of one machine. */
const commonSettings = ({ dataDir, settings }: LocalClusterOptions): NodeJS.ProcessEnv => ({
  WORKERS: String(Math.max(1, Math.floor((availableParallelism() - 1) / nodeNames.length))),
  ...settings,
  CLUSTER: 'local',
  CLUSTER_REPLICAS: String(serverNames.length),
  MASTER_KEY_FILE: requireMasterKey(dataDir),
  DEMO: 'false',
  // Nodes log JSON, because their lines are parsed here and shown in another form.
  LOG_FORMAT: 'json',
})

/** Made before the first start, because no single node may be the one that makes it. */
const requireMasterKey = (dataDir: string): string => {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  const file = join(dataDir, 'master.key')
  if (!existsSync(file)) writeFileSync(file, `${randomBytes(32).toString('base64')}\n`, { mode: 0o600 })
  return file
}

const placesOf = (ports: readonly number[]): readonly NatsPlace[] =>
  serverNames.map((_, n) => ({
    client: ports[n]!,
    route: ports[serverNames.length + n]!,
    monitor: ports[2 * serverNames.length + n]!,
  }))

const monitorUrl = ({ monitor }: NatsPlace): string => `http://127.0.0.1:${monitor}`

const isOk = async (url: string): Promise<boolean> => (await fetch(url)).ok

/** A node takes up to 30 s for requests in flight, and 10 s to hand over its shards. */
const nodeStopMs = 45_000
const serverStopMs = 10_000
