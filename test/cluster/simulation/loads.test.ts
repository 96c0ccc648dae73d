import t, { type Test } from 'tap'
import type { LoadRule } from '../../../persistence/cluster/load-rule.ts'
import { unpackRecord } from '../../../persistence/cluster/record.ts'
import type { Flaw } from './flaws.ts'
import { newInvariants } from './invariants.ts'
import { newNetwork } from './network.ts'
import { newSimulatedNode, type SimulatedNode, type World } from './node.ts'
import { newPlacementsModel } from './placements-model.ts'
import { newRandom } from './random.ts'
import { newScheduler } from './scheduler.ts'
import { newStreamModel } from './stream-model.ts'

/** Members of a cluster over logs and a network that are models, in virtual time, without faults but those that a test makes. */
const rule: LoadRule = {
  pauseMs: 30_000,
  windowMs: 10_000,
  lastsMs: 20_000,
  restMs: 120_000,
  loadMin: 3,
  lookMs: 1_000,
}

const newWorld = (
  t: Test,
  logs: number,
  {
    writtenVersion = 14,
    copies = 9,
    flaw = {},
  }: { readonly writtenVersion?: number; readonly copies?: number; readonly flaw?: Flaw } = {},
) => {
  const random = newRandom(7)
  const scheduler = newScheduler(random)
  const nodes: SimulatedNode[] = []
  /** By log: how many entries a second it is asked for. */
  const rates = Array.from({ length: logs }, () => 0)
  /** What moved when, because of its load. */
  const moves: { readonly log: number; readonly atMs: number }[] = []
  const placements = newPlacementsModel((log) => {
    moves.push({ log, atMs: scheduler.nowMs() })
    invariants.moved(log)
  })
  const watched = () => nodes.flatMap((node) => node.life() ?? [])
  const invariants = newInvariants(
    logs,
    (log) => streams[log]!,
    watched,
    (name, log) => nodes.find((node) => node.name === name)!.entriesOf(log),
    {
      copies,
      of: (log) => placements.now(log)?.nodes ?? null,
      disks: (log) => nodes.map(({ name, appliedOf }) => ({ name, applied: appliedOf(log) })),
      nowMs: scheduler.nowMs,
    },
    rule,
  )
  const streams = Array.from({ length: logs }, (_, log) =>
    newStreamModel(scheduler, random, {
      skipped: (sequence) => invariants.skipped(log, sequence),
      committed: (sequence, bytes) => invariants.committed(log, sequence, bytes),
      say: () => undefined,
    }),
  )
  const world: World = {
    ...{ scheduler, random, streams, invariants, placements, nodes, rule, writtenVersion },
    network: newNetwork(),
    leaseMs: 2_000,
    pins: new Map(),
    flaw,
    logKept: { records: 1e9, ms: 0, nodesMin: 2, lookMs: 60_000 },
    copiesRule: { copies, goneMs: 600_000, stableMs: 5_000, lookMs: 1_000 },
    isQuiet: false,
    hasRun: true,
    pickLog: null,
    livesChanged: () => undefined,
    say: () => undefined,
  }
  const start = (name: string): SimulatedNode => {
    const node = newSimulatedNode(world, name, 1)
    nodes.push(node)
    node.start()
    return node
  }
  const owners = (): readonly (string | null)[] =>
    streams.map((_, log) => {
      const owner = watched().find(({ replicas }) => replicas.get(log)?.role() === 'OWNER')
      return owner?.self.node ?? null
    })
  let entries = 0
  const write = (): void => {
    for (const [log, rate] of rates.entries()) {
      if (!random.chance(rate / 20)) continue
      entries += 1
      const shards = watched().flatMap((life) => life.shards[log] ?? [])
      shards.find((shard) => shard.isLeading())?.write(`k=${entries}`, () => undefined)
    }
    scheduler.after(50, write)
  }
  write()
  return {
    world,
    rates,
    moves,
    owners,
    start,
    /** How often a log was handed over. */
    handovers: (): number =>
      streams
        .flatMap(({ records }) => records)
        .filter((bytes) => unpackRecord(bytes).record.kind === 'HANDOVER').length,
    /** Lets seconds pass. */
    pass: async (seconds: number): Promise<void> => {
      await scheduler.runFor(seconds * 1000, () => {
        invariants.afterEvent()
        return invariants.problems.length > 0 ? 'STOP' : 'GO_ON'
      })
      t.strictSame(invariants.problems, [])
    },
  }
}

