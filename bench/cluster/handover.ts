import { setTimeout as sleep } from 'node:timers/promises'
import { operate } from '../service.ts'
import type { BenchCluster } from './nodes.ts'
import { type Acknowledged, type Probed, startProber } from './prober.ts'

/** The longest time without an acknowledged charge of one shard, during its move and before it. */
export type Pause = { readonly movedMs: number; readonly beforeMs: number }

/** Moves the shard of a company to another node, as `payments cluster move` does. */
export const handOver = async (cluster: BenchCluster, company: Probed): Promise<Pause> => {
  const { shards } = await cluster.status(cluster.names[0]!)
  const { owner, holders } = shards[company.shard]!
  const to = (holders ?? cluster.names).find((name) => name !== owner)!
  const prober = startProber(cluster.names.map(cluster.origin), [company], lanes)
  await sleep(warmUpMs)
  const startedAtMs = performance.now()
  await sleep(windowMs)
  const movedAtMs = performance.now()
  await operate(cluster.dataDir(cluster.names[0]!), 'cluster move', {
    shard: String(company.shard),
    node: to,
  })
  // The command takes longer than the handover: both windows are of one length, as far as that allows.
  const endsAtMs = Math.max(movedAtMs + windowMs, performance.now())
  await sleep(endsAtMs - performance.now())
  await prober.stop()
  return {
    beforeMs: longestGap(prober.acknowledged, startedAtMs, movedAtMs),
    movedMs: longestGap(prober.acknowledged, movedAtMs, endsAtMs),
  }
}

const lanes = 4
const warmUpMs = 300
const windowMs = 1_500

const longestGap = (acknowledged: readonly Acknowledged[], fromMs: number, toMs: number): number => {
  const times = acknowledged.map(({ atMs }) => atMs).filter((atMs) => atMs > fromMs && atMs < toMs)
  const marks = [fromMs, ...times.sort((a, b) => a - b), toMs]
  return Math.max(...marks.slice(1).map((mark, n) => mark - marks[n]!))
}
