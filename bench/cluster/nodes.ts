import { randomBytes } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Cleanup } from '../cleanup.ts'
import { type Child, temporaryDirectory, until } from '../processes.ts'
import { openService, operate, readMetrics } from '../service.ts'
import { openBenchServers } from './servers.ts'

/** Nodes on NATS servers, all on this machine, with data that stays from one start to the next. */
export type BenchCluster = {
  readonly names: readonly string[]
  /** Starts all nodes; resolves when every shard has an owner. */
  readonly start: () => Promise<void>
  readonly stop: () => Promise<void>
  readonly origin: (node: string) => string
  readonly dataDir: (node: string) => string
  /** Kills a node with -9. */
  readonly kill: (node: string) => Promise<void>
  /** Ends a node as an operator does. */
  readonly end: (node: string) => Promise<void>
  /** Starts a node that was killed or ended again. */
  readonly startNode: (node: string) => Promise<void>
  readonly status: (node: string) => Promise<ClusterStatus>
  /** The processes that run. */
  readonly pids: () => Pids
  /** The sum of a metric over all nodes. */
  readonly metric: (name: string) => Promise<number>
}

/** The processes of nodes and of their NATS servers. */
export type Pids = { readonly nodes: readonly number[]; readonly servers: readonly number[] }

/** The fields of `cluster status` that the bench reads. */
export type ClusterStatus = {
  readonly nodes: readonly {
    readonly node: string
    readonly state: string
    readonly shards: number
    readonly joining?: readonly number[]
  }[]
  readonly shards: readonly {
    readonly shard: number
    readonly owner: string | null
    readonly lag: Readonly<Record<string, number>>
    readonly holders: readonly string[] | null
  }[]
  readonly troubles: readonly string[]
}

/** CLUSTER_COPIES where it is not set. */
const copies = 3

/** Nodes that do not run yet. Each asks the server of its own machine alone where it takes time to others. */
export const openCluster = async (
  cleanup: Cleanup,
  workersPerNode: number,
  { nodes: count = 3, delayMs = 0 }: { readonly nodes?: number; readonly delayMs?: number } = {},
): Promise<BenchCluster> => {
  const names = Array.from({ length: count }, (_, n) => `n${n + 1}`)
  const { path } = temporaryDirectory(cleanup, 'cluster')
  const masterKeyFile = join(path, 'master.key')
  writeFileSync(masterKeyFile, randomBytes(32).toString('base64'))
  const servers = await openBenchServers(cleanup, 3, delayMs)
  const running = new Map<string, { readonly child: Child; readonly origin: string }>()
  const dataDir = (node: string): string => join(path, node)
  const startNode = async (node: string): Promise<void> => {
    const service = await openService(cleanup, dataDir(node), workersPerNode, {
      CLUSTER: 'bench',
      NODE_ID: node,
      NATS_URL: delayMs === 0 ? servers.url : servers.urls[names.indexOf(node) % servers.urls.length]!,
      MASTER_KEY_FILE: masterKeyFile,
      DEMO: 'false',
    })
    running.set(node, service)
  }

  const status = async (node: string): Promise<ClusterStatus> =>
    (await operate(dataDir(node), 'cluster status', {})) as unknown as ClusterStatus

  /** Nodes rebalance shards only after they have lived for a while: the bench waits for the final distribution. */
  const isSettled = async (): Promise<boolean> => {
    const { nodes, shards, troubles } = await status(names[0]!)
    const share = Math.ceil(shards.length / names.length)
    return (
      nodes.length === names.length &&
      troubles.length === 0 &&
      nodes.every((node) => node.shards <= share) &&
      shards.every(({ holders }) => (holders ?? names).length === Math.min(copies, names.length))
    )
  }

  return {
    names,
    origin: (node) => running.get(node)!.origin,
    dataDir,
    start: async () => {
      await servers.start()
      await Promise.all(names.map(startNode))
      await until(running.get(names[0]!)!.child, isSettled)
    },
    stop: async () => {
      await Promise.all([...running.values()].map(({ child }) => child.stop()))
      running.clear()
      await servers.stop()
    },
    kill: async (node) => {
      const { child } = running.get(node)!
      process.kill(child.pid, 'SIGKILL')
      await child.exited
    },
    end: async (node) => {
      await running.get(node)!.child.stop()
    },
    startNode,
    status,
    pids: () => ({ nodes: [...running.values()].map(({ child }) => child.pid), servers: servers.pids() }),
    metric: async (name) => {
      const sums = await Promise.all(names.map(async (node) => (await readMetrics(dataDir(node)))(name)))
      return sums.reduce((sum, value) => sum + value, 0)
    },
  }
}
