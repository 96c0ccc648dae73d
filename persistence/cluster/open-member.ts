import { type JetStreamClient, type JetStreamManager, jetstream } from '@nats-io/jetstream'
import type { NatsConnection } from '@nats-io/transport-node'
import type { ShardCopies, ShardMoves } from '../../engine/companies/directory.ts'
import type { Entry } from '../../engine/kernel/entry.ts'
import { bounds } from '../base/bounds.ts'
import { codecVersion, type Layout } from '../codec/layout.ts'
import { openLinkWatch } from '../nats/link-watch.ts'
import { managerOf } from '../nats/manager.ts'
import type { EventProgress } from '../stream/stream.ts'
import { openClockWatch } from './clock-watch.ts'
import type { CopiesRule } from './copies-rule.ts'
import { type FetchedShard, newSlots } from './fetched-shard.ts'
import type { LoadMeter } from './load-meter.ts'
import type { LoadRule } from './load-rule.ts'
import type { ClusterLog } from './log.ts'
import { type Heartbeat, type Node, openMembership } from './membership.ts'
import { placement, ranked } from './placement.ts'
import type { Member } from './record.ts'
import type { Replica } from './replica.ts'
import type { TrimRule } from './trim-rule.ts'

export type ClusterMemberOptions = {
  readonly connection: NatsConnection
  readonly cluster: string
  readonly leaseMs: number
  readonly self: Member
  readonly version: string
  readonly worker: number
  readonly workers: number
  readonly shards: number
  /** The nodes that operators pinned shards to. */
  readonly pins: () => ReadonlyMap<number, string>
  /** Gives a shard away once all its entries are on disk. */
  readonly giveAway: (shard: number, to: Member) => Promise<boolean>
  readonly progress: (shard: number) => EventProgress
  readonly copiesRule: CopiesRule
  /** Where this node stands; empty where that is not set. */
  readonly zone: string
  /** Who holds a copy of a shard, according to the directory's log; null before that was ever said: every node. */
  readonly copies: (shard: number) => ShardCopies | null
  /** Has the directory say who holds a copy of a shard, if its placement still is the one with this number. */
  readonly place: (shard: number, number: number, nodes: readonly string[]) => void
  readonly loadRule: LoadRule
  /** Where shards are owned because of their load, according to the directory's log. */
  readonly moves: () => ShardMoves
  /** Has the directory say that a node should own a shard because of its load, if its moves still are those with this number. */
  readonly move: (shard: number, number: number, node: string) => void
  /** Begins to hold a copy of a shard, if it does not yet. */
  readonly hold: (shard: number) => void
  /** Closes the copy of a shard and removes it. */
  readonly leave: (shard: number) => Promise<void>
  /** Whether this node holds all shards for a while, because a backup is made of it. */
  readonly isGathering: () => boolean
  /** What the servers keep of each log. */
  readonly logKept: TrimRule
  readonly onDied: (node: string) => void
  /** Another process runs under this node's name, so this one must end. */
  readonly onTwin: (message: string) => void
  readonly wallNow: () => number
  /** Monotonic milliseconds; only differences matter. */
  readonly monotonicNow: () => number
  readonly pause: (ms: number) => Promise<void>
  /** Runs something again and again; returns a function that stops it. */
  readonly every: (ms: number, run: () => void) => () => void
  /** How entries become bytes. */
  readonly layout: Layout<Entry>
  /** The version of what the nodes of the cluster write for each other. */
  readonly writtenVersion: () => number
  readonly log: ClusterLog
}

/** The owner of a shard, as it said itself. */
type HeardOwner = {
  readonly owner: Member
  readonly epoch: number
  /** Entries a second; null where the owner has not measured for long enough. */
  readonly load: number | null
  readonly atMs: number
}

/** CUT_OFF: NATS does not answer. UNSTABLE: this node just changed its server. CLOCK: its clock is too far off. */
export type Unfitness = 'CUT_OFF' | 'UNSTABLE' | 'CLOCK'

