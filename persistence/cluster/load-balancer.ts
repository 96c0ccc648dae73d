import { bounds } from '../base/bounds.ts'
import { newLoadMeter } from './load-meter.ts'
import { type LoadedShard, type LoadMove, nextMove } from './load-rule.ts'
import { holdersOf, type OpenMember, placementOf } from './open-member.ts'

/**
 * Moves shards from nodes that are much busier than others. Every node looks at the same loads, which owners say; the owner of the shard that
 * should move has the directory say so, on condition that nothing was said since about where shards are owned. What the directory
 * says is part of the placement, and the handover is that of every shard that its placement wants elsewhere.
 */
export type LoadBalancer = { readonly tick: () => void }

/** Starts without knowing when shards were moved: to it, all that were moved were so when it started. */
export const openLoadBalancer = (member: OpenMember): LoadBalancer => {
  const { loadRule, monotonicNow, log } = member
  const movedAt = new Map<number, Moved>()
  let lookedAt = Number.NEGATIVE_INFINITY
  /** Since when each look has found a shard that should move; null where the last one has not. */
  let unevenSince: number | null = null

  return {
    tick: () => {
      const atMs = monotonicNow()
      measure(member, atMs)
      noteMoves(member, movedAt, atMs)
      // What it is computed from may have changed and be as before by the next look.
      placementOf(member)
      if (atMs - lookedAt < loadRule.lookMs) return
      lookedAt = atMs
      const move = isSettled(member, atMs) ? moveIn(member, movedAt, atMs) : null
      if (move === null) {
        unevenSince = null
        return
      }
      unevenSince ??= atMs
      if (atMs - unevenSince < loadRule.lastsMs) return
      if (member.replicas.get(move.shard)?.mayServe() !== true) return
      // Where another node was first, this one looks for as long as before.
      unevenSince = atMs
      log.info({ shard: move.shard, node: move.to }, 'a shard is to move to a node that is less busy')
      member.move(move.shard, member.moves().number, move.to)
    },
  }
}

type Moved = { readonly node: string; readonly atMs: number }

const measure = ({ replicas, loads, loadRule }: OpenMember, atMs: number): void => {
  for (const shard of loads.keys()) if (!replicas.has(shard)) loads.delete(shard)
  for (const [shard, replica] of replicas) {
    const meter = loads.get(shard) ?? newLoadMeter(loadRule.windowMs)
    loads.set(shard, meter)
    meter.look(replica.position().entries, atMs)
  }
}

const noteMoves = (member: OpenMember, movedAt: Map<number, Moved>, atMs: number): void => {
  const { nodes } = member.moves()
  for (const shard of movedAt.keys()) if (!nodes.has(shard)) movedAt.delete(shard)
  for (const [shard, node] of nodes) if (movedAt.get(shard)?.node !== node) movedAt.set(shard, { node, atMs })
}

/** Whether nothing has changed for a pause that placement goes by, all nodes may own shards, and each shard is where it should be. */
const isSettled = (member: OpenMember, atMs: number): boolean => {
  const { membership, loadRule, heardOwners, shards } = member
  const { nodes, sinceMs } = placementOf(member)
  return (
    member.writtenVersion() >= balancedSince &&
    atMs - Math.max(sinceMs, membership.resumedAt()) >= loadRule.pauseMs &&
    membership.nodes().every(({ isLeaving, isDraining, isUnfit }) => !isLeaving && !isDraining && !isUnfit) &&
    Array.from({ length: shards }, (_, shard) => heardOwners.get(shard)).every(
      (heard, shard) =>
        heard !== undefined &&
        heard.load !== null &&
        heard.owner.node === nodes[shard] &&
        membership.isAlive(heard.owner) &&
        atMs - heard.atMs < bounds.ownerSaidMs,
    )
  )
}

const moveIn = (member: OpenMember, movedAt: ReadonlyMap<number, Moved>, atMs: number): LoadMove | null => {
  const { membership, heardOwners, shards, loadRule } = member
  const living = membership.nodes().map(({ node }) => node)
  const loaded = Array.from({ length: shards }, (_, shard): LoadedShard => {
    const { owner, load } = heardOwners.get(shard)!
    const moved = movedAt.get(shard)
    const rests = moved !== undefined && atMs - moved.atMs < loadRule.restMs
    return {
      shard,
      owner: owner.node,
      load: load ?? 0,
      mayGoTo: rests ? [] : placesFor(member, shard, living),
    }
  })
  return nextMove(living, loaded, loadRule.loadMin)
}

/** The nodes that may own a shard, none for one that is pinned. While it has more copies than it should, one of its holders is about to leave. */
const placesFor = (member: OpenMember, shard: number, living: readonly string[]): readonly string[] => {
  if (member.pins().has(shard)) return []
  const holders = holdersOf(member, shard)
  if (holders === null) return living
  return holders.length > member.copiesRule.copies ? [] : living.filter((node) => holders.includes(node))
}

/** The version from which on moves of shards are written down: all nodes know where they are owned. */
const balancedSince = 14
