import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { emptied, leaseMs, proxied, type TestCluster } from './cluster.ts'
import type { Gap, Load } from './load.ts'

/** A fault that happens to a cluster under load. When it resolves, everything that was killed or stopped runs again. */
export type Scenario = {
  readonly name: string
  readonly fault: (run: Run) => Promise<void>
  /** Longer no shard may leave its clients without an acknowledgement: ten beats are a second, and more on a busy machine. */
  readonly gapBeatsMax: number
  /** It cuts the routes between servers. */
  readonly cutsRoutes?: boolean
}

export type Run = {
  readonly cluster: TestCluster
  /** Which time it is, from 0. */
  readonly round: number
  /** Resolves when every shard acknowledges again. */
  readonly untilAllAnswer: () => Promise<void>
  readonly underPressure: Load['underPressure']
}

/** The longest gap that one run of a scenario made. */
export const runScenario = async (
  { name, fault }: Scenario,
  cluster: TestCluster,
  load: Load,
  round: number,
): Promise<Gap> => {
  const { longestGap, untilAllAnswer } = load.measure()
  const { underPressure } = load
  const happen = async (): Promise<Gap> => {
    await untilAllAnswer()
    await fault({ cluster, round, untilAllAnswer, underPressure })
    await untilAllAnswer()
    await cluster.settled()
    return longestGap()
  }
  const over = happen()
  let isOver = false
  over.then(
    () => (isOver = true),
    () => (isOver = true),
  )
  // Counted, not measured: a time in which this process is not run is none.
  for (let waitedMs = 0; !isOver && waitedMs < roundMsMax; waitedMs += 100) await pause(100)
  if (!isOver) throw new Error(`${name} is not over after ${roundMsMax} ms`)
  return over
}

/** A cluster that has not come back by then does not come back. */
const roundMsMax = 120_000

const ownerKilled: Scenario = {
  name: 'owner-killed',
  gapBeatsMax: 100,
  fault: async ({ cluster, round, untilAllAnswer, underPressure }) => {
    const node = await owner(cluster, round)
    await underPressure(node.kill)
    await untilAllAnswer()
    await cluster.start(node.name)
  },
}

const ownerStopped: Scenario = {
  name: 'owner-stopped',
  gapBeatsMax: 100,
  fault: async ({ cluster, round, underPressure }) => {
    const node = await owner(cluster, round)
    await underPressure(node.sleep)
    await pause(3 * leaseMs)
    await underPressure(node.wake)
  },
}

const handover: Scenario = {
  name: 'handover',
  gapBeatsMax: 40,
  fault: async ({ cluster, round, underPressure }) => {
    await underPressure(async () => {
      for (const [n, { shard }] of cluster.merchants.entries()) {
        const from = await cluster.ownerOf(shard)
        const others = [...cluster.nodes.keys()].filter((name) => name !== from)
        await cluster.move(shard, others[(n + round) % others.length]!)
      }
    })
    await cluster.unpin()
  },
}

const natsLeaderKilled: Scenario = {
  name: 'nats-leader-killed',
  gapBeatsMax: 150,
  fault: async ({ cluster, round, untilAllAnswer, underPressure }) => {
    const leader = await cluster.logLeader(round % cluster.merchants.length)
    await underPressure(() => cluster.servers.kill(leader, 'SIGKILL'))
    await untilAllAnswer()
    await cluster.servers.start(leader)
    await cluster.servers.ready()
  },
}

const natsLeaderStopped: Scenario = {
  name: 'nats-leader-stopped',
  gapBeatsMax: 300,
  fault: async ({ cluster, round }) => {
    const leader = await cluster.logLeader(round % cluster.merchants.length)
    await cluster.servers.kill(leader, 'SIGSTOP')
    await pause(12_000)
    await cluster.servers.kill(leader, 'SIGCONT')
  },
}

const quorumLost: Scenario = {
  name: 'quorum-lost',
  gapBeatsMax: 400,
  fault: ({ cluster, round }) => killServers(cluster, [round % 3, (round + 1) % 3], 6_000),
}

const serversKilled: Scenario = {
  name: 'servers-killed',
  gapBeatsMax: 300,
  fault: ({ cluster }) => killServers(cluster, everyServer, 1_000),
}

const killServers = async (
  { servers }: TestCluster,
  which: readonly number[],
  forMs: number,
): Promise<void> => {
  for (const n of which) await servers.kill(n, 'SIGKILL')
  await pause(forMs)
  for (const n of which) await servers.start(n)
  await servers.ready()
}

/** The servers come back as they were some seconds ago, without what they have acknowledged since. */
const powerLost: Scenario = {
  name: 'power-lost',
  gapBeatsMax: 400,
  fault: async (run) => {
    await outrunDisks(run)
    await run.cluster.servers.losePower()
  },
}

/** The servers acknowledge what the disks that they will wake up with do not hold. */
const outrunDisks = async ({ cluster, untilAllAnswer }: Run): Promise<void> => {
  await cluster.servers.keepDisks()
  await untilAllAnswer()
  await pause(2_000)
}