/** The state that the parts of a cluster member share. Times are milliseconds of `monotonicNow`. */
export type OpenMember = ReturnType<typeof memberOn>

/** A member that has heard no other node yet. */
export const newMember = async (options: ClusterMemberOptions): Promise<OpenMember> =>
  memberOn(
    options,
    jetstream(options.connection, { timeout: bounds.natsTimeoutMs }),
    await managerOf(options.connection),
  )

/** A member whose logs are reached through this client and manager. */
export const memberOn = (
  options: ClusterMemberOptions,
  client: JetStreamClient,
  manager: JetStreamManager,
) => {
  const { connection, self, leaseMs, monotonicNow } = options
  const deadMs = (leaseMs * 3) / 4
  const clocks = openClockWatch(options.wallNow)
  const member = {
    ...options,
    client,
    manager,
    replicas: new Map<number, Replica>(),
    /** The shards that this node lacks, and fetches from others. */
    fetched: new Map<number, FetchedShard>(),
    /** The newest epoch of each shard that this process has had on its disk. */
    knownEpochs: new Map<number, { epoch: number }>(),
    /** The owners of shards, as they say it. */
    heardOwners: new Map<number, HeardOwner>(),
    /** What is measured of the shards that this node has. */
    loads: new Map<number, LoadMeter>(),
    /** The shards whose copy here may be removed, once others have what it has: up to this record. */
    leaving: new Map<number, number>(),
    fetchSlots: newSlots(bounds.copiesFetchedMax),
    clocks,
    link: openLinkWatch({
      ask: () => connection.flush(),
      received: () => connection.stats().inMsgs,
      beatsMax: Math.ceil(deadMs / 2 / bounds.heartbeatMs),
      onLost: (): void => changeServer(member, 'NATS gives this node no answer'),
    }),
    membership: openMembership({
      self,
      say: (): Heartbeat => heartbeatOf(member),
      monotonicNow,
      heartbeatMs: bounds.heartbeatMs,
      deadMs,
      onDied: (node): void => died(member, node),
      onTwin: (incarnation, hasToEnd) => {
        if (hasToEnd === 'THIS')
          options.onTwin(`another process has run as node ${self.node} for longer (${incarnation})`)
      },
      onResumed: clocks.resumed,
    }),
    isLeaving: false,
    isDraining: false,
    leavesForGood: false,
    /** Whether a handover is under way, and when the last one ended. */
    isHanding: false,
    handedAt: Number.NEGATIVE_INFINITY,
    /** When a node was last found dead. */
    diedAt: Number.NEGATIVE_INFINITY,
    /** When this node last left a server. */
    lostAt: Number.NEGATIVE_INFINITY,
    /** Heartbeats in a row in which the lease of a shard could not be renewed. */
    stuckBeats: 0,
    /** When the servers were last asked for the time, and what was last reported about this node's clock. */
    askedClockAt: Number.NEGATIVE_INFINITY,
    reportedClock: 'RIGHT' as 'RIGHT' | 'OFF' | 'WRONG',
    /** The last placement, what it was computed from, and since when that is so. */
    placed: {
      for: '',
      nodes: [] as readonly (string | null)[],
      own: [] as readonly (readonly string[])[],
      sinceMs: Number.NEGATIVE_INFINITY,
    },
  }
  return member
}

/** What this node says about itself now. */
export const heartbeatOf = (member: OpenMember): Heartbeat => ({
  incarnation: member.self.incarnation,
  workers: member.workers,
  version: member.version,
  reads: codecVersion,
  writes: member.writtenVersion(),
  isLeaving: member.isLeaving,
  isDraining: member.isDraining,
  leavesForGood: member.leavesForGood,
  isUnfit: unfitness(member) !== null,
  upMs: member.monotonicNow() - member.membership.resumedAt(),
  zone: member.zone,
  clockMs: member.wallNow(),
})