/** Three nodes with two logs each. */
const startThree = async (t: Test, options = {}) => {
  const cluster = newWorld(t, 6, options)
  for (const name of 'abc') cluster.start(name)
  await cluster.pass(20)
  const owners = cluster.owners()
  for (const name of 'abc') t.equal(owners.filter((owner) => owner === name).length, 2)
  const logsOf = (name: string): number[] => owners.flatMap((owner, log) => (owner === name ? [log] : []))
  return { ...cluster, before: owners, logsOf }
}

/** How many logs have another owner. */
const changed = (before: readonly unknown[], after: readonly unknown[]): number =>
  before.filter((owner, log) => owner !== after[log]).length

t.test('one of two busy logs moves, once, and stays', async (t) => {
  const { rates, logsOf, pass, moves, before, owners } = await startThree(t)
  for (const log of logsOf('a')) rates[log] = 5
  await pass(300)
  t.equal(moves.length, 1)
  t.equal(changed(before, owners()), 1)
  t.equal(owners().filter((owner) => owner === 'a').length, 1)
  for (const log of logsOf('a')) rates[log] = 0
  await pass(300)
  t.equal(moves.length, 1, 'what is busy no more stays where it is')
})

t.test('nothing moves without load, with even load, or for one log that is busy alone', async (t) => {
  const { rates, logsOf, pass, moves, before, owners } = await startThree(t)
  await pass(120)
  rates.fill(3)
  await pass(120)
  rates.fill(0)
  rates[logsOf('b')[0]!] = 8
  await pass(120)
  t.strictSame(moves, [])
  t.strictSame(owners(), before)
})

t.test('a load that comes and goes moves nothing, and one that swings moves each log rarely', async (t) => {
  const { rates, logsOf, pass, moves } = await startThree(t)
  for (let times = 0; times < 10; times++) {
    for (const log of logsOf('a')) rates[log] = 5
    await pass(4)
    for (const log of logsOf('a')) rates[log] = 0
    await pass(36)
  }
  t.strictSame(moves, [])
  for (let times = 0; times < 12; times++) {
    for (const name of ['a', 'b', 'c'])
      for (const log of logsOf(name)) rates[log] = 'abc'[times % 3] === name ? 5 : 0
    await pass(40)
  }
  t.ok(moves.length > 0 && moves.length <= (12 * 40) / 30, `${moves.length} moves`)
  for (let log = 0; log < 6; log++) t.ok(moves.filter((move) => move.log === log).length <= 4)
})

t.test('a pause passes between two moves', async (t) => {
  const { rates, pass, moves, world, start, owners } = newWorld(t, 8)
  start('a')
  await pass(20)
  rates.fill(3)
  for (let log = 0; log < 8; log++) world.pins.set(log, 'a')
  start('b')
  await pass(60)
  t.strictSame(moves, [], 'what is pinned stays')
  t.strictSame(new Set(owners()), new Set(['a']))
  world.pins.clear()
  await pass(20)
  t.equal(owners().filter((owner) => owner === 'b').length, 4, 'an equal number, as ever')
  await pass(100)
  t.strictSame(moves, [])
  // Now those of one node are the busy ones.
  for (const [log, owner] of owners().entries()) rates[log] = owner === 'a' ? 4 : 0.5
  await pass(240)
  t.ok(moves.length >= 1 && moves.length <= 3, `${moves.length} moves`)
  for (const [n, { atMs }] of moves.entries()) t.ok(n === 0 || atMs - moves[n - 1]!.atMs >= 30_000)
})