/** The same, and nobody is left who remembers: whoever has the longest log on its disk must go first. */
const everythingLost: Scenario = {
  name: 'everything-lost',
  gapBeatsMax: 600,
  fault: async (run) => {
    const { cluster } = run
    await outrunDisks(run)
    const names = [...cluster.nodes.keys()]
    await Promise.all(names.map((name) => cluster.nodes.get(name)!.kill()))
    await cluster.servers.losePower()
    await Promise.all(names.map((name) => cluster.start(name)))
  },
}

const nodesKilled: Scenario = {
  name: 'nodes-killed',
  gapBeatsMax: 300,
  fault: async ({ cluster }) => {
    const names = [...cluster.nodes.keys()]
    await Promise.all(names.map((name) => cluster.nodes.get(name)!.kill()))
    await Promise.all(names.map((name) => cluster.start(name)))
  },
}

const ownerAndLeaderKilled: Scenario = {
  name: 'owner-and-nats-leader-killed',
  gapBeatsMax: 300,
  fault: async ({ cluster, round, untilAllAnswer }) => {
    const node = await owner(cluster, round)
    const leader = await cluster.logLeader(round % cluster.merchants.length)
    await Promise.all([node.kill(), cluster.servers.kill(leader, 'SIGKILL')])
    await untilAllAnswer()
    await cluster.servers.start(leader)
    await cluster.servers.ready()
    await cluster.start(node.name)
  },
}

/** What the servers have stored is not said to the owner, and its connections end. */
const lostAcknowledgements: Scenario = {
  name: 'lost-acknowledgements',
  gapBeatsMax: 100,
  fault: async ({ cluster, round, untilAllAnswer, underPressure }) => {
    await cluster.move(round % cluster.merchants.length, proxied)
    for (let times = 0; times < 3; times++) {
      await underPressure(async () => {
        for (const proxy of cluster.proxies) proxy.swallowAnswers()
        await pause(60)
        for (const proxy of cluster.proxies) proxy.cut()
      })
      await untilAllAnswer()
    }
    await cluster.unpin()
  },
}

/** An owner that still has clients when what goes one way between it and NATS is lost. */
const ownerLosesOneWay =
  (lose: (proxy: TestCluster['proxies'][number]) => void): Scenario['fault'] =>
  async ({ cluster, round }) => {
    await cluster.move(round % cluster.merchants.length, proxied)
    for (const proxy of cluster.proxies) lose(proxy)
    await pause(5 * leaseMs)
    for (const proxy of cluster.proxies) proxy.cut()
    await cluster.unpin()
  }

/** The others hear it, and it hears nobody. */
const ownerDeaf: Scenario = {
  name: 'owner-deaf',
  gapBeatsMax: 250,
  fault: ownerLosesOneWay((proxy) => proxy.swallowAnswers()),
}

/** It hears everybody, and nobody hears it. */
const ownerMute: Scenario = {
  name: 'owner-mute',
  gapBeatsMax: 100,
  fault: ownerLosesOneWay((proxy) => proxy.swallowRequests()),
}

/** An owner whose words, and those of the others to it, take about as long as a lease. */
const ownerLate: Scenario = {
  name: 'owner-late',
  gapBeatsMax: 100,
  fault: async ({ cluster, round }) => {
    for (const share of [0.25, 0.5, 1, 1.5]) {
      await cluster.move(round % cluster.merchants.length, proxied)
      for (const proxy of cluster.proxies) proxy.delayBoth((share * leaseMs) / 2)
      await pause(5 * leaseMs)
      for (const proxy of cluster.proxies) proxy.delayBoth(0)
      await pause(3 * leaseMs)
    }
    await cluster.unpin()
  },
}

/** Two servers do not reach each other, and both reach the third one. */
const serversCut: Scenario = {
  name: 'servers-cut',
  gapBeatsMax: 300,
  cutsRoutes: true,
  fault: async ({ cluster, round, untilAllAnswer }) => {
    const leader = await cluster.logLeader(round % cluster.merchants.length)
    cluster.servers.cutRoute([leader, (leader + 1 + (round % 2)) % 3])
    await pause(8 * leaseMs)
    await untilAllAnswer()
    cluster.servers.cutRoute(null)
    await pause(2 * leaseMs)
    await cluster.servers.ready()
  },
}

/** A follower that hears everything late, when an owner dies. */
const slowFollower: Scenario = {
  name: 'slow-follower',
  gapBeatsMax: 150,
  fault: async ({ cluster, round, untilAllAnswer }) => {
    await leave(cluster, proxied)
    for (const proxy of cluster.proxies) proxy.delay(1_500)
    await pause(3_000)
    const node = await owner(cluster, round)
    await node.kill()
    await untilAllAnswer()
    for (const proxy of cluster.proxies) proxy.delay(0)
    await cluster.start(node.name)
    await cluster.unpin()
  },
}