/** Reconnects to another server: the present one is silent, or does not reach the leader of a log. */
export const changeServer = (member: OpenMember, why: string): void => {
  member.log.warn(
    { forMs: bounds.stableNodeMs },
    `${why}: it changes the server, and takes no shards for a while`,
  )
  member.lostAt = member.monotonicNow()
  void member.connection.reconnect().catch(() => undefined)
}

const died = (member: OpenMember, node: string): void => {
  member.diedAt = member.monotonicNow()
  if (member.worker === 0) member.log.warn({ node }, 'a node is not heard any more')
  member.clocks.forget(node)
  member.onDied(node)
}

/** Why this node owns no shards for now; null when it may. */
export const unfitness = ({ link, lostAt, clocks, monotonicNow }: OpenMember): Unfitness | null => {
  if (link.isLost()) return 'CUT_OFF'
  if (monotonicNow() - lostAt < bounds.stableNodeMs) return 'UNSTABLE'
  return Math.abs(clocks.aheadMs()) > bounds.clockOffMsMax ? 'CLOCK' : null
}

/** The shards that this worker owns. */
export const ownedBy = ({ replicas }: OpenMember): readonly number[] =>
  [...replicas].filter(([, replica]) => replica.role() === 'OWNER').map(([shard]) => shard)

/** The nodes that hold a copy of a shard; null where all do. */
export const holdersOf = ({ copies }: OpenMember, shard: number): readonly string[] | null =>
  copies(shard)?.nodes ?? null

/** Nodes that may own a shard; if none of its holders is fit, all that stay. */
const takers = (living: readonly Node[], holders: readonly string[] | null): readonly string[] => {
  const staying = living.filter(
    ({ node, isLeaving, isDraining }) =>
      !isLeaving && !isDraining && (holders === null || holders.includes(node)),
  )
  const fit = staying.filter((node) => !node.isUnfit)
  return (fit.length > 0 ? fit : staying).map(({ node }) => node)
}

/** Which node should own each shard, who may, and since when all is as it is that this follows from. */
export const placementOf = (member: OpenMember): OpenMember['placed'] => {
  const { placed, shards, monotonicNow } = member
  const living = member.membership.nodes()
  const nodes = takers(living, null)
  const pins = member.pins()
  const moves = member.moves()
  const own = Array.from({ length: shards }, (_, n) => {
    const holders = holdersOf(member, n)
    return holders === null ? nodes : takers(living, holders)
  })
  // Names have neither commas nor semicolons. It is asked for with every heartbeat.
  const key = [nodes, ...own, moves.number, ...pins].join(';')
  if (placed.for !== key)
    member.placed = {
      ...{ for: key, own, sinceMs: monotonicNow() },
      nodes: placement(shards, nodes, pins, (n) => own[n]!, moves.nodes),
    }
  return member.placed
}

/** The nodes that may own each shard as things are, the one that should first. */
export const takersInOrder = (member: OpenMember): ((shard: number) => readonly string[]) => {
  const { nodes, own } = placementOf(member)
  return (shard) => {
    const first = nodes[shard] ?? null
    return first === null ? [] : [first, ...ranked(shard, own[shard]!).filter((other) => other !== first)]
  }
}

/** This node's place among those that may claim a shard (see `ReplicaOptions.rank`). */
export const rankOf = (member: OpenMember, shard: number): number | null => {
  const { node } = member.self
  if (member.leaving.has(shard)) return null
  const nodes = takersInOrder(member)(shard)
  if (nodes.includes(node)) return nodes.indexOf(node)
  if (holdersOf(member, shard)?.includes(node) ?? true) return nodes.length === 0 ? 0 : null
  // A copy that need not be here any more is as good as the others, which come first.
  return takers(member.membership.nodes(), null).includes(node) ? nodes.length : null
}
