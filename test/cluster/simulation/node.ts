import type { JetStreamManager } from '@nats-io/jetstream'
import { bounds } from '../../../persistence/base/bounds.ts'
import { askPositions } from '../../../persistence/cluster/handover.ts'
import { startMember } from '../../../persistence/cluster/member.ts'
import { memberOn, rankOf } from '../../../persistence/cluster/open-member.ts'
import { entryLayout } from '../../../persistence/codec/entry.ts'
import { codecVersion } from '../../../persistence/codec/layout.ts'
import { newClock } from './clock.ts'
import type { Flaw } from './flaws.ts'
import type { Invariants } from './invariants.ts'
import { type LinkFaults, newLink } from './link.ts'
import type { Network } from './network.ts'
import type { Random } from './random.ts'
import type { Scheduler } from './scheduler.ts'
import { openSimulatedShard } from './shard.ts'
import { emptyDisk, openStoreModel, type StoreTiming } from './store-model.ts'
import type { StreamModel } from './stream-model.ts'

/** What all nodes of a simulation share. */
export type World = {
  readonly scheduler: Scheduler
  readonly random: Random
  readonly network: Network
  readonly streams: readonly StreamModel[]
  readonly invariants: Invariants
  readonly leaseMs: number
  readonly pins: Map<number, string>
  readonly flaw: Flaw
  /** Nothing is renewed, claimed or moved any more. */
  isQuiet: boolean
  /** A process was started, or has ended. */
  readonly livesChanged: () => void
  readonly say: (who: string, message: string) => void
}

/** A machine with a disk and clocks, and the process of the service that runs on it, or none. */
export type SimulatedNode = ReturnType<typeof newSimulatedNode>

