import { firstWrittenVersion } from '../../engine/companies/directory.ts'
import type { Member } from './record.ts'

/** What a node says about itself, several times a second. */
export type Heartbeat = {
  readonly incarnation: string
  /** Worker threads that share its shards. */
  readonly workers: number
  readonly version: string
  /** The newest version that the node reads of what others write, and the one that it writes. */
  readonly reads: number
  readonly writes: number
  /** Whether the node gives its shards away and ends. */
  readonly isLeaving: boolean
  /** Whether the node gives its shards away and takes none. */
  readonly isDraining: boolean
  /** Whether the node does not come back: others get the copies that it holds. */
  readonly leavesForGood: boolean
  /** Whether the node gives its shards away for a while, because its connection or its clock is unreliable. */
  readonly isUnfit: boolean
  /** How long the node has lived without a break: of two processes with one name, the older one goes on. */
  readonly upMs: number
  /** Where the node stands; empty where it does not say it. */
  readonly zone: string
  /** The time of the node's wall clock. */
  readonly clockMs: number
}

export type Node = Heartbeat & {
  readonly node: string
  /** Since when the node has been heard without a gap, by this process's monotonic clock. */
  readonly since: number
}

export type MembershipOptions = {
  readonly self: Member
  /** What this node says about itself now. */
  readonly say: () => Heartbeat
  /** Monotonic milliseconds; only differences matter. */
  readonly monotonicNow: () => number
  readonly heartbeatMs: number
  /** A node not heard for this long is dead. */
  readonly deadMs: number
  readonly onDied: (node: string) => void
  /** Another process uses this node's name; it or this one has to end. */
  readonly onTwin: (incarnation: string, hasToEnd: 'IT' | 'THIS') => void
  /** This process was suspended for a while, or its connection is back. */
  readonly onResumed: () => void
}

/**
 * Which nodes are alive, as far as this one hears: used to decide when to try a claim, and where to send
 * questions. It starts with no peers: they appear with their first heartbeat.
 */
export const openMembership = (options: MembershipOptions) => {
  const { self, say, monotonicNow, heartbeatMs, deadMs } = options
  const peers = new Map<string, Peer>()
  const startedAt = monotonicNow()
  let resumedAt = startedAt
  let tickedAt = startedAt

  const isHeardLately = ({ heardAt }: Peer): boolean => monotonicNow() - heardAt < deadMs

  /** Messages take time, so names decide between two processes that started together. */
  const isOlder = ({ incarnation, upMs }: Heartbeat): boolean => {
    const olderMs = upMs - (monotonicNow() - resumedAt)
    return Math.abs(olderMs) > togetherMs ? olderMs > 0 : incarnation > self.incarnation
  }

  const hear = (node: string, heartbeat: Heartbeat): void => {
    if (node === self.node) {
      if (heartbeat.incarnation !== self.incarnation)
        options.onTwin(heartbeat.incarnation, isOlder(heartbeat) ? 'THIS' : 'IT')
      return
    }
    const known = peers.get(node)
    const isSameLife =
      known !== undefined && isHeardLately(known) && known.heartbeat.incarnation === heartbeat.incarnation
    if (known !== undefined && known.heartbeat.incarnation !== heartbeat.incarnation) options.onDied(node)
    const since = isSameLife ? known.heartbeat.since : monotonicNow()
    peers.set(node, { heartbeat: { ...heartbeat, node, since }, heardAt: monotonicNow() })
  }

  /** Gives all peers a new term: after a break of this process or its connection they only seem dead. */
  const resumed = (): void => {
    resumedAt = monotonicNow()
    for (const peer of peers.values()) peer.heardAt = resumedAt
    options.onResumed()
  }

  /** Living nodes including this one, by name. */
  const nodes = (): readonly Node[] => {
    const living: Node[] = [{ ...say(), node: self.node, since: startedAt }]
    for (const peer of peers.values()) if (isHeardLately(peer)) living.push(peer.heartbeat)
    return living.sort((a, b) => (a.node < b.node ? -1 : 1))
  }

  const isAlive = ({ node, incarnation }: Member): boolean => {
    if (node === self.node) return incarnation === self.incarnation
    const peer = peers.get(node)
    return peer !== undefined && isHeardLately(peer) && peer.heartbeat.incarnation === incarnation
  }

  return {
    hear,
    nodes,
    node: (name: string): Node | null => nodes().find(({ node }) => node === name) ?? null,
    isAlive,
    /** Whether a member is alive, and does not report itself unfit to own shards. */
    isFit: (member: Member): boolean => isAlive(member) && peers.get(member.node)?.heartbeat.isUnfit !== true,
    /** When this process or its connection last resumed after a break: nothing could be heard during it. */
    resumedAt: () => resumedAt,
    resumed,
    /** Checks the clock; call it as often as heartbeats are sent. */
    tick: (): void => {
      if (monotonicNow() - tickedAt > restAfterTicks * heartbeatMs) resumed()
      tickedAt = monotonicNow()
      for (const [node, peer] of peers) {
        if (isHeardLately(peer)) continue
        peers.delete(node)
        options.onDied(node)
      }
    },
  }
}

type Peer = { readonly heartbeat: Node; heardAt: number }

/** What is so of a node whose build does not say it. */
type Unsaid = 'reads' | 'writes' | 'zone' | 'leavesForGood'

/** What a node has said about itself, of any build. */
export const heartbeatFrom = (
  said: Omit<Heartbeat, Unsaid> & Partial<Pick<Heartbeat, Unsaid>>,
): Heartbeat => {
  const { reads = firstWrittenVersion, writes = firstWrittenVersion, zone = '', leavesForGood = false } = said
  return { ...said, reads, writes, zone, leavesForGood }
}

const togetherMs = 2_000

/** A tick this late was delayed by this process, not by the others. */
const restAfterTicks = 4
