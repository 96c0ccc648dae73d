import { type Directory, firstWrittenVersion } from '../../../engine/companies/directory.ts'
import type { NodeStatus, ShardStatus } from './control.ts'

/**
 * ALIVE answers. DRAINING is being emptied. UNFIT answers and owns no shards for a while, because of its connection or its clock. SILENT does
 * not answer, but others hear from it. GONE is not heard from at all.
 */
export type NodeState = 'ALIVE' | 'DRAINING' | 'UNFIT' | 'SILENT' | 'GONE'

/** One picture of the cluster, merged from the reports of all nodes. */
export type ClusterView = {
  /** The version of what the nodes write for each other. */
  readonly writtenVersion: number
  /** Whether a node reads a newer one: the upgrade has to go on, or to be finished. */
  readonly isUpgradeUnfinished: boolean
  readonly nodes: readonly NodeView[]
  readonly shards: readonly ShardView[]
}

export type NodeView = {
  readonly node: string
  readonly state: NodeState
  /** Changes with every start of the node; null if it does not answer. */
  readonly incarnation: string | null
  readonly version: string | null
  /** The newest version that the node reads of what others write; null if it is not heard. */
  readonly reads: number | null
  readonly workers: number | null
  /** How far the node's clock is ahead of the others', in milliseconds; null if the node does not answer. */
  readonly clockAheadMs: number | null
  /** How many shards it owns. */
  readonly shards: number
  /** Entries a second of the shards that it owns; null where it is not known. */
  readonly load: number | null
  /** The shards that it lacks and fetches from other nodes. */
  readonly joining: readonly number[]
}

export type ShardView = {
  readonly shard: number
  readonly owner: string | null
  readonly epoch: number
  /** The owner's position; if the owner does not answer, the position of the node furthest ahead. */
  readonly applied: number
  /** How many records each other node is behind. */
  readonly lag: Readonly<Record<string, number>>
  /** Entries a second, as the mean over some minutes; null where its owner does not say it. */
  readonly load: number | null
  readonly pinnedTo: string | null
  /** The node that it was moved to because of its load. */
  readonly movedTo: string | null
  /** The nodes that hold a copy of it; null where copies were never placed, and every node holds one. */
  readonly holders: readonly string[] | null
}

/** Merges the nodes' reports into one picture. */
export const clusterView = (
  answers: readonly NodeStatus[],
  shards: number,
  directory: PlacesInDirectory,
): ClusterView => {
  const { writtenVersion } = directory
  const views = Array.from({ length: shards }, (_, shard) => shardView(shard, answers, directory))
  const nodes = nodeViews(answers, views)
  const isUpgradeUnfinished = nodes.some(({ reads }) => reads !== null && reads > writtenVersion)
  return { writtenVersion, isUpgradeUnfinished, nodes, shards: views }
}

type PlacesInDirectory = Pick<Directory, 'pins' | 'copies' | 'moves' | 'writtenVersion'>

const shardView = (
  shard: number,
  answers: readonly NodeStatus[],
  { pins, copies, moves }: PlacesInDirectory,
): ShardView => {
  const seen = answers.flatMap(({ node, shards }) =>
    shards.filter((status) => status.shard === shard).map((status) => ({ node, ...status })),
  )
  // A node that has not read the last claim yet still names the previous owner.
  const { owner, epoch } = seen.reduce(latest, noClaim)
  const said = seen.find(({ node }) => node === owner)
  const applied = said?.applied ?? Math.max(0, ...seen.map((status) => status.applied))
  const lag = Object.fromEntries(
    seen
      .filter(({ node }) => node !== owner)
      .map((status) => [status.node, Math.max(0, applied - status.applied)]),
  )
  return {
    ...{ shard, owner, epoch, applied, lag },
    load: said?.load === undefined ? null : rounded(said.load),
    pinnedTo: pins.get(shard) ?? null,
    movedTo: moves.nodes.get(shard) ?? null,
    holders: copies.get(shard)?.nodes ?? null,
  }
}

/** Loads are means: more digits say nothing. */
const rounded = (load: number): number => Math.round(load * 10) / 10

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
    const heard = status ?? peers.find((peer) => peer.node === node && peer.isAlive)
    return {
      node,
      state: stateOf(
        status,
        peers.some((peer) => peer.node === node && peer.isAlive),
      ),
      incarnation: status?.incarnation ?? null,
      version: status?.version ?? null,
      reads: heard === undefined ? null : (heard.reads ?? firstWrittenVersion),
      workers: status?.workers ?? null,
      clockAheadMs: status?.clockAheadMs ?? null,
      shards: shards.filter(({ owner }) => owner === node).length,
      load: status === undefined ? null : loadOf(shards.filter(({ owner }) => owner === node)),
      joining: status?.joining ?? [],
    }
  })
}

const loadOf = (owned: readonly ShardView[]): number | null => {
  const loads = owned.flatMap(({ load }) => load ?? [])
  return loads.length < owned.length ? null : rounded(loads.reduce((sum, load) => sum + load, 0))
}

const stateOf = (status: NodeStatus | undefined, hasHeartbeat: boolean): NodeState => {
  if (status === undefined) return hasHeartbeat ? 'SILENT' : 'GONE'
  if (status.isDraining) return 'DRAINING'
  return status.isUnfit ? 'UNFIT' : 'ALIVE'
}