t.test('nothing moves while a node starts, drains, or has been there for less than a pause', async (t) => {
  const { rates, logsOf, pass, moves, world } = await startThree(t)
  const c = world.nodes.find(({ name }) => name === 'c')!
  for (const log of logsOf('a')) rates[log] = 5
  await pass(5)
  void c.life()!.cluster.drain(false)
  await pass(120)
  t.strictSame(moves, [], 'a node drains')
  c.crash(false)
  await pass(5)
  c.start()
  await pass(25)
  t.strictSame(moves, [], 'it has just started')
  await pass(120)
  t.equal(moves.length, 1)
})

t.test('a node that is taken over from and comes back gets what was moved to it', async (t) => {
  const { rates, logsOf, pass, moves, world, before, owners } = await startThree(t)
  for (const log of logsOf('a')) rates[log] = 5
  await pass(120)
  const after = owners()
  t.equal(changed(before, after), 1)
  const taker = after.find((owner, log) => owner !== before[log])!
  const node = world.nodes.find(({ name }) => name === taker)!
  node.crash(false)
  await pass(20)
  t.equal(owners().filter((owner) => owner === null || owner === taker).length, 0)
  node.start()
  await pass(60)
  t.strictSame(owners(), after)
  t.equal(moves.length, 1)
})

t.test(
  'a node that hears late of a move gets the log when it knows why, and does not give it back',
  async (t) => {
    const lateMs = 10_000
    const late: Flaw['moves'] = (node, known, nowMs) => {
      if (node === 'a') return known
      let [heard, at, next] = [known(), nowMs(), known()]
      return () => {
        if (known().number !== next.number) [next, at] = [known(), nowMs()]
        if (nowMs() - at >= lateMs) heard = next
        return heard
      }
    }
    const { rates, logsOf, pass, moves, before, owners, handovers } = await startThree(t, {
      flaw: { moves: late },
    })
    for (const log of logsOf('a')) rates[log] = 5
    const handed = handovers()
    while (moves.length === 0) await pass(1)
    await pass(5)
    t.strictSame(owners(), before)
    await pass(30)
    t.equal(changed(before, owners()), 1)
    t.equal(handovers() - handed, 1)
    t.equal(moves.length, 1)
  },
)

t.test('what an operator says ends what the load said', async (t) => {
  const { rates, logsOf, pass, moves, world, before, owners } = await startThree(t)
  for (const log of logsOf('a')) rates[log] = 5
  await pass(120)
  const [{ log }] = moves as [(typeof moves)[number]]
  t.not(owners()[log], 'a')
  rates.fill(0)
  world.placements.pinned(log)
  await pass(20)
  t.strictSame(owners(), before)
})

t.test('a cluster that still writes what earlier builds read moves nothing', async (t) => {
  const { rates, logsOf, pass, moves } = await startThree(t, { writtenVersion: 13 })
  for (const log of logsOf('a')) rates[log] = 5
  await pass(200)
  t.strictSame(moves, [])
})

t.test('a log moves only to a node that holds it', async (t) => {
  const cluster = newWorld(t, 6, { copies: 2 })
  for (const name of 'abcde') cluster.start(name)
  await cluster.pass(90)
  const before = cluster.owners()
  const busy = 'abcde'.split('').find((name) => before.filter((owner) => owner === name).length === 2)!
  for (const [log, owner] of before.entries()) cluster.rates[log] = owner === busy ? 5 : 0
  await cluster.pass(150)
  t.equal(cluster.moves.length, 1)
  const [{ log }] = cluster.moves as [(typeof cluster.moves)[number]]
  const owner = cluster.owners()[log]!
  t.not(owner, before[log])
  t.ok(cluster.world.placements.now(log)!.nodes.includes(owner))
})