/** A follower on a small disk of its own, which is full for a while. */
const fullDisk: Scenario = {
  name: 'full-disk',
  gapBeatsMax: 60,
  fault: async ({ cluster, untilAllAnswer }) => {
    const disk = await cluster.smallDisk()
    if (!cluster.nodes.has('full')) await cluster.start('full', { dataDir: disk.path })
    await leave(cluster, 'full')
    await cluster.settled()
    disk.fill()
    await pause(3_000)
    await untilAllAnswer()
    disk.free()
    await cluster.settled()
    await cluster.unpin()
  },
}

const joinsEmpty: Scenario = {
  name: 'joins-empty',
  gapBeatsMax: 60,
  fault: async ({ cluster, round, untilAllAnswer, underPressure }) => {
    const before = cluster.nodes.get('new')
    await before?.end()
    if (before !== undefined) emptied(before.dataDir)
    await cluster.start('new')
    await cluster.settled()
    await underPressure(() => cluster.move(round % cluster.merchants.length, 'new'))
    await untilAllAnswer()
    await cluster.unpin()
  },
}

/** The disk of a node has changed characters while it was stopped: it notices, and fetches again what is damaged. */
const diskDamaged: Scenario = {
  name: 'disk-damaged',
  gapBeatsMax: 100,
  fault: async ({ cluster, round, untilAllAnswer, underPressure }) => {
    const node = await owner(cluster, round)
    await underPressure(node.kill)
    const merchants = cluster.merchants.map(({ shard }) =>
      join('shards', String(shard).padStart(2, '0'), 'log'),
    )
    for (const folder of ['directory', ...merchants]) damage(join(node.dataDir, folder, 'data.mdb'))
    const { service } = await cluster.start(node.name)
    await until(() => service!.log().split('was fetched again, and is whole').length > merchants.length)
    if (!service!.log().includes('directory is damaged'))
      throw new Error('the damaged directory was not noticed')
    await cluster.settled()
    await underPressure(() => cluster.move(round % cluster.merchants.length, node.name))
    await untilAllAnswer()
    await cluster.unpin()
  },
}

/** The clock of a node is behind: with one that is a little off it serves, with one that is far off it owns no shard. */
const clockOff: Scenario = {
  name: 'clock-off',
  gapBeatsMax: 100,
  fault: async ({ cluster, round, untilAllAnswer }) => {
    const shard = round % cluster.merchants.length
    const { name } = await owner(cluster, round)
    const startAnew = async (clockShiftMs?: number): Promise<void> => {
      await cluster.nodes.get(name)!.kill()
      await cluster.start(name, clockShiftMs === undefined ? {} : { clockShiftMs })
      await cluster.settled()
    }
    await startAnew(-10_000)
    await cluster.move(shard, name)
    await untilAllAnswer()
    await until(() => cluster.nodes.get(name)!.service!.log().includes('behind those of the other nodes'))
    for (const clockShiftMs of [-600_000, 86_400_000]) {
      await startAnew(clockShiftMs)
      await until(() => cluster.nodes.get(name)!.service!.log().includes('it owns no shards until'))
      await cluster.settled()
      await untilAllAnswer()
      const { nodes } = await cluster.view()
      const { state, shards } = nodes.find(({ node }) => node === name)!
      if (state !== 'UNFIT' || shards > 0) throw new Error(`${name} is ${state} and owns ${shards} shards`)
    }
    await cluster.unpin()
    await startAnew()
  },
}

/** Changes a character in every record, also where the file has old copies of it. */
const damage = (file: string): void => {
  const bytes = readFileSync(file)
  for (let at = bytes.indexOf('"previous":'); at >= 0; at = bytes.indexOf('"previous":', at + 1))
    bytes.write('x', at + 1)
  writeFileSync(file, bytes)
}

const until = async (isSo: () => boolean): Promise<void> => {
  while (!isSo()) await pause(50)
}

const everyServer = [0, 1, 2]

const owner = async (cluster: TestCluster, round: number) =>
  cluster.nodes.get(await cluster.ownerOf(round % cluster.merchants.length))!

/** From now on a node owns nothing. */
const leave = async (cluster: TestCluster, left: string): Promise<void> => {
  const others = [...cluster.nodes.values()].filter(({ name, service }) => name !== left && service !== null)
  for (const { shard } of cluster.merchants) await cluster.move(shard, others[shard % others.length]!.name)
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

export const scenarios: readonly Scenario[] = [
  handover,
  lostAcknowledgements,
  joinsEmpty,
  ownerKilled,
  ownerStopped,
  ownerDeaf,
  ownerMute,
  ownerLate,
  nodesKilled,
  slowFollower,
  diskDamaged,
  clockOff,
  fullDisk,
  natsLeaderKilled,
  natsLeaderStopped,
  serversCut,
  ownerAndLeaderKilled,
  quorumLost,
  serversKilled,
  powerLost,
  everythingLost,
]
