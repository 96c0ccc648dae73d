import { bounds } from '../base/bounds.ts'
import { type OpenMember, unfitness } from './open-member.ts'

/**
 * Whether nothing happens here: every shard rests, every node is heard in time, and no shard, copy or node is about to move. A member then says
 * and looks half as often what it says and looks otherwise: what that delays is noticed by the next look, and from then on it looks as often as
 * ever, so that a node that falls silent loses its shards no later.
 */
export const isCalm = (member: OpenMember): boolean => {
  const { replicas, fetched, leaving, membership, link, monotonicNow, leaseMs } = member
  // Two heartbeats in a row may be late before a node is dead, as ever.
  if ((leaseMs * 3) / 4 < 3 * calmBeatsApart * bounds.heartbeatMs) return false
  if (member.isLeaving || member.isDraining || member.isHanding || fetched.size > 0 || leaving.size > 0)
    return false
  if (monotonicNow() - member.diedAt < bounds.restAfterDeathMs) return false
  if (!membership.hearsAll(calmBeatsApart * bounds.heartbeatMs * lateShare)) return false
  if (link.isWaiting() || unfitness(member) !== null) return false
  return [...replicas.values()].every((replica) => replica.position().rests)
}

/** How many intervals lie between two heartbeats of a calm member. */
export const calmBeatsApart = 2

/** A heartbeat that is half an interval late makes a member look more often. */
const lateShare = 1.5
