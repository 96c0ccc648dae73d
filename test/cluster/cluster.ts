import { randomBytes } from 'node:crypto'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { jetstreamManager } from '@nats-io/jetstream'
import { connect } from '@nats-io/transport-node'
import { accountIdOf } from '../../engine/shared/ids.ts'
import type { ClusterView } from '../../gateway/link/cluster/status.ts'
import { shardOf } from '../../gateway/link/router.ts'
import { shardLogStream } from '../../persistence/cluster/names.ts'
import { moveShard, newDataDir, newMerchant, type Scope, type Service, startService } from '../e2e/service.ts'
import { type Proxy as NatsProxy, startProxy } from '../nats/proxy.ts'
import { type NatsServers, startNatsServers } from '../nats/servers.ts'
import { type Receiver, startReceiver } from './receiver.ts'
import { openSmallDisk, type SmallDisk } from './small-disk.ts'

/** Three nats-servers and the nodes of one cluster, each a process of its own that can be killed or stopped. */
export type TestCluster = {
  readonly servers: NatsServers
  readonly nodes: ReadonlyMap<string, TestNode>
  readonly keyFile: string
  /** How many nodes hold each shard. */
  readonly copies: number
  /** One for each shard. */
  readonly merchants: readonly Merchant[]
  readonly receiver: Receiver
  /** Of the node behind proxies, to each server: what this node hears from NATS can be lost or late. */
  readonly proxies: readonly NatsProxy[]
  /** Starts a node, with what is in its data directory. */
  readonly start: (
    node: string,
    options?: { readonly dataDir?: string; readonly clockShiftMs?: number; readonly program?: string },
  ) => Promise<TestNode>
  /** Sets the clock of a node right that was started with a shift. */
  readonly setClock: (node: string) => void
  readonly view: () => Promise<ClusterView>
  readonly ownerOf: (shard: number) => Promise<string>
  /** Gives a shard to a node and pins it there, once the node is fit: on a busy machine a new one may not be at once. */
  readonly move: (shard: number, node: string) => Promise<void>
  readonly unpin: () => Promise<void>
  /** Resolves when every shard has an owner that lives, and the other nodes are about as far as it is. */
  readonly settled: () => Promise<void>
  /** The first record that the servers have of the log of a shard. */
  readonly firstRecord: (shard: number) => Promise<number>
  /** The number of the server that leads the log of a shard. */
  readonly logLeader: (shard: number) => Promise<number>
  /** A disk for one node, which can be filled; always the same one. */
  readonly smallDisk: () => Promise<SmallDisk>
}

export type TestNode = {
  readonly name: string
  readonly dataDir: string
  /** Where it answers; null while it is killed. */
  service: Service | null
  /** Every life that it had. */
  readonly lives: Service[]
  readonly kill: () => Promise<void>
  /** Ends it as an operator does; resolves to its exit code. */
  readonly end: () => Promise<number | null>
  readonly sleep: () => void
  readonly wake: () => void
  /** Between sleep and wake. */
  isAsleep: boolean
}

export type Merchant = { readonly shard: number; readonly secret: string; readonly endpointId: string }

export const leaseMs = 2000
export const clusterName = 'chaos'
const shards = 4
/** The node that reaches NATS through proxies. */
export const proxied = 'c'

