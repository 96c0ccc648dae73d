import type { TestCluster } from './cluster.ts'
import { leaseMs } from './cluster.ts'
import type { Load } from './load.ts'

/** A fault that happens to a cluster under load. When it resolves, everything that was killed or stopped runs again. */
export type Scenario = {
  readonly name: string
  readonly fault: (run: Run) => Promise<void>
  /** Longer no shard may leave its clients without an acknowledgement, on a machine that has other things to do, too. */
  readonly gapMsMax: number
}

export type Run = {
  readonly cluster: TestCluster
  /** Which time it is, from 0. */
  readonly round: number
  /** Resolves when every shard acknowledges again. */
  readonly untilAllAnswer: () => Promise<void>
}

/** Milliseconds of the longest gap that one run of a scenario made. */
export const runScenario = async (
  { name, fault }: Scenario,
  cluster: TestCluster,
  load: Load,
  round: number,
): Promise<number> => {
  const { longestGapMs, untilAllAnswer } = load.measure()
  const happen = async (): Promise<number> => {
    await untilAllAnswer()
    await fault({ cluster, round, untilAllAnswer })
    await untilAllAnswer()
    await cluster.settled()
    return longestGapMs()
  }
  return Promise.race([
    happen(),
    pause(roundMsMax).then(() => {
      throw new Error(`${name} is not over after ${roundMsMax} ms`)
    }),
  ])
}

/** A cluster that has not come back by then does not come back. */
const roundMsMax = 120_000

const ownerKilled: Scenario = {
  name: 'owner-killed',
  gapMsMax: 10_000,
  fault: async ({ cluster, round, untilAllAnswer }) => {
    const node = await owner(cluster, round)
    await node.kill()
    await untilAllAnswer()
    await cluster.start(node.name)
  },
}

const ownerStopped: Scenario = {
  name: 'owner-stopped',
  gapMsMax: 10_000,
  fault: async ({ cluster, round }) => {
    const node = await owner(cluster, round)
    node.sleep()
    await pause(3 * leaseMs)
    node.wake()
  },
}

const handover: Scenario = {
  name: 'handover',
  gapMsMax: 4_000,
  fault: async ({ cluster, round }) => {
    for (const [n, { shard }] of cluster.merchants.entries()) {
      const from = await cluster.ownerOf(shard)
      const others = [...cluster.nodes.keys()].filter((name) => name !== from)
      await cluster.move(shard, others[(n + round) % others.length]!)
    }
    await cluster.unpin()
  },
}

const natsLeaderKilled: Scenario = {
  name: 'nats-leader-killed',
  gapMsMax: 25_000,
  fault: async ({ cluster, round, untilAllAnswer }) => {
    const leader = await cluster.logLeader(round % cluster.merchants.length)
    await cluster.servers.kill(leader, 'SIGKILL')
    await untilAllAnswer()
    await cluster.servers.start(leader)
    await cluster.servers.ready()
  },
}

const owner = async (cluster: TestCluster, round: number) =>
  cluster.nodes.get(await cluster.ownerOf(round % cluster.merchants.length))!

const pause = (ms: number): Promise<void> => new Promise((resolve) => void setTimeout(resolve, ms).unref())

export const scenarios: readonly Scenario[] = [handover, ownerKilled, ownerStopped, natsLeaderKilled]
