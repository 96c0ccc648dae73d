import { bounds } from '../base/bounds.ts'
import { positionSubject } from './names.ts'
import { holdersOf, type OpenMember, ownedBy, takersInOrder, unfitness } from './open-member.ts'
import type { Member } from './record.ts'

/** How much of a shard's log a node has on disk. */
export type NodePosition = {
  readonly node: string
  readonly applied: number
  /** Whether the node gives copies of the shard, and who owns it according to its log; absent in answers of earlier builds. */
  readonly copies?: boolean
  readonly owner?: Member | null
  /** By which placement it holds this copy; null where it need not any more, absent in answers of earlier builds. */
  readonly holds?: number | null
  /** Which pins and moves of shards it knows; absent in answers of earlier builds. */
  readonly moves?: number
}

/** Moves one shard at a time to the node that should own it; where this one must not, to any that may. */
export const rebalance = async (member: OpenMember): Promise<void> => {
  if (member.isHanding || member.monotonicNow() - member.handedAt < bounds.betweenHandoversMs) return
  const why = unfitness(member)
  // A node cut off cannot give shards away, and an unstable one would soon get them back.
  if (why === 'CUT_OFF' || why === 'UNSTABLE') return
  const mustGive = member.isLeaving || member.isDraining || why === 'CLOCK'
  if (!mustGive && member.monotonicNow() - member.diedAt < bounds.restAfterDeathMs) return
  const owned = ownedBy(member)
  if (owned.length === 0) return
  const takers = takersInOrder(member)
  for (const shard of owned) {
    const nodes = takers(shard)
    for (const node of mustGive ? nodes : nodes.slice(0, 1)) {
      if (node === member.self.node || !mayTake(member, node, mustGive)) continue
      const problem = await handOver(member, shard, node, mustGive)
      if (problem === null) return
      if (mustGive) member.log.warn({ shard, node, problem }, 'the shard is not given away yet')
    }
  }
}

/** Gives a shard to a node. Resolves to the reason it failed, or null on success. */
export const handOver = async (
  member: OpenMember,
  shard: number,
  name: string,
  mustGive = false,
): Promise<string | null> => {
  const replica = member.replicas.get(shard)
  const node = member.membership.node(name)
  if (replica?.role() !== 'OWNER') return 'this node does not own the shard'
  if (node === null) return `${name} is not alive`
  if (name === member.self.node) return null
  if (holdersOf(member, shard)?.includes(name) === false) return `${name} does not hold a copy of it yet`
  if (member.isHanding) return 'another shard is being given away'
  member.isHanding = true
  try {
    const position = (await askPositions(member, shard)).find((answer) => answer.node === name)
    if (position === undefined) return `${name} does not answer`
    const lag = replica.position().applied - position.applied
    if (lag > bounds.handoverLagMax) return `${name} lacks ${lag} records`
    // It would give the shard back at once.
    if (!mustGive && (position.moves ?? Number.POSITIVE_INFINITY) < member.moves().number)
      return `${name} does not know yet why`
    const given = await member.giveAway(shard, { node: name, incarnation: node.incarnation })
    return given ? null : 'the log did not take it'
  } finally {
    member.isHanding = false
    member.handedAt = member.monotonicNow()
  }
}

/** Gives all shards away. Resolves when this node owns none, there is no node to take them, or after `bounds.leaveMs`. */
export const giveAll = async (member: OpenMember): Promise<void> => {
  const end = member.pause(bounds.leaveMs).then(() => 'over')
  // Waits for a handover under way, whichever caller started it.
  const mayGive = (): boolean => {
    const takers = takersInOrder(member)
    return ownedBy(member).some((shard) => takers(shard).length > 0)
  }
  while (member.isHanding || mayGive()) {
    member.handedAt = Number.NEGATIVE_INFINITY
    const given = Promise.all([rebalance(member), member.pause(bounds.leavePauseMs)])
    if ((await Promise.race([given, end])) === 'over') return
  }
}

/** The positions of the other nodes in a shard's log. */
export const askPositions = async (
  { connection, cluster, self }: OpenMember,
  shard: number,
): Promise<readonly NodePosition[]> => {
  const answers = await connection.requestMany(positionSubject(cluster, shard), '', {
    strategy: 'timer',
    maxWait: bounds.positionsWaitMs,
  })
  const positions: NodePosition[] = []
  for await (const answer of answers) positions.push(answer.json<NodePosition>())
  return positions.filter(({ node }) => node !== self.node)
}

const mayTake = ({ membership, monotonicNow }: OpenMember, name: string, mustGive: boolean): boolean => {
  const node = membership.node(name)
  return node !== null && (mustGive || monotonicNow() - node.since >= bounds.stableNodeMs)
}