export const startCluster = async (
  t: Scope,
  options: {
    readonly refusesAttempts: boolean
    readonly canCutRoutes?: boolean
    /** Threads of each node. */
    readonly workers?: number
    /** Settings of every node. */
    readonly settings?: Readonly<Record<string, string>>
  },
): Promise<TestCluster> => {
  const { refusesAttempts, canCutRoutes = false, workers = 2, settings = {} } = options
  const servers = await startNatsServers(3, { advertises: false, canCutRoutes })
  t.teardown(servers.stop)
  const proxies = await Promise.all(servers.urls.map(startProxy))
  t.teardown(() => {
    for (const proxy of proxies) proxy.stop()
  })
  const keyFile = join(newDataDir(t), 'master.key')
  writeFileSync(keyFile, randomBytes(32).toString('base64'))
  const clocks = newDataDir(t)
  const clockFile = (node: string): string => join(clocks, node)
  const nodes = new Map<string, TestNode>()

  const start: TestCluster['start'] = async (name, options = {}) => {
    const known = nodes.get(name)
    rmSync(clockFile(name), { force: true })
    const dataDir = options.dataDir ?? known?.dataDir ?? newDataDir(t)
    const env = {
      CLUSTER: clusterName,
      NODE_ID: name,
      NATS_URL: name === proxied ? proxies.map(({ url }) => url).join(',') : servers.url,
      NATS_REPLICAS: '3',
      CLUSTER_LEASE_MS: String(leaseMs),
      MASTER_KEY_FILE: keyFile,
      SHARDS: String(shards),
      WORKERS: String(workers),
      RATE_LIMIT: '0',
      ...settings,
      ...(options.clockShiftMs !== undefined && {
        NODE_OPTIONS: `--import=${new URL('./shifted-clock.js', import.meta.url).href}`,
        CLOCK_SHIFT_MS: String(options.clockShiftMs),
        CLOCK_SET_FILE: clockFile(name),
      }),
    }
    const { program } = options
    const service = await startService(t, { dataDir, env, ...(program !== undefined && { program }) })
    const node = known !== undefined && known.dataDir === dataDir ? known : newNode(name, dataDir)
    node.service = service
    node.lives.push(service)
    nodes.set(name, node)
    return node
  }

  const awake = (): Service[] =>
    [...nodes.values()].flatMap(({ service, isAsleep }) => (service === null || isAsleep ? [] : [service]))

  const view = async (): Promise<ClusterView> => {
    for (;;) {
      for (const service of awake()) {
        const view = await service.operate('cluster status', {}).catch(() => null)
        if (view !== null) return view
      }
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  }

  const ownerOf = async (shard: number): Promise<string> => {
    for (;;) {
      const { owner } = (await view()).shards[shard]!
      if (owner !== null && nodes.get(owner)?.service !== null) return owner
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  }

  const settled = async (): Promise<void> => {
    const running = [...nodes.values()].filter(({ service }) => service !== null).length
    for (;;) {
      const { nodes: seen, shards } = await view()
      const states = new Map(seen.map(({ node, state }) => [node, state]))
      const isOwned = shards.every(({ owner }) => owner !== null && states.get(owner) === 'ALIVE')
      const isClose = shards.every(({ lag }) => Object.values(lag).every((records) => records < 100))
      const answering = seen.filter(({ state }) => state === 'ALIVE' || state === 'UNFIT').length
      const areWhole = seen.every(({ joining }) => joining.length === 0)
      if (answering >= running && isOwned && isClose && areWhole) return
      // Every node is asked for it: more often would take as much of the machine as the load.
      await new Promise((resolve) => setTimeout(resolve, 250))
    }
  }

  const move = async (shard: number, node: string): Promise<void> => {
    await moveShard(awake()[0]!, shard, node)
  }

  let disk: Promise<SmallDisk> | null = null
  const logLeader = async (shard: number): Promise<number> => {
    const connection = await connect({ servers: [...servers.urls], timeout: 1000 })
    const leader = async (): Promise<string | undefined> => {
      const manager = await jetstreamManager(connection, { timeout: 1500 })
      return (await manager.streams.info(shardLogStream(clusterName, shard))).cluster?.leader
    }
    try {
      for (;;) {
        // While the servers elect one there is none, or no answer.
        const name = await leader().catch(() => undefined)
        if (name !== undefined) return Number(name.slice('server-'.length))
        await new Promise((resolve) => setTimeout(resolve, 100))
      }
    } finally {
      await connection.close()
    }
  }

  const firstRecord = async (shard: number): Promise<number> => {
    const connection = await connect({ servers: [...servers.urls], timeout: 1000 })
    try {
      const manager = await jetstreamManager(connection, { timeout: 1500 })
      return (await manager.streams.info(shardLogStream(clusterName, shard))).state.first_seq
    } finally {
      await connection.close()
    }
  }

  const receiver = await startReceiver(t, refusesAttempts)
  const a = await start('a')
  await Promise.all([start('b'), start('c')])
  await settled()
  const merchants = await newMerchants(a.service!, receiver.url)
  return {
    servers,
    nodes,
    keyFile,
    copies: Number(settings.CLUSTER_COPIES ?? 3),
    merchants,
    receiver,
    proxies,
    start,
    setClock: (node) => writeFileSync(clockFile(node), ''),
    view,
    ownerOf,
    move,
    unpin: async () => {
      for (let shard = 0; shard < shards; shard++)
        await awake()[0]!.operate('cluster move', { shard: String(shard), node: 'auto' })
    },
    settled,
    firstRecord,
    logLeader,
    smallDisk: () => {
      disk ??= openSmallDisk(t)
      return disk
    },
  }
}

const newNode = (name: string, dataDir: string): TestNode => {
  const lives: Service[] = []
  const node: TestNode = {
    name,
    dataDir,
    service: null,
    lives,
    isAsleep: false,
    kill: async () => {
      const { service } = node
      node.service = null
      await service?.kill('SIGKILL')
    },
    end: async () => {
      const { service } = node
      node.service = null
      return service === null ? null : service.kill('SIGTERM')
    },
    sleep: () => {
      node.isAsleep = true
      node.service!.process.kill('SIGSTOP')
    },
    wake: () => {
      node.service!.process.kill('SIGCONT')
      node.isAsleep = false
    },
  }
  return node
}

const scopes = 'charges.create,charges.read,transactions.read,refunds.create'

/** A company's shard follows from its id: some are made until each shard has one. */
const newMerchants = async (service: Service, url: string): Promise<Merchant[]> => {
  const merchants = new Map<number, Merchant>()
  while (merchants.size < shards) {
    const { company, key } = await newMerchant(service, { scopes })
    const shard = shardOf(accountIdOf(company.id, 'SANDBOX'), shards)
    if (merchants.has(shard)) continue
    const target = { company: company.id, environment: 'sandbox', url }
    const { id } = await service.operate('webhooks create', target)
    merchants.set(shard, { shard, secret: key.secret, endpointId: id })
  }
  return [...merchants.values()]
}

/** A node that has nothing any more. */
export const emptied = (dataDir: string): void => rmSync(dataDir, { recursive: true, force: true })
