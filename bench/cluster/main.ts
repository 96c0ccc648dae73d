import { setTimeout as sleep } from 'node:timers/promises'
import { accountIdOf, type CompanyId } from '../../engine/shared/ids.ts'
import { shardOf } from '../../gateway/link/router.ts'
import type { Cleanup } from '../cleanup.ts'
import { machine } from '../conditions.ts'
import type { Generator } from '../generator.ts'
import type { Options } from '../options.ts'
import { threadsUs } from '../processes.ts'
import { printConditions } from '../report.ts'
import { sumOf } from '../sum.ts'
import { requestsOf } from '../workloads.ts'
import { findWrk } from '../wrk.ts'
import { failOver } from './failover.ts'
import { handOver, type Pause } from './handover.ts'
import { type BenchCluster, openCluster } from './nodes.ts'
import type { Probed } from './prober.ts'
import {
  type ClusterRow,
  type Idle,
  printFailovers,
  printHeading,
  printIdle,
  printPauses,
  printRatios,
  printRow,
  writeJson,
} from './report.ts'
import { type ClusterTarget, manyNodes, oneNode } from './targets.ts'

/**
 * PIX charges created at nodes on three NATS servers, beside one node with as many workers, in turns; then how long shards
 * are without an owner when one is killed, and when one is moved.
 */
export const benchCluster = async (options: Options, cleanup: Cleanup): Promise<readonly ClusterRow[]> => {
  const { nodes, delayMs } = options
  const workersPerNode = Math.max(1, Math.floor(options.workers / nodes))
  const generator = await findWrk(cleanup, nodes)
  if (generator === null)
    throw new Error('it needs wrk, which loads several nodes at once: see bench/README.md')
  const size = { ...options, workers: nodes * workersPerNode }
  const cluster = await openCluster(cleanup, workersPerNode, options)
  const targets = [
    await oneNode(cleanup, false, size),
    await oneNode(cleanup, true, size),
    await manyNodes(cluster, size),
  ]
  const { shards } = targets.at(-1)!
  const { seconds, rounds, seed } = options
  const conditions = {
    ...machine(),
    generator: generator.name,
    nodes,
    delayMs,
    workersPerNode,
    shards,
    seconds,
    rounds,
    seed,
  }
  printConditions({ ...conditions, companies: options.companies })

  if (options.idle) {
    const idles = await measureIdles(targets)
    if (options.jsonFile !== null) writeJson(options.jsonFile, { conditions, idles })
    return []
  }
  const rows: ClusterRow[] = []
  printHeading()
  for (const connections of options.connections)
    for (let round = 1; round <= rounds; round++)
      for (const target of targets) {
        const row = { round, ...(await measure(cleanup, generator, target, connections, options)) }
        printRow(row)
        rows.push(row)
      }
  printRatios(rows, targets.at(-1)!.name)
  const idles = await measureIdles(targets)

  const { companies } = targets.at(-1)!
  const probed = companies.map((company) => ({
    ...company,
    shard: shardOf(accountIdOf(company.id as CompanyId, 'SANDBOX'), shards),
  }))
  await cluster.start()
  const failoversMs: number[] = []
  for (let round = 0; round < rounds; round++) failoversMs.push(...(await failOver(cluster, probed)))
  printFailovers(failoversMs, rounds)
  const pauses = await measurePauses(cleanup, generator, cluster, probed, options)
  printPauses(pauses, clientsOf(options.connections[0]!, nodes))
  await cluster.stop()
  if (options.jsonFile !== null) writeJson(options.jsonFile, { conditions, rows, idles, failoversMs, pauses })
  return rows
}

/** The number of clients, rounded up so that each node gets equally many. */
const clientsOf = (connections: number, nodes: number): number => nodes * Math.ceil(connections / nodes)

