import { nextHolders } from './copies-rule.ts'
import { askPositions, type NodePosition } from './handover.ts'
import { holdersOf, type OpenMember } from './open-member.ts'
import { copyPlacement, type PlacedNode } from './placement.ts'
import type { Replica } from './replica.ts'

/**
 * Sees to it that this node holds the copies that it should, and that the shards which it owns have as many copies as asked for, on the
 * right nodes. Who holds what is in the directory's log, where only the owner of a shard changes it.
 */
export type CopyKeeper = { readonly tick: () => void }

/** Starts without knowing the other nodes: those that it waits for have a whole term. */
export const openCopyKeeper = (member: OpenMember): CopyKeeper => {
  const { copiesRule, monotonicNow, log } = member
  const known = new Map<string, Known>()
  const seen = new Map<number, Seen>()
  const busy = new Set<number>()
  let lookedAt = Number.NEGATIVE_INFINITY

  const alone = (shard: number, work: () => Promise<void>): void => {
    if (busy.has(shard)) return
    busy.add(shard)
    work()
      .catch((error: unknown) => log.warn({ shard, err: error }, 'copies of a shard are not moved for now'))
      .finally(() => busy.delete(shard))
  }

  return {
    tick: () => {
      if (monotonicNow() - lookedAt < copiesRule.lookMs) return
      lookedAt = monotonicNow()
      lookAtNodes(member, known)
      const plan = planOf(member, known)
      for (let shard = member.worker; shard < member.shards; shard += member.workers) {
        const replica = member.replicas.get(shard)
        if (isHeld(member, shard)) {
          if (replica === undefined) member.hold(shard)
          else if (plan !== null && replica.mayServe())
            alone(shard, () => place(member, shard, replica, plan, seen))
        } else if (replica?.role() === 'FOLLOWER') alone(shard, () => leaveIfSafe(member, shard, replica))
        else if (plan !== null && replica?.mayServe())
          alone(shard, () => place(member, shard, replica, plan, seen))
      }
    },
  }
}

/** What the owner of a shard had on its disk at a look. */
type Seen = { readonly applied: number; readonly atMs: number }

type Known = { readonly zone: string; readonly heardAt: number }

/** Whether this node is to have a copy of the shard. */
export const isHeld = (member: OpenMember, shard: number): boolean =>
  member.isGathering() || holdNumber(member, shard) !== null

/** By which placement this node holds a copy of a shard; 0 before the first, null where it does not. */
export const holdNumber = (member: OpenMember, shard: number): number | null => {
  const copies = member.copies(shard)
  if (copies === null) return 0
  return copies.nodes.includes(member.self.node) ? copies.number : null
}

/** Remembers who lives, once it has for a while, and forgets who is gone or leaves for good. */
const lookAtNodes = (member: OpenMember, known: Map<string, Known>): void => {
  const { membership, monotonicNow, copiesRule } = member
  const holders = everyHolder(member)
  for (const { node, zone, since, leavesForGood } of membership.nodes())
    if (leavesForGood) known.delete(node)
    else if (known.has(node) || holders.has(node) || monotonicNow() - since >= copiesRule.stableMs)
      known.set(node, { zone, heardAt: monotonicNow() })
  for (const [node, { heardAt }] of known)
    if (monotonicNow() - Math.max(heardAt, membership.resumedAt()) >= copiesRule.goneMs) known.delete(node)
}

/**
 * Whether nodes may live that this process has not heard for long enough yet, or a holder of any shard was not heard since it began and
 * may still come back. Without them other nodes would seem to be the right ones, and copies would move for a restart.
 */
const isAwaited = (member: OpenMember, known: ReadonlyMap<string, Known>): boolean => {
  const { membership, monotonicNow, copiesRule } = member
  const forMs = monotonicNow() - membership.resumedAt()
  if (forMs < 2 * copiesRule.stableMs) return true
  if (forMs >= copiesRule.goneMs) return false
  const leaving = new Set(
    membership.nodes().flatMap(({ node, leavesForGood }) => (leavesForGood ? [node] : [])),
  )
  return [...everyHolder(member)].some((node) => !known.has(node) && !leaving.has(node))
}

