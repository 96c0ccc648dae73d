import { unpackRecord } from '../../../persistence/cluster/record.ts'
import { codecVersion } from '../../../persistence/codec/layout.ts'
import { newClients } from './clients.ts'
import { startFaults } from './faults.ts'
import { type Flaw, noFlaw } from './flaws.ts'
import { newInvariants, type Watched } from './invariants.ts'
import { newLoads } from './loads.ts'
import { newNetwork } from './network.ts'
import { newSimulatedNode, type SimulatedNode, type World } from './node.ts'
import { newPlacementsModel } from './placements-model.ts'
import { newRandom } from './random.ts'
import { newScheduler } from './scheduler.ts'
import { newStreamModel } from './stream-model.ts'

/** What came of a run. */
export type SimulationResult = {
  readonly seed: number
  readonly problems: readonly string[]
  readonly events: number
  readonly acknowledged: number
  readonly reads: number
  readonly powerLosses: number
  readonly records: number
  /** How often a log moved because of its load. */
  readonly moves: number
}

/**
 * Runs a cluster of several nodes and logs in virtual time, with clients and faults, which all follow from the seed: the replicas, the
 * membership and the handovers are those of the service; streams, disks, clocks and connections are models. Then the faults end, and it
 * must heal.
 */
export const simulate = async (
  seed: number,
  {
    flaw = noFlaw,
    trace = () => undefined,
  }: { readonly flaw?: Flaw; readonly trace?: (line: string) => void } = {},
): Promise<SimulationResult> => {
  const random = newRandom(seed)
  const scheduler = newScheduler(random)
  const say = (who: string, message: string): void =>
    trace(`${(scheduler.nowMs() / 1000).toFixed(3).padStart(8)} ${who.padEnd(6)} ${message}`)
  const loads = newLoads(seed, scheduler.nowMs)
  const fewLogs = 1 + random.below(3)
  const logs = loads.isBusy ? loads.logs : fewLogs
  const isIdle = random.chance(0.1) && !loads.isBusy
  const nodes: SimulatedNode[] = []
  let living: readonly Watched[] = []
  const copies = random.pick([2, 2, 3, 3, 9])
  const placements = newPlacementsModel((log) => invariants.moved(log))
  const invariants = newInvariants(
    logs,
    (log) => streams[log]!,
    () => living,
    (name, log) => nodes.find((node) => node.name === name)!.entriesOf(log),
    {
      copies,
      of: (log) => placements.now(log)?.nodes ?? null,
      disks: (log) => nodes.map(({ name, appliedOf }) => ({ name, applied: appliedOf(log) })),
      nowMs: scheduler.nowMs,
    },
    // Clocks are a tenth fast at most.
    { pauseMs: loads.rule.pauseMs / 1.1, restMs: loads.rule.restMs / 1.1 },
  )
  const ownersChanged = Array.from({ length: logs }, () => 0)
  const streams = Array.from({ length: logs }, (_, log) =>
    newStreamModel(scheduler, random, {
      skipped: (sequence) => invariants.skipped(log, sequence),
      committed: (sequence, bytes) => {
        invariants.committed(log, sequence, bytes)
        const { kind, epoch, by } = unpackRecord(bytes).record
        if (kind !== 'BATCH') ownersChanged[log] = ownersChanged[log]! + 1
        if (kind !== 'BATCH') say(`log ${log}`, `record ${sequence}: ${kind} ${epoch} by ${by.incarnation}`)
      },
      say: (message) => say(`log ${log}`, message),
    }),
  )
  const world: World = {
    scheduler,
    random,
    network: newNetwork(),
    streams,
    invariants,
    // Few that ask rarely let logs rest, after fifteen leases.
    leaseMs: isIdle ? 1000 : random.pick([1000, 2000, 2000, 4000]),
    pins: new Map(),
    flaw,
    // Few records, so that nodes which were away for a while have to fetch copies; more than a loss of power takes.
    logKept: {
      records: random.pick([10, 30, 1e9]),
      ms: random.pick([0, 2000]),
      nodesMin: 2,
      lookMs: 2_000,
    },
    copiesRule: { copies, goneMs: random.pick([3_000, 6_000, 15_000]), stableMs: 5_000, lookMs: 500 },
    rule: loads.rule,
    writtenVersion: codecVersion,
    pickLog: loads.isBusy ? loads.pick : null,
    placements,
    nodes,
    isQuiet: false,
    hasRun: true,
    livesChanged: () => {
      world.hasRun = true
      living = nodes.flatMap((node) => node.life() ?? [])
    },
    say,
  }
  const drift = random.pick([0.0001, 0.01, 0.05, 0.1])
  const count = 3 + random.below(3)
  const hasZones = random.chance(0.3)
  let made = 0
  const newNode = (): SimulatedNode => {
    const node = newSimulatedNode(
      world,
      names[made]!,
      1 + random.between(-drift, drift),
      hasZones ? `zone ${made % 3}` : '',
    )
    made += 1
    nodes.push(node)
    return node
  }
  for (let n = 0; n < count; n++) newNode()

  const clients = newClients(world, nodes, {
    clients: isIdle ? 2 : 2 + random.below(5),
    thinkMs: isIdle ? 20_000 : random.skewed(80, 1000),
    ...(loads.isBusy && { clients: loads.clients, thinkMs: loads.thinkMs }),
    keys: 1 + random.below(3),
  })
  const isReckless = random.chance(0.1)
  for (const node of nodes) scheduler.after(random.between(0, 1500), node.start)
  const faults = startFaults(world, nodes, {
    everyMs: isIdle ? 5_000 : random.skewed(300, 2_000),
    newNode: () => (nodes.length < nodesMax && made < names.length ? newNode() : null),
    isReckless,
    onForgiven: () => {
      clients.forgive()
      invariants.forgive()
    },
  })
  say(
    '-',
    `${count} nodes, ${logs} logs, ${copies} copies, lease ${world.leaseMs}${isReckless ? ', reckless' : ''}`,
  )

  const afterEach = (): 'GO_ON' | 'STOP' => {
    if (world.hasRun) invariants.afterEvent()
    world.hasRun = false
    return invariants.problems.length > 0 ? 'STOP' : 'GO_ON'
  }
  const result = (): SimulationResult => ({
    seed,
    problems: invariants.problems,
    events: scheduler.events(),
    acknowledged: invariants.acknowledgedCount(),
    reads: clients.counts().reads,
    powerLosses: faults.counts().powerLosses,
    records: streams.reduce((sum, { records }) => sum + records.length, 0),
    moves: invariants.movesCount(),
  })

  /** Whether all nodes agree who should own each log, and it is so. */
  const areOwnersPlaced = (): boolean => {
    const lives = nodes.flatMap((node) => node.life() ?? [])
    const wanted = lives.map((life) => life.wantedOwners())
    return streams.every((_, log) => {
      const owner = lives.find(({ replicas }) => replicas.get(log)?.role() === 'OWNER')
      return wanted.every((owners) => owners[log] === owner?.self.node)
    })
  }

  /**
   * Without faults, an owner changes only where the directory says that a log is to move, and once for each. A replica that has stopped may be
   * where a log should be, and never gets it.
   */
  const balanceAlone = async (): Promise<void> => {
    if (invariants.hasForked()) return
    await scheduler.runFor(ownersPlacedMs, () => (areOwnersPlaced() ? 'STOP' : afterEach()))
    if (!areOwnersPlaced())
      invariants.problem(`owners are not where they should be ${ownersPlacedMs} ms later`)
    const before = streams.map((_, log) => ({
      owners: ownersChanged[log]!,
      moves: invariants.movesCount(log),
    }))
    await scheduler.runFor(balanceMs, afterEach)
    // The last one is on its way.
    await scheduler.runFor(ownersPlacedMs, () => (areOwnersPlaced() ? 'STOP' : afterEach()))
    if (!areOwnersPlaced()) invariants.problem('a log is not where it was moved')
    for (const [log, { owners, moves }] of before.entries()) {
      const [changes, moved] = [ownersChanged[log]! - owners, invariants.movesCount(log) - moves]
      if (changes !== moved)
        invariants.problem(`log ${log}: ${changes} changes of its owner, and ${moved} moves`)
    }
  }

  try {
    await scheduler.runFor(isIdle ? 75_000 : 20_000, afterEach)
    if (invariants.problems.length > 0) return result()

    faults.heal()
    const healedAtMs = scheduler.nowMs()
    const isHealed = (): boolean => clients.areServedSince(healedAtMs)
    await scheduler.runFor(isIdle ? 10 * healMs : healMs, () => (isHealed() ? 'STOP' : afterEach()))
    if (invariants.problems.length > 0) return result()
    if (!isHealed()) invariants.problem(`not every log is served ${healMs} ms after the last fault`)

    let placedAtMs: number | null = null
    let placedBy = -1
    const isSettled = (): boolean => placedAtMs !== null && scheduler.nowMs() - placedAtMs > placedForMs
    await scheduler.runFor(placedMs, () => {
      if (world.hasRun || placedBy !== placements.count())
        placedAtMs = invariants.areCopiesPlaced() ? (placedAtMs ?? scheduler.nowMs()) : null
      placedBy = placements.count()
      return isSettled() ? 'STOP' : afterEach()
    })
    if (invariants.problems.length > 0) return result()
    if (!isSettled())
      invariants.problem(`copies are not where they should be ${placedMs} ms after the last fault`)

    if (loads.isBusy) await balanceAlone()
    if (invariants.problems.length > 0) return result()

    clients.stop()
    await scheduler.runFor(settleMs, afterEach)
    world.isQuiet = true
    await scheduler.runFor(quietMs, afterEach)
    invariants.atEnd()
    clients.check()
  } catch (error) {
    invariants.problem(`it threw ${(error as Error).stack}`)
  }
  return result()
}

/** A node that was removed counts as gone, copies are fetched, and others leave. */
const placedMs = 120_000
/** Longer than nodes wait before they place copies, so that nothing comes behind it. */
const placedForMs = 15_000
/** After a death shards rest for half a minute. */
const ownersPlacedMs = 60_000
/** Some pauses. */
const balanceMs = 40_000
const names = 'abcdefgh'
const nodesMax = 6
/** A lease of four seconds, six of which a candidate with fewer records may wait, and some more. */
const healMs = 60_000
/** What was asked for ends, and restarted nodes follow. */
const settleMs = 4_000
const quietMs = 6_500
