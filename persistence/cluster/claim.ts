import { bounds } from '../base/bounds.ts'
import { WrongLastSequence } from './followed-stream.ts'
import { keep, type OpenReplica, recordOn, restingFactor } from './open-replica.ts'
import { isSame } from './record.ts'
import { isSameLog, repairLog } from './repair-log.ts'
import { become } from './replica-roles.ts'
import { positionAfter } from './replica-store.ts'

/** Claims the shard for a follower once its owner has been silent for long enough. */
export const claimIfDue = (replica: OpenReplica): void => {
  lookAtOwner(replica)
  if (replica.isClaiming || !mayClaim(replica)) return
  replica.isClaiming = true
  claim(replica)
    .catch((error) => replica.on.trouble('a claim failed', error))
    .finally(() => {
      replica.isClaiming = false
    })
}

const claim = async (replica: OpenReplica): Promise<void> => {
  const { store, stream, monotonicNow, leaseMs } = replica
  const silence = silenceMs(replica)
  const longest = Math.max(0, ...(await replica.positions()))
  // Where the servers have lost all, a claim by a node that has nothing would begin another log.
  if (longest > 0 && store.position().applied === 0) return
  // A node with more records goes first, unless it has waited too long.
  if (longest > store.position().applied && silence < claimAnywayLeases * leaseMs) return
  await replica.inTurn(async () => {
    if (replica.role !== 'FOLLOWER' || replica.isClosed || silenceMs(replica) < silence) return
    const before = store.position()
    if (!(await isSameLog(replica, before.applied))) return
    const placed = recordOn(replica, before, { kind: 'CLAIM', count: 0 })
    const sentAt = monotonicNow()
    try {
      await stream.append(placed.bytes, before.applied)
    } catch (error) {
      // Anything else in the log arrives by following it, including a claim with a lost acknowledgement.
      if (error instanceof WrongLastSequence && error.last < before.applied)
        await repairLog(replica, error.last)
      return
    }
    await keep(replica, [placed], positionAfter(before, placed)!)
    become(replica, 'claim', sentAt)
  })
}

const silenceMs = ({ monotonicNow, heardAt, resumedAt, seenAt }: OpenReplica): number =>
  monotonicNow() - Math.max(heardAt, resumedAt(), seenAt)

/** Counts heartbeats of a resting owner as signs of life, for a while. */
const lookAtOwner = (replica: OpenReplica): void => {
  const { self, store, isFit, monotonicNow, leaseMs } = replica
  const { owner, rests } = store.position()
  if (!rests || owner === null || isSame(owner, self) || !isFit(owner)) return
  if (monotonicNow() - replica.heardAt < deadOwnerLeases * restingFactor * leaseMs)
    replica.seenAt = monotonicNow()
}

const mayClaim = (replica: OpenReplica): boolean => {
  const { self, store, isFit, leaseMs } = replica
  const { owner, applied, rests } = store.position()
  const silence = silenceMs(replica)
  // An owner renews through the log: being alive alone does not make a node the owner.
  const isOwned = owner !== null && !isSame(owner, self) && isFit(owner)
  if (isOwned && silence < deadOwnerLeases * leaseMs) return false
  const isFirst = applied === 0 && owner === null
  // A resting owner has no lease, and its heartbeats have already been missing for most of one.
  const leastSilenceMs = isFirst ? leaseMs / 2 : rests ? leaseMs / 4 : leaseMs
  if (silence < leastSilenceMs) return false
  const rank = replica.rank()
  return rank !== null && silence >= leastSilenceMs + rank * bounds.claimRankMs
}

/** After this many leases without a record, even a living owner loses the shard. */
const deadOwnerLeases = 3
/** After this many leases without a record, nodes with fewer records may claim too. */
const claimAnywayLeases = 6
