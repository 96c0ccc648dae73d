import type { Cleanup } from '../cleanup.ts'
import { temporaryDirectory } from '../processes.ts'
import { newRandom } from '../random.ts'
import { createCompaniesAt, openService, readMetrics, shardsOf } from '../service.ts'
import type { Company } from '../target.ts'
import type { BenchCluster, Pids } from './nodes.ts'
import { openBenchServers } from './servers.ts'

/** A target, loaded in turns. Its data stays from one start to the next, and grows like the other targets'. */
export type ClusterTarget = {
  readonly name: string
  readonly shards: number
  readonly companies: readonly Company[]
  /** Resolves to the origins that it serves. */
  readonly start: () => Promise<readonly string[]>
  readonly stop: () => Promise<void>
  readonly pids: () => Pids
  /** The sum of a metric over its nodes. */
  readonly metric: (name: string) => Promise<number>
}

type Size = { readonly workers: number; readonly companies: number; readonly seed: number }

/** One service, alone or with three NATS servers for its events: with as many workers as the cluster has. */
export const oneNode = async (cleanup: Cleanup, hasNats: boolean, size: Size): Promise<ClusterTarget> => {
  const { path } = temporaryDirectory(cleanup, 'one')
  const servers = hasNats ? await openBenchServers(cleanup, 3) : null
  const settings = servers === null ? {} : { NATS_URL: servers.url, NATS_REPLICAS: '3' }
  let running: Awaited<ReturnType<typeof openService>> | null = null

  const start = async (): Promise<readonly string[]> => {
    await servers?.start()
    running = await openService(cleanup, path, size.workers, { DEMO: 'false', ...settings })
    return [running.origin]
  }
  const stop = async (): Promise<void> => {
    await running?.child.stop()
    await servers?.stop()
  }

  await start()
  const companies = await createCompaniesAt(path, size.companies, newRandom(size.seed))
  await stop()
  return {
    name: hasNats ? 'one node, NATS' : 'one node',
    shards: shardsOf(path),
    companies,
    start,
    stop,
    pids: () => ({ nodes: [running!.child.pid], servers: servers?.pids() ?? [] }),
    metric: async (name) => (await readMetrics(path))(name),
  }
}

export const manyNodes = async (cluster: BenchCluster, size: Size): Promise<ClusterTarget> => {
  const start = async (): Promise<readonly string[]> => {
    await cluster.start()
    return cluster.names.map(cluster.origin)
  }
  await start()
  const dataDir = cluster.dataDir(cluster.names[0]!)
  const companies = await createCompaniesAt(dataDir, size.companies, newRandom(size.seed))
  await cluster.stop()
  return {
    name: 'cluster',
    shards: shardsOf(dataDir),
    companies,
    start,
    stop: cluster.stop,
    pids: cluster.pids,
    metric: cluster.metric,
  }
}
