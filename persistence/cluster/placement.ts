import { fnv1a } from '../../engine/shared/hash.ts'

/**
 * Which node should own each shard: the first by rendezvous order that has room, with equal shares. Nodes with the same
 * view compute the same result, and a node that comes or goes moves few shards.
 */
export const placement = (
  shards: number,
  nodes: readonly string[],
  pins: ReadonlyMap<number, string> = new Map(),
): readonly (string | null)[] => {
  const share = Math.ceil(shards / Math.max(1, nodes.length))
  const owned = new Map(nodes.map((node) => [node, 0]))
  const take = (node: string): string => {
    owned.set(node, owned.get(node)! + 1)
    return node
  }
  const placed: (string | null)[] = Array.from({ length: shards }, (_, shard) => {
    const pinned = pins.get(shard)
    return pinned !== undefined && owned.has(pinned) ? take(pinned) : null
  })
  return placed.map((pinned, shard) => {
    if (pinned !== null) return pinned
    const free = ranked(shard, nodes).find((node) => owned.get(node)! < share)
    return free === undefined ? null : take(free)
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
