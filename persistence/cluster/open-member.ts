import { type JetStreamClient, type JetStreamManager, jetstream } from '@nats-io/jetstream'
import type { NatsConnection } from '@nats-io/transport-node'
import type { Entry } from '../../engine/kernel/entry.ts'
import { bounds } from '../base/bounds.ts'
import { codecVersion, type Layout } from '../codec/layout.ts'
import { openLinkWatch } from '../nats/link-watch.ts'
import { managerOf } from '../nats/manager.ts'
import type { EventProgress } from '../stream/stream.ts'
import { openClockWatch } from './clock-watch.ts'
import { type FetchedShard, newSlots } from './fetched-shard.ts'
import type { ClusterLog } from './log.ts'
import { type Heartbeat, openMembership } from './membership.ts'
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
    /** The last placement, and what it was computed from. */
    placed: { for: '', nodes: [] as readonly (string | null)[] },
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
  isUnfit: unfitness(member) !== null,
  upMs: member.monotonicNow() - member.membership.resumedAt(),
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

/** Nodes that may own shards; if none is fit, all that stay. */
export const takers = ({ membership }: OpenMember): readonly string[] => {
  const staying = membership.nodes().filter((node) => !node.isLeaving && !node.isDraining)
  const fit = staying.filter((node) => !node.isUnfit)
  return (fit.length > 0 ? fit : staying).map(({ node }) => node)
}

/** The node that should own a shard; null where there is none. */
export const preferredNode = (member: OpenMember, shard: number): string | null => {
  const nodes = takers(member)
  const pins = member.pins()
  const key = JSON.stringify([nodes, ...pins])
  if (member.placed.for !== key) member.placed = { for: key, nodes: placement(member.shards, nodes, pins) }
  return member.placed.nodes[shard] ?? null
}

/** This node's place among those that may claim a shard (see `ReplicaOptions.rank`). */
export const rankOf = (member: OpenMember, shard: number): number | null => {
  const { node } = member.self
  const nodes = takers(member)
  if (nodes.length === 0) return 0
  if (!nodes.includes(node)) return null
  const first = preferredNode(member, shard)
  return [first, ...ranked(shard, nodes).filter((other) => other !== first)].indexOf(node)
}