export const newSimulatedNode = (world: World, name: string, rate: number) => {
  const { scheduler, random, say } = world
  const clock = newClock(scheduler.nowMs, random.between(0, 1e6), rate)
  const faults: LinkFaults & { diskFails: boolean } = {
    isMute: false,
    isDeaf: false,
    lateMs: 0,
    diskFails: false,
  }
  let disks = world.streams.map(emptyDisk)
  let lives = 0
  let life: ReturnType<typeof openLife> | null = null
  let isPaused = false
  let backlog: { readonly kind: 'TIMER' | 'MESSAGE'; readonly work: () => void }[] = []

  const openLife = () => {
    lives += 1
    const self = { node: name, incarnation: `${name}${lives}` }
    let isOver = false
    const run = (kind: 'TIMER' | 'MESSAGE', work: () => void): void => {
      if (isOver) return
      if (isPaused) backlog.push({ kind, work })
      else work()
    }
    const link = newLink(scheduler, random, clock, { run }, faults)
    const { connection, close } = world.network.connect(link)

    const every = (ms: number, work: () => void): (() => void) => {
      let isStopped = false
      const next = (): void =>
        link.timer(ms, () => {
          if (isStopped) return
          if (!world.isQuiet) work()
          next()
        })
      next()
      return () => {
        isStopped = true
      }
    }

    const member = memberOn(
      {
        connection,
        cluster: 'c',
        leaseMs: world.flaw.leaseMs?.(name, world.leaseMs) ?? world.leaseMs,
        self,
        version: '0.1.0',
        worker: 0,
        workers: 1,
        shards: world.streams.length,
        pins: () => world.pins,
        giveAway: async (shard, to) => shards[shard]!.handOver(to),
        progress: () => ({ published: 0, streamed: 0 }),
        onDied: () => undefined,
        // What its former life said arrives late. It ends, and is started again.
        onTwin: (message) => {
          say(self.incarnation, message)
          scheduler.after(0, () => {
            if (isOver) return
            crash(false)
            scheduler.after(random.between(500, 1500), start)
          })
        },
        wallNow: clock.wallNow,
        monotonicNow: clock.monotonicNow,
        pause: link.pause,
        every,
        layout: entryLayout,
        writtenVersion: () => codecVersion,
        log: {
          info: (_, message) => say(self.incarnation, message),
          warn: (_, message) => say(self.incarnation, message),
          error: (_, message) => say(self.incarnation, message),
        },
      },
      null as never,
      serversClock(link, scheduler.nowMs),
    )
    const cluster = startMember(member)

    /** What the disk was told and has not done yet. */
    const commits = new Set<() => void>()
    const timing = (log: number): StoreTiming => ({
      commitLater: (commit, done) => {
        commits.add(commit)
        scheduler.after(random.skewed(0.3, random.chance(0.02) ? 1000 : 15), () =>
          run('MESSAGE', () => {
            if (!commits.delete(commit)) return
            commit()
            done()
          }),
        )
      },
      fails: () => faults.diskFails && random.chance(0.5),
      written: (records) => world.invariants.written(name, log, records),
    })

    const openShard = (log: number) => {
      const { stream: flawedStream, store: flawedStore, positions: flawedPositions } = world.flaw
      let store = openStoreModel(disks[log]!, timing(log))
      const positions = async (): Promise<readonly number[]> =>
        (await askPositions(member, log)).map(({ applied }) => applied)
      return openSimulatedShard({
        self,
        openStore: () => {
          store = openStoreModel(disks[log]!, timing(log))
          return flawedStore?.(store, link.pause) ?? store
        },
        openStream: () => {
          const stream = world.streams[log]!.clientOn(self.incarnation, link)
          return flawedStream?.(stream, store) ?? stream
        },
        opened: (replica) => void member.replicas.set(log, replica),
        leaseMs: member.leaseMs,
        monotonicNow: clock.monotonicNow,
        pause: link.pause,
        progress: () => member.progress(log),
        isFit: member.membership.isFit,
        resumedAt: member.membership.resumedAt,
        rank: () => rankOf(member, log),
        positions: flawedPositions?.(positions) ?? positions,
        acknowledge: (id, onDisk) => world.invariants.acknowledge(name, log, id, onDisk),
        forked: (reason) => world.invariants.forked(`log ${log}: ${self.incarnation} stops: ${reason}`),
        say: (message) => say(`${self.incarnation}/${log}`, message),
        problem: (message) => world.invariants.problem(`log ${log}: ${self.incarnation} ${message}`),
      })
    }
    const shards = world.streams.map((_, log) => openShard(log))
    every(bounds.heartbeatMs, () => {
      for (const shard of shards) shard.tick()
    })

    return {
      self,
      link,
      cluster,
      shards,
      replicas: member.replicas,
      run,
      /** What the disk was told is done, or not. */
      end: (): void => {
        isOver = true
        close()
        for (const commit of commits) if (random.chance(0.5)) commit()
        commits.clear()
      },
    }
  }

  const start = (): void => {
    if (life !== null) return
    life = openLife()
    world.livesChanged()
    say(name, `starts as ${life.self.incarnation}`)
  }

  /** Ends the process in the middle of everything, with its disk or without it. */
  const crash = (losesDisk: boolean): void => {
    if (life === null) return
    say(name, `crashes${losesDisk ? ' and loses its disk' : ''}`)
    life.end()
    life = null
    world.livesChanged()
    isPaused = false
    backlog = []
    if (!losesDisk) return
    disks = world.streams.map(emptyDisk)
    world.invariants.forget(name)
  }

  const resume = (): void => {
    if (!isPaused) return
    isPaused = false
    // An event loop may look at its timers first, or at what has arrived.
    const first = random.chance(0.5) ? 'TIMER' : 'MESSAGE'
    const waiting = random.chance(0.5)
      ? backlog
      : [...backlog.filter(({ kind }) => kind === first), ...backlog.filter(({ kind }) => kind !== first)]
    backlog = []
    const current = life
    for (const [n, { kind, work }] of waiting.entries())
      scheduler.after(n * 1e-6, () => current?.run(kind, work))
    say(name, 'goes on')
  }

  return {
    name,
    clock,
    faults,
    life: () => life,
    isPaused: () => isPaused,
    start,
    crash,
    pause: (): void => {
      if (life === null || isPaused) return
      say(name, 'stands still')
      isPaused = true
    },
    resume,
    /** Whether nothing is wrong with it. */
    isWell: (): boolean =>
      life !== null &&
      !isPaused &&
      life.link.isOpen() &&
      faults.lateMs === 0 &&
      !faults.diskFails &&
      life.cluster.unfitness() === null,
  }
}

/** The part of a manager that a member asks for the time. */
const serversClock = (
  link: Pick<ReturnType<typeof newLink>, 'send' | 'receive' | 'timer'>,
  nowMs: () => number,
): JetStreamManager =>
  ({
    streams: {
      info: () =>
        new Promise((resolve, reject) => {
          link.timer(bounds.natsTimeoutMs, () => reject(new Error('timeout')))
          link.send(() => {
            const ts = new Date(nowMs()).toISOString()
            link.receive(() => resolve({ ts }))
          })
        }),
    },
  }) as unknown as JetStreamManager
