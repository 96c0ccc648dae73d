import { bounds } from '../base/bounds.ts'

/** When a shard moves because the node that owns it is much busier than another. */
export type LoadRule = {
  /** Nodes, copies, pins and the places of shards have stood still for so long before one moves; infinite where none ever does. */
  readonly pauseMs: number
  /** The load of a shard is the mean over so long. */
  readonly windowMs: number
  /** The imbalance has lasted for so long. */
  readonly lastsMs: number
  /** A shard that was moved stays for so long. */
  readonly restMs: number
  /** A node with a smaller load, in entries a second, gives nothing away. */
  readonly loadMin: number
  /** Interval of looks. */
  readonly lookMs: number
}

/** The rule of a cluster in which so much time passes between two moves, in milliseconds; 0 for no moves. */
export const loadRuleOf = (pauseMs: number): LoadRule =>
  pauseMs === 0
    ? { ...loadRuleOf(bounds.shardBalanceMs), pauseMs: Number.POSITIVE_INFINITY }
    : {
        pauseMs,
        windowMs: pauseMs / 3,
        // What was over within a window is in the mean for less than two.
        lastsMs: (pauseMs * 2) / 3,
        restMs: pauseMs * pausesOfRest,
        loadMin: bounds.shardBalanceLoadMin,
        lookMs: pauseMs / 30,
      }

/** A shard that was moved stays for so many pauses: for a day, where a pause is half an hour. */
const pausesOfRest = 48

/** A shard with its owner and its load. */
export type LoadedShard = {
  readonly shard: number
  readonly owner: string
  /** Entries a second. */
  readonly load: number
  /** The nodes that it may be given to; none where it has to stay. */
  readonly mayGoTo: readonly string[]
}

/** A shard that should be owned by another node because of its load. */
export type LoadMove = { readonly shard: number; readonly to: string }

/**
 * The move that should come next; null where all should stay. It is the first step of a plan that leaves the node that gives, and every
 * node that takes, with a quarter less than the one that gives has. So a shard that is a node's whole load stays (it would be the load of
 * another one), and none goes back while loads are as they are: each step makes the sum of the squares of the nodes' loads smaller.
 */
export const nextMove = (
  nodes: readonly string[],
  shards: readonly LoadedShard[],
  loadMin: number,
): LoadMove | null => {
  const loads = loadsOf(nodes, shards)
  const busiestFirst = [...loads].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1))
  for (const [node, load] of busiestFirst) {
    if (load < loadMin) return null
    const move = firstStep(node, loads, shards)
    if (move !== null) return move
  }
  return null
}

/** What each node has to do: the load of the shards that it owns. */
export const loadsOf = (
  nodes: readonly string[],
  shards: readonly Pick<LoadedShard, 'owner' | 'load'>[],
): ReadonlyMap<string, number> => {
  const loads = new Map(nodes.map((node) => [node, 0]))
  for (const { owner, load } of shards) loads.set(owner, (loads.get(owner) ?? 0) + load)
  return loads
}

/** By how much a plan has to make the busiest of the nodes that it concerns better. */
const gainMin = 0.25

const firstStep = (
  from: string,
  loads: ReadonlyMap<string, number>,
  shards: readonly LoadedShard[],
): LoadMove | null => {
  const loadMax = loads.get(from)! * (1 - gainMin)
  const planned = new Map(loads)
  const left = new Set(shards.filter(({ owner, load }) => owner === from && load > 0))
  let first: LoadMove | null = null
  for (;;) {
    const step = bestStep(from, planned, left, loadMax)
    if (step === null) return planned.get(from)! <= loadMax ? first : null
    first ??= { shard: step.moved.shard, to: step.to }
    left.delete(step.moved)
    planned.set(from, planned.get(from)! - step.moved.load)
    planned.set(step.to, planned.get(step.to)! + step.moved.load)
  }
}

/** The step after which the busier of the two nodes has the smallest load, of two such with the lighter shard; null where none makes it smaller. */
const bestStep = (
  from: string,
  planned: ReadonlyMap<string, number>,
  left: ReadonlySet<LoadedShard>,
  loadMax: number,
): { readonly moved: LoadedShard; readonly to: string } | null => {
  const before = planned.get(from)!
  let best: { moved: LoadedShard; to: string; load: number } | null = null
  for (const moved of left)
    for (const to of moved.mayGoTo) {
      const taken = planned.get(to)! + moved.load
      const load = Math.max(taken, before - moved.load)
      if (to === from || taken > loadMax || load >= before) continue
      if (best === null || load < best.load || (load === best.load && moved.load < best.moved.load))
        best = { moved, to, load }
    }
  return best
}
