import type { JetStreamClient, JetStreamManager } from '@nats-io/jetstream'
import type { NatsConnection } from '@nats-io/transport-node'
import { limits } from '../base/limits.ts'
import type { LinkWatch } from '../nats/link-watch.ts'
import type { ClockWatch } from './clock-watch.ts'
import type { ClusterLog } from './log.ts'
import type { Membership } from './membership.ts'
import { placement, ranked } from './placement.ts'
import type { Member } from './record.ts'
import type { Replica } from './replica.ts'

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
  /** Gives a shard away once nothing of it is in flight. */
  readonly giveAway: (shard: number, to: Member) => Promise<boolean>
  readonly publishedSequence: (shard: number) => number
  readonly onDied: (node: string) => void
  /** Another process runs under this node's name, so this one must end. */
  readonly onTwin: (message: string) => void
  readonly wallNow: () => number
  readonly log: ClusterLog
}

/** CUT_OFF: NATS does not answer. UNSTABLE: it did not a moment ago. CLOCK: the clock is too far off. */
export type Unfitness = 'CUT_OFF' | 'UNSTABLE' | 'CLOCK'

/** What the parts of a cluster member share. Times are this process's monotonic milliseconds. */
export type OpenMember = ClusterMemberOptions & {
  readonly client: JetStreamClient
  readonly manager: JetStreamManager
  readonly replicas: Map<number, Replica>
  readonly clocks: ClockWatch
  readonly link: LinkWatch
  readonly membership: Membership
  isLeaving: boolean
  isDraining: boolean
  /** Whether a handover is under way, and when the last one ended. */
  isHanding: boolean
  handedAt: number
  /** When a node was last found dead. */
  diedAt: number
  /** When this node last left a server. */
  lostAt: number
  /** Heartbeats in a row in which the lease of a shard could not be renewed. */
  stuckBeats: number
  /** When the servers were last asked for the time, and what was last reported about this node's clock. */
  askedClockAt: number
  reportedClock: 'RIGHT' | 'OFF' | 'WRONG'
  /** The last placement, and what it was computed from. */
  placed: { readonly for: string; readonly nodes: readonly (string | null)[] }
}

/** Milliseconds of which only differences matter. */
export const monotonicMs = (): number => performance.now()

/** Why this node owns no shards for now; null when it may. */
export const unfitness = ({ link, lostAt, clocks }: OpenMember): Unfitness | null => {
  if (link.isLost()) return 'CUT_OFF'
  if (monotonicMs() - lostAt < limits.stableNodeMs) return 'UNSTABLE'
  return Math.abs(clocks.aheadMs()) > limits.clockOffMsMax ? 'CLOCK' : null
}

/** The shards that this worker owns. */
export const ownedBy = ({ replicas }: OpenMember): readonly number[] =>
  [...replicas].filter(([, replica]) => replica.role() === 'OWNER').map(([shard]) => shard)

/** Nodes that may own shards; where none is fit, any that stays. */
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
