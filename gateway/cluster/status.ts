import type { Directory } from '../../engine/directory/directory.ts'
import type { NodeStatus, ShardStatus } from './control.ts'

/** Answers; is being emptied; lives, by what others hear, and does not answer; is not heard. */
export type NodeState = 'ALIVE' | 'DRAINING' | 'SILENT' | 'GONE'

/** One picture of what all nodes say. */
export type ClusterView = { readonly nodes: readonly NodeView[]; readonly shards: readonly ShardView[] }

export type NodeView = {
  readonly node: string
  readonly state: NodeState
  readonly version: string | null
  readonly workers: number | null
  /** Shards that it owns. */
  readonly shards: number
}

export type ShardView = {
  readonly shard: number
  readonly owner: string | null
  readonly epoch: number
  /** How far its owner is; where that does not answer, the node that is furthest. */
  readonly applied: number
  /** Records that each other node is behind. */
  readonly lag: Readonly<Record<string, number>>
  readonly pinnedTo: string | null
}

export const clusterView = (
  answers: readonly NodeStatus[],
  shards: number,
  pins: Directory['pins'],
): ClusterView => {
  const views = Array.from({ length: shards }, (_, shard) =>
    shardView(shard, answers, pins.get(shard) ?? null),
  )
  return { nodes: nodeViews(answers, views), shards: views }
}

const shardView = (shard: number, answers: readonly NodeStatus[], pinnedTo: string | null): ShardView => {
  const seen = answers.flatMap(({ node, shards }) =>
    shards.filter((status) => status.shard === shard).map((status) => ({ node, ...status })),
  )
  // Who has not read the last claim yet still names the owner before.
  const { owner, epoch } = seen.reduce(latest, noClaim)
  const applied =
    seen.find(({ node }) => node === owner)?.applied ?? Math.max(0, ...seen.map((status) => status.applied))
  const lag = Object.fromEntries(
    seen
      .filter(({ node }) => node !== owner)
      .map((status) => [status.node, Math.max(0, applied - status.applied)]),
  )
  return { shard, owner, epoch, applied, lag, pinnedTo }
}

type Claim = Pick<ShardStatus, 'owner' | 'epoch'>
const noClaim: Claim = { owner: null, epoch: 0 }
const latest = (found: Claim, seen: Claim): Claim => (seen.epoch > found.epoch ? seen : found)

const nodeViews = (answers: readonly NodeStatus[], shards: readonly ShardView[]): NodeView[] => {
  const answered = new Map(answers.map((status) => [status.node, status]))
  const peers = answers.flatMap(({ peers }) => peers)
  const names = [...answered.keys(), ...peers.map(({ node }) => node)]
  for (const { owner } of shards) if (owner !== null) names.push(owner)
  return [...new Set(names)].sort().map((node) => {
    const status = answered.get(node)
    const isAlive = peers.some((peer) => peer.node === node && peer.isAlive)
    return {
      node,
      state: status === undefined ? (isAlive ? 'SILENT' : 'GONE') : status.isDraining ? 'DRAINING' : 'ALIVE',
      version: status?.version ?? null,
      workers: status?.workers ?? null,
      shards: shards.filter(({ owner }) => owner === node).length,
    }
  })
}
