import { unpackRecord } from '../../../persistence/cluster/record.ts'
import { newClients } from './clients.ts'
import { startFaults } from './faults.ts'
import { type Flaw, noFlaw } from './flaws.ts'
import { newInvariants, type Watched } from './invariants.ts'
import { newNetwork } from './network.ts'
import { newSimulatedNode, type SimulatedNode, type World } from './node.ts'
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
  const logs = 1 + random.below(3)
  const isIdle = random.chance(0.1)
  const nodes: SimulatedNode[] = []
  let living: readonly Watched[] = []
  const invariants = newInvariants(
    logs,
    (log) => streams[log]!,
    () => living,
    (name, log) => nodes.find((node) => node.name === name)!.entriesOf(log),
  )
  const streams = Array.from({ length: logs }, (_, log) =>
    newStreamModel(scheduler, random, {
      skipped: (sequence) => invariants.skipped(log, sequence),
      committed: (sequence, bytes) => {
        invariants.committed(log, sequence, bytes)
        const { kind, epoch, by } = unpackRecord(bytes).record
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
    nodes,
    isQuiet: false,
    livesChanged: () => {
      living = nodes.flatMap((node) => node.life() ?? [])
    },
    say,
  }
  const drift = random.pick([0.0001, 0.01, 0.05, 0.1])
  const count = 3 + random.below(3)
  for (let n = 0; n < count; n++)
    nodes.push(newSimulatedNode(world, 'abcde'[n]!, 1 + random.between(-drift, drift)))

  const clients = newClients(world, nodes, {
    clients: isIdle ? 2 : 2 + random.below(5),
    thinkMs: isIdle ? 20_000 : random.skewed(80, 1000),
    keys: 1 + random.below(3),
  })
  const isReckless = random.chance(0.1)
  for (const node of nodes) scheduler.after(random.between(0, 1500), node.start)
  const faults = startFaults(world, nodes, {
    everyMs: isIdle ? 5_000 : random.skewed(300, 2_000),
    isReckless,
    onForgiven: () => {
      clients.forgive()
      invariants.forgive()
    },
  })
  say('-', `${count} nodes, ${logs} logs, lease ${world.leaseMs}${isReckless ? ', reckless' : ''}`)

  const afterEach = (): 'GO_ON' | 'STOP' => {
    invariants.afterEvent()
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
  })

  try {
    await scheduler.runFor(isIdle ? 75_000 : 20_000, afterEach)
    if (invariants.problems.length > 0) return result()

    faults.heal()
    const healedAtMs = scheduler.nowMs()
    const isHealed = (): boolean => clients.areServedSince(healedAtMs)
    await scheduler.runFor(isIdle ? 10 * healMs : healMs, () => (isHealed() ? 'STOP' : afterEach()))
    if (invariants.problems.length > 0) return result()
    if (!isHealed()) invariants.problem(`not every log is served ${healMs} ms after the last fault`)

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

/** A lease of four seconds, six of which a candidate with fewer records may wait, and some more. */
const healMs = 60_000
/** What was asked for ends, and restarted nodes follow. */
const settleMs = 4_000
const quietMs = 6_500