/** The nodes that hold a copy of any shard because it was placed there. */
const everyHolder = (member: OpenMember): ReadonlySet<string> =>
  new Set(Array.from({ length: member.shards }, (_, shard) => holdersOf(member, shard) ?? []).flat())

/** Where copies should be, by what one look has found. */
type Plan = { readonly nodes: readonly string[]; readonly wanted: readonly (readonly string[])[] }

/** The plan for all shards; null while copies are not placed at all. */
const planOf = (member: OpenMember, known: ReadonlyMap<string, Known>): Plan | null => {
  if (member.writtenVersion() < placedSince || isAwaited(member, known)) return null
  const nodes: readonly PlacedNode[] = [...known].map(([node, { zone }]) => ({ node, zone }))
  return {
    nodes: nodes.map(({ node }) => node).sort(),
    wanted: copyPlacement(member.shards, nodes, member.copiesRule.copies, member.pins()),
  }
}

/** Changes the holders of a shard that this node owns by one step, where they are not those that they should be. */
const place = async (
  member: OpenMember,
  shard: number,
  replica: Replica,
  plan: Plan,
  seen: Map<number, Seen>,
): Promise<void> => {
  const { copiesRule, self } = member
  const { number, nodes: holders } = member.copies(shard) ?? { number: 0, nodes: null }
  const view = { holders, wanted: plan.wanted[shard]!, known: plan.nodes }
  // Whether anything is to be done at all is known without asking.
  const everyone = new Set(holders)
  if (nextHolders({ ...view, caughtUp: everyone }, copiesRule.copies) === null) return
  const before = seen.get(shard)
  const atMs = member.monotonicNow()
  seen.set(shard, { applied: replica.position().applied, atMs })
  const isLate = before === undefined || atMs - before.atMs > seenLooksMax * copiesRule.lookMs
  const target = isLate ? Number.POSITIVE_INFINITY : before.applied
  const answers = await askPositions(member, shard)
  const caughtUp = new Set([self.node, ...answers.filter(hasFrom(number, target)).map(({ node }) => node)])
  const next = nextHolders({ ...view, caughtUp }, copiesRule.copies)
  if (next === null || !replica.mayServe()) return
  member.log.info({ shard, before: holders, nodes: next }, 'the copies of a shard are placed anew')
  member.place(shard, number, next)
}

/** Whether a node holds a copy by this placement or a later one, with the records up to this one. */
const hasFrom =
  (number: number, applied: number) =>
  (answer: NodePosition): boolean =>
    (answer.holds ?? -1) >= number && answer.copies !== false && answer.applied >= applied

/**
 * Ends a copy that this node need not hold any more, once as many holders as asked for have on their disks what it has. Only those count that
 * go by the same placement or a later one: who leaves by an earlier one has counted others itself, and they would count each other.
 */
const leaveIfSafe = async (member: OpenMember, shard: number, replica: Replica): Promise<void> => {
  const { copiesRule, leaving, replicas, log } = member
  const copies = member.copies(shard)
  if (copies === null) return
  const { applied } = replica.position()
  // From here on it does not claim.
  leaving.set(shard, applied)
  try {
    const answers = await askPositions(member, shard)
    const others = answers
      .filter((answer) => copies.nodes.includes(answer.node))
      .filter(hasFrom(copies.number, applied))
    if (others.length < copiesRule.copies || replica.role() !== 'FOLLOWER' || isHeld(member, shard)) return
    if (replicas.get(shard) !== replica) return
    replicas.delete(shard)
    log.info(
      { shard, holders: others.map(({ node }) => node) },
      'other nodes hold the shard: this copy is removed',
    )
    await member.leave(shard)
  } finally {
    leaving.delete(shard)
  }
}

/** What was seen this many looks ago says nothing of today. */
const seenLooksMax = 5

/** The version from which on copies are placed: all nodes know who holds what. */
const placedSince = 14
