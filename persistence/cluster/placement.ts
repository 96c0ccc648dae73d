import { fnv1a } from '../../engine/shared/hash.ts'

/**
 * Which node should own each shard: the first by rendezvous order that has room, with equal shares; or the one that it was moved to because
 * of its load, which changes nothing of the others. Nodes with the same view compute the same result, and a node that comes or goes moves
 * few shards.
 */
export const placement = (
  shards: number,
  nodes: readonly string[],
  pins: ReadonlyMap<number, string> = new Map(),
  /** Those of them that may own a shard. */
  mayOwn: (shard: number) => readonly string[] = () => nodes,
  moves: ReadonlyMap<number, string> = new Map(),
): readonly (string | null)[] => {
  const share = Math.ceil(shards / Math.max(1, nodes.length))
  const owned = new Map<string, number>()
  const countOf = (node: string): number => owned.get(node) ?? 0
  const take = (node: string): string => {
    owned.set(node, countOf(node) + 1)
    return node
  }
  const placed: (string | null)[] = Array.from({ length: shards }, (_, shard) => {
    const pinned = pins.get(shard)
    return pinned !== undefined && mayOwn(shard).includes(pinned) ? take(pinned) : null
  })
  return placed.map((pinned, shard) => {
    if (pinned !== null) return pinned
    const order = ranked(shard, mayOwn(shard))
    const free = order.find((node) => countOf(node) < share) ?? order[0]
    if (free === undefined) return null
    const equal = take(free)
    const moved = moves.get(shard)
    return moved !== undefined && order.includes(moved) ? moved : equal
  })
}

/** A node that may hold copies, and where it stands. */
export type PlacedNode = { readonly node: string; readonly zone: string }

/**
 * Which nodes should hold a copy of each shard: the node that it is pinned to, then in zones that have the fewest copies of it so far,
 * then nodes that have room, with equal shares, then by rendezvous order. With fewer nodes than copies, each holds one.
 */
export const copyPlacement = (
  shards: number,
  nodes: readonly PlacedNode[],
  copies: number,
  pins: ReadonlyMap<number, string> = new Map(),
): readonly (readonly string[])[] => {
  const count = Math.min(copies, nodes.length)
  const share = Math.ceil((shards * count) / Math.max(1, nodes.length))
  const held = new Map(nodes.map(({ node }) => [node, 0]))
  const zones = new Map(nodes.map(({ node, zone }) => [node, zone]))
  return Array.from({ length: shards }, (_, shard) => {
    const left = [...ranked(shard, [...held.keys()])]
    const chosen: string[] = []
    const costOf = (node: string): number => {
      if (pins.get(shard) === node) return -1
      const together = chosen.filter((other) => zones.get(other) === zones.get(node)).length
      return 2 * together + (held.get(node)! < share ? 0 : 1)
    }
    while (chosen.length < count) {
      const best = left.reduce((one, other) => (costOf(other) < costOf(one) ? other : one))
      left.splice(left.indexOf(best), 1)
      chosen.push(best)
      held.set(best, held.get(best)! + 1)
    }
    return chosen.sort()
  })
}

/** The nodes in their order of preference for a shard. */
export const ranked = (shard: number, nodes: readonly string[]): readonly string[] =>
  [...nodes].sort((a, b) => score(shard, b) - score(shard, a) || (a < b ? -1 : 1))

/** FNV-1a with its bits mixed once more, so that neighbouring shards do not get neighbouring scores. */
const score = (shard: number, node: string): number => {
  let mixed = fnv1a(`${shard}/${node}`)
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b)
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35)
  return (mixed ^ (mixed >>> 16)) >>> 0
}
