import type { JetStreamManager } from '@nats-io/jetstream'
import type { ShardMoves } from '../../../engine/companies/directory.ts'
import { bounds } from '../../../persistence/base/bounds.ts'
import { isHeld } from '../../../persistence/cluster/copies.ts'
import type { CopiesRule } from '../../../persistence/cluster/copies-rule.ts'
import { isFollowable, isLacking, sourcesOf } from '../../../persistence/cluster/fetch-shard.ts'
import { askPositions } from '../../../persistence/cluster/handover.ts'
import type { LoadRule } from '../../../persistence/cluster/load-rule.ts'
import { startMember } from '../../../persistence/cluster/member.ts'
import { memberOn, placementOf, rankOf } from '../../../persistence/cluster/open-member.ts'
import type { TrimRule } from '../../../persistence/cluster/trim-rule.ts'
import { entryLayout } from '../../../persistence/codec/entry.ts'
import { newClock } from './clock.ts'
import type { Flaw } from './flaws.ts'
import type { Invariants } from './invariants.ts'
import { type LinkFaults, newLink } from './link.ts'
import type { Network } from './network.ts'
import type { PlacementsModel } from './placements-model.ts'
import type { Random } from './random.ts'
import type { Scheduler } from './scheduler.ts'
import { openSimulatedShard } from './shard.ts'
import {
  copyOfDisk,
  type DiskImage,
  emptyDisk,
  openStoreModel,
  type StoreModel,
  type StoreTiming,
} from './store-model.ts'
import { answered, type StreamModel } from './stream-model.ts'

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
  readonly logKept: TrimRule
  readonly copiesRule: CopiesRule
  readonly rule: LoadRule
  readonly writtenVersion: number
  /** Chooses the log of a client's next request; null where all are asked for alike. */
  readonly pickLog: (() => number) | null
  readonly placements: PlacementsModel
  readonly nodes: readonly SimulatedNode[]
  /** Nothing is renewed, claimed or moved any more. */
  isQuiet: boolean
  /** Whether something ran in a process that was not looked at since: what only happens between them changes no replica. */
  hasRun: boolean
  /** A process was started, or has ended. */
  readonly livesChanged: () => void
  readonly say: (who: string, message: string) => void
}

/** A machine with a disk and clocks, and the process of the service that runs on it, or none. */
export type SimulatedNode = ReturnType<typeof newSimulatedNode>

