import { setTimeout as sleep } from 'node:timers/promises'
import type { BenchCluster } from './nodes.ts'
import { type Probed, startProber } from './prober.ts'

/**
 * Kills the node that owns most shards of these companies (`kill -9`), and resolves to the milliseconds, for each
 * of its shards, until a charge sent after the kill was acknowledged. The node is back when it resolves.
 */
export const failOver = async (
  cluster: BenchCluster,
  companies: readonly Probed[],
): Promise<readonly number[]> => {
  const { shards } = await cluster.status(cluster.names[0]!)
  const ownedBy = (node: string): readonly Probed[] =>
    onePerShard(companies).filter(({ shard }) => shards[shard]!.owner === node)
  const victim = cluster.names.reduce((most, node) =>
    ownedBy(node).length > ownedBy(most).length ? node : most,
  )
  const survivors = cluster.names.filter((name) => name !== victim)
  const probed = ownedBy(victim)
  const prober = startProber(survivors.map(cluster.origin), probed, 1)
  await sleep(settleMs)
  const killedAtMs = performance.now()
  await cluster.kill(victim)
  const firsts = new Map<number, number>()
  for (const deadline = killedAtMs + failoverMsMax; firsts.size < probed.length; ) {
    if (performance.now() > deadline) throw new Error(`shards of ${victim} are not taken over`)
    await sleep(10)
    for (const { shard, sentAtMs, atMs } of prober.acknowledged)
      if (sentAtMs > killedAtMs && !firsts.has(shard)) firsts.set(shard, atMs - killedAtMs)
  }
  await prober.stop()
  await cluster.startNode(victim)
  await sleep(settleMs)
  return [...firsts.values()]
}

/** Time for all probes to be under way before the kill, and for a returning node to catch up before the next. */
const settleMs = 2_000
const failoverMsMax = 60_000

const onePerShard = (companies: readonly Probed[]): readonly Probed[] => [
  ...new Map(companies.map((company) => [company.shard, company])).values(),
]