const measure = async (
  cleanup: Cleanup,
  generator: Generator,
  target: ClusterTarget,
  connections: number,
  options: Options,
): Promise<Omit<ClusterRow, 'round'>> => {
  const { metric, name, start, stop } = target
  const load = loadOf(await start(), target.companies, connections, options)
  if (options.warmUpSeconds > 0) await generator.load(cleanup, { ...load, seconds: options.warmUpSeconds })
  const before = await counted(metric)
  const busy = watchCpu(target)
  const result = await generator.load(cleanup, { ...load, seconds: options.seconds })
  const { nodesUs, serversUs } = busy()
  const after = await counted(metric)
  const { elsewhere, calls, batches, commits, entries } = Object.fromEntries(
    Object.entries(after).map(([name, value]) => [name, value - before[name as keyof typeof before]]),
  ) as typeof after
  await stop()
  return {
    ...result,
    name,
    clients: load.connections,
    elsewhereShare: load.otherOrigins.length === 0 ? null : elsewhere / result.requests,
    callsPerBatch: batches === 0 ? null : calls / batches,
    entriesPerCommit: entries / Math.max(1, commits),
    nodesUs: nodesUs / result.requests,
    serversUs: serversUs / result.requests,
  }
}

/** Watches the processor time of a target from now on. */
const watchCpu = ({ pids }: ClusterTarget) => {
  const { nodes, servers } = pids()
  const read = () => ({ nodesUs: sumOf(nodes.map(threadsUs)), serversUs: sumOf(servers.map(threadsUs)) })
  const before = read()
  return () => {
    const after = read()
    return { nodesUs: after.nodesUs - before.nodesUs, serversUs: after.serversUs - before.serversUs }
  }
}

const measureIdles = async (targets: readonly ClusterTarget[]): Promise<Readonly<Record<string, Idle>>> => {
  const idles: Record<string, Idle> = {}
  for (const target of targets) {
    const idle = await idleOf(target)
    printIdle(target.name, idle)
    idles[target.name] = idle
  }
  return idles
}

/** What a target takes while its shards rest. */
const idleOf = async (target: ClusterTarget): Promise<Idle> => {
  await target.start()
  await sleep(restMs)
  const watched = watchCpu(target)
  await sleep(idleMs)
  const { nodesUs, serversUs } = watched()
  await target.stop()
  return { nodesMs: nodesUs / idleMs, serversMs: serversUs / idleMs }
}

/** A shard that nobody needed for 15 leases rests. */
const restMs = 32_000
const idleMs = 10_000

const counted = async (metric: ClusterTarget['metric']) => ({
  elsewhere: await metric('payments_cluster_elsewhere_total'),
  calls: await metric('payments_cluster_calls_total'),
  batches: await metric('payments_cluster_batches_total'),
  commits: await metric('payments_journal_commits_total'),
  entries: await metric('payments_journal_entries_total'),
})

const loadOf = (
  [origin, ...otherOrigins]: readonly string[],
  companies: ClusterTarget['companies'],
  connections: number,
  { seed, seconds, nodes }: Options,
) => ({
  origin: origin!,
  otherOrigins,
  requests: requestsOf('create', { companies, charges: [], marketplaces: [], seed, count: requestsPrepared }),
  connections: clientsOf(connections, nodes),
  seconds,
})

const requestsPrepared = 10_000

/** Measures the pauses of handovers of shards in turns, beside a load. */
const measurePauses = async (
  cleanup: Cleanup,
  generator: Generator,
  cluster: BenchCluster,
  probed: readonly Probed[],
  options: Options,
): Promise<readonly Pause[]> => {
  const origins = cluster.names.map(cluster.origin)
  const load = loadOf(origins, probed, options.connections[0]!, options)
  let isOver = false
  const loading = (async () => {
    while (!isOver) await generator.load(cleanup, { ...load, seconds: loadSeconds })
  })()
  const pauses: Pause[] = []
  for (let n = 0; n < movesPerRound * options.rounds; n++)
    pauses.push(await handOver(cluster, probed[n % probed.length]!))
  isOver = true
  await loading
  return pauses
}

const movesPerRound = 4
/** Loads follow each other with a short gap; few gaps fall into a move. */
const loadSeconds = 30