export const newSimulatedNode = (world: World, name: string, rate: number, zone = '') => {
  const { scheduler, random, say } = world
  const clock = newClock(scheduler.nowMs, random.between(0, 1e6), rate)
  const faults: LinkFaults & { diskFails: boolean } = {
    isMute: false,
    isDeaf: false,
    lateMs: 0,
    diskFails: false,
  }
  let disks: DiskImage[] = world.streams.map(emptyDisk)
  /** How many placements its disk knows. */
  let placementsKnown = 0
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
      else {
        world.hasRun = true
        work()
      }
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

    // A start waits until it knows all that there are.
    if (link.isOpen()) placementsKnown = world.placements.count()
    const hearPlacements = (): void =>
      link.send(() => {
        const count = world.placements.count()
        link.receive(() => {
          placementsKnown = Math.max(placementsKnown, count)
        })
      })
    const movesAt = (): ShardMoves => world.placements.movesAt(placementsKnown)
    const copiesAt = (log: number) => world.placements.at(placementsKnown, log)
    every(placementsEveryMs, hearPlacements)

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
        copiesRule: world.flaw.copiesRule?.(world.copiesRule) ?? world.copiesRule,
        zone,
        copies: world.flaw.copies?.(copiesAt) ?? copiesAt,
        place: (log, number, nodes) =>
          link.send(() => {
            if (world.placements.place(log, number, nodes)) say('-', `log ${log} is held by ${nodes.join()}`)
          }),
        loadRule: world.rule,
        moves: world.flaw.moves?.(name, movesAt, clock.monotonicNow) ?? movesAt,
        move: (log, number, node) =>
          link.send(() => {
            if (world.placements.move(log, number, node)) say('-', `log ${log} moves to ${node}`)
          }),
        hold: (log) => shards[log]?.hold(),
        leave: async (log) => {
          world.invariants.leaves(name, log, member.leaving.get(log)!)
          await shards[log]!.leave()
        },
        isGathering: () => false,
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
        writtenVersion: () => world.writtenVersion,
        logKept: world.flaw.logKept?.(world.logKept) ?? world.logKept,
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
    const diskDoes = (commit: () => void, done: () => void): void => {
      commits.add(commit)
      scheduler.after(random.skewed(0.3, random.chance(0.02) ? 1000 : 15), () =>
        run('MESSAGE', () => {
          if (!commits.delete(commit)) return
          commit()
          done()
        }),
      )
    }
    const timing = (log: number): StoreTiming => ({
      commitLater: diskDoes,
      fails: () => faults.diskFails && random.chance(0.5),
      written: (records) => world.invariants.written(name, log, records),
    })

    /** As a node does, with a disk for a folder. */
    const fetchShard = async (log: number, isBehind: boolean): Promise<void> => {
      const stream = world.streams[log]!.clientOn(self.incarnation, link)
      if (disks[log]!.position.applied > 0 && !isBehind) return
      member.replicas.delete(log)
      for (let tries = 1; ; tries++) {
        const own = disks[log]!
        const ends = await stream.ends().catch(() => null)
        if (ends === null) {
          if (tries >= bounds.copyTriesMax) return
        } else {
          if (!isLacking(own.position, ends)) return
          for (const { node } of await sourcesOf(member, log, ends)) {
            const copy = await copyFrom(node, log)
            if (copy === null || !isContinued(own, copy)) continue
            await new Promise<void>((resolve) => diskDoes(() => disks.splice(log, 1, copy), resolve))
            say(`${self.incarnation}/${log}`, `has a copy of ${node}, up to ${copy.position.applied}`)
            return
          }
          if (isFollowable(own.position, ends)) return
        }
        await link.pause(bounds.logRetryMs)
      }
    }

    /** Null where the other node does not give one, or dies. */
    const copyFrom = async (from: string, log: number): Promise<DiskImage | null> => {
      const source = world.nodes.find((node) => node.name === from)
      const received: DiskImage[] = []
      link.send(() => {
        const given = source?.copyOf(log) ?? null
        // In many parts, each asked for.
        if (given !== null)
          scheduler.after(random.skewed(10, 3000), () => link.receive(() => received.push(given)))
      })
      for (let tries = 0; received.length === 0 && tries < 20; tries++) await link.pause(250)
      return received[0] ?? null
    }

    const openShard = (log: number) => {
      const { stream: flawedStream, store: flawedStore, positions: flawedPositions } = world.flaw
      let store: StoreModel
      const positions = async (): Promise<readonly number[]> =>
        (await askPositions(member, log)).map(({ applied }) => applied)
      return openSimulatedShard({
        self,
        isHeld: isHeld(member, log) || disks[log]!.position.applied > 0,
        empty: () =>
          new Promise((resolve) =>
            diskDoes(() => {
              disks.splice(log, 1, emptyDisk())
              world.invariants.forget(name, log)
            }, resolve),
          ),
        fetch: (isBehind) => fetchShard(log, isBehind),
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
        known: { epoch: 0 },
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
      /** Which node should own each log, as far as this one knows. */
      wantedOwners: () => placementOf(member).nodes,
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
    placementsKnown = 0
    world.invariants.diskLost(name)
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
    /** What it gives a node that lacks a log; null where it has none that counts. */
    copyOf: (log: number): DiskImage | null => {
      const role = life?.replicas.get(log)?.role()
      return role === undefined || role === 'FORKED' ? null : copyOfDisk(disks[log]!)
    },
    /** It has some of every log that it is to hold. */
    hasItsLogs: (): boolean =>
      disks.every(
        ({ position }, log) =>
          position.applied > 0 || !(world.placements.now(log)?.nodes.includes(name) ?? true),
      ),
    appliedOf: (log: number): number => disks[log]!.position.applied,
    entriesOf: (log: number): readonly string[] => disks[log]!.entries,
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

/** How often a node looks at what the directory says, by its own clock. */
const placementsEveryMs = 200

/** Whether a copy begins with what is on this disk. */
const isContinued = ({ entries }: DiskImage, copy: DiskImage): boolean =>
  entries.every((entry, n) => copy.entries[n] === entry)

/** The part of a manager that a member asks for the time. */
const serversClock = (
  link: Pick<ReturnType<typeof newLink>, 'send' | 'receive' | 'timer'>,
  nowMs: () => number,
): JetStreamManager =>
  ({
    streams: {
      info: () =>
        answered(link, bounds.natsTimeoutMs, (resolve) =>
          link.send(() => {
            const ts = new Date(nowMs()).toISOString()
            link.receive(() => resolve({ ts }))
          }),
        ),
    },
  }) as unknown as JetStreamManager
