import { bounds } from '../base/bounds.ts'
import { WrongLastSequence } from './followed-stream.ts'
import { LogBehind } from './log-stream.ts'
import {
  type Change,
  keep,
  type OpenReplica,
  recordOn,
  restingFactor,
  type Succession,
} from './open-replica.ts'
import { isSame, type Placed, placedAt, unpackRecord } from './record.ts'
import { fork, isSameLog, repairLog } from './repair-log.ts'
import { type Position, positionAfter } from './replica-store.ts'

// A replica follows the log until it becomes its owner, and follows it again when it has lost it: each role begins where the other ends.

/** Follows the log from the end of this node's disk. */
export const followLog = (replica: OpenReplica): void => {
  const { store, stream } = replica
  replica.heardAt = replica.monotonicNow()
  emptyBuffer(replica)
  replica.following?.stop()
  replica.following = stream.follow(
    () => store.position().applied,
    ({ sequence, bytes }, behind) => take(replica, sequence, bytes, behind),
  )
}

const isFollowing = ({ role, isClosed }: OpenReplica): boolean => role === 'FOLLOWER' && !isClosed

const take = (replica: OpenReplica, sequence: number, bytes: Buffer, behind: number): void => {
  if (!isFollowing(replica)) return
  const { buffered } = replica
  const placed = placedAt(sequence, bytes)
  replica.heardAt = replica.monotonicNow()
  buffered.push(placed)
  replica.lag = behind + buffered.length
  writeIn(replica, buffered.length >= bounds.followedTogetherMax ? 0 : writtenWithinMs(replica, placed))
}

/**
 * The time that a record may wait for others, to be written together with them. One that names an owner is not delayed, because routes
 * and handovers wait for it. Renewals wait longest: only a claim needs them, a lease later.
 */
const writtenWithinMs = ({ leaseMs }: OpenReplica, { record: { kind, count } }: Placed): number => {
  if (kind !== 'BATCH') return 0
  return count > 0 ? leaseMs / 8 : leaseMs / 4
}

const writeIn = (replica: OpenReplica, ms: number): void => {
  const atMs = replica.monotonicNow() + ms
  if (atMs >= replica.writesAt) return
  replica.writesAt = atMs
  const write = (): void => void replica.inTurn(() => writeBuffered(replica)).catch(() => undefined)
  if (ms === 0) write()
  else
    void replica.pause(ms).then(() => {
      // An earlier write may have taken all that waited.
      if (replica.writesAt <= atMs) write()
    })
}

const emptyBuffer = (replica: OpenReplica): void => {
  replica.buffered = []
  replica.writesAt = Number.POSITIVE_INFINITY
}

const writeBuffered = async (replica: OpenReplica): Promise<void> => {
  if (!isFollowing(replica)) return
  const { store, buffered } = replica
  const records: Placed[] = []
  let after = store.position()
  let hasGap = false
  emptyBuffer(replica)
  for (const placed of buffered) {
    if (placed.sequence <= after.applied) continue
    const next = positionAfter(after, placed)
    if (next === null) {
      if (placed.sequence === after.applied + 1)
        fork(replica, `record ${placed.sequence} does not follow on ours`)
      else hasGap = true
      break
    }
    records.push(placed)
    after = next
  }
  if (records.length > 0) await writeRecords(replica, records, after)
  if (hasGap && isFollowing(replica)) await followFurther(replica)
}

const writeRecords = async (
  replica: OpenReplica,
  records: readonly Placed[],
  after: Position,
): Promise<void> => {
  const { self, store, on } = replica
  const before = store.position()
  const knownEpoch = Math.max(replica.known.epoch, before.epoch)
  await keep(replica, records, after)
  replica.lag = Math.max(0, replica.lag - records.length)
  if (after.entries > before.entries) on.entries(after.entries)
  // A handover to this node, or its own claim with a lost acknowledgement.
  if (after.epoch > knownEpoch && isSame(after.owner, self)) {
    const { record } = records.at(-1)!
    if (record.epoch === after.epoch && record.kind !== 'BATCH')
      become(replica, record.kind === 'HANDOVER' ? 'handover' : 'claim', Number.NEGATIVE_INFINITY)
  }
}

/** Follows again after a gap: what was missed comes then, unless the log has it no more. */
const followFurther = async (replica: OpenReplica): Promise<void> => {
  const { first } = await replica.stream.ends().catch(() => ({ first: 1 }))
  if (!isFollowing(replica)) return
  const { applied } = replica.store.position()
  if (first <= applied + 1) return followLog(replica)
  replica.following?.stop()
  replica.on.broken(
    new LogBehind(`the log of the shard begins at ${first}, and this node has it up to ${applied}`),
  )
}

/** Makes this node the owner, with a lease that runs from `from`. */
export const become = (replica: OpenReplica, reason: Succession, from: number): void => {
  if (!isFollowing(replica)) return
  replica.role = 'OWNER'
  replica.following?.stop()
  replica.following = null
  emptyBuffer(replica)
  replica.lag = 0
  replica.leaseFrom = from
  replica.ownerFrom = replica.monotonicNow()
  replica.appendedAt = replica.monotonicNow()
  replica.neededAt = replica.monotonicNow()
  replica.on.owner({ epoch: replica.store.position().epoch, reason })
  if (from === Number.NEGATIVE_INFINITY) renew(replica)
}

/** Renewals are records that stay in the log, so the owner of an idle shard makes few. */
export const renewIfDue = (replica: OpenReplica): void => {
  const { role, monotonicNow, appendedAt, leaseMs, store } = replica
  const everyMs = (leaseMs / 3) * (store.position().rests ? restingFactor : 1)
  if (role === 'OWNER' && monotonicNow() - appendedAt > everyMs) renew(replica)
}

/** Appends a record without entries. */
export const renew = (replica: OpenReplica): void => {
  replica.appendedAt = replica.monotonicNow()
  appendRecord(replica, { kind: 'BATCH', count: 0 }).catch(() => undefined)
}

/** Appends a record of the owner. Resolves when a quorum and this node's disk have it. */
export const appendRecord = (
  replica: OpenReplica,
  change: Change,
  batch: Buffer | null = null,
): Promise<void> =>
  replica.inTurn(async () => {
    requireOwner(replica)
    const before = replica.store.position()
    const placed = recordOn(replica, before, change, batch)
    const after = positionAfter(before, placed)!
    replica.appendedAt = replica.monotonicNow()
    // Followers wait for less than a lease once they know that it rests, which may be before it knows that itself.
    if (after.rests) replica.leaseFrom = Number.NEGATIVE_INFINITY
    const sentAt = await place(replica, placed)
    await keep(replica, [placed], after)
    if (!after.rests) replica.leaseFrom = Math.max(replica.leaseFrom, sentAt)
  })

/** The shard was lost or the replica closed during a write, which may or may not be stored. */
class OwnershipLost extends Error {}

const requireOwner = ({ isClosed, role }: OpenReplica): void => {
  if (isClosed || (role !== 'OWNER' && role !== 'LEAVING'))
    throw new OwnershipLost('this node does not own the shard')
}

/** Retries until the record is stored or another one took its place. Returns when it was first sent. */
const place = async (replica: OpenReplica, { sequence, bytes }: Placed): Promise<number> => {
  const sentAt = replica.monotonicNow()
  for (;;) {
    try {
      if (hasLease(replica) || (await isSameLog(replica, sequence - 1))) {
        await replica.stream.append(bytes, sequence - 1)
        return sentAt
      }
    } catch (error) {
      if (await isThere(replica, sequence, bytes, error)) return sentAt
    }
    requireOwner(replica)
  }
}

const hasLease = ({ monotonicNow, leaseFrom, leaseMs }: OpenReplica): boolean =>
  monotonicNow() < leaseFrom + leaseMs

/** Interprets a failed append: true if the record was stored, false to retry. Throws if another node was first. */
const isThere = async (
  replica: OpenReplica,
  sequence: number,
  bytes: Buffer,
  error: unknown,
): Promise<boolean> => {
  if (error instanceof WrongLastSequence) {
    if (error.last < sequence - 1) {
      await repairLog(replica, error.last)
      return false
    }
    const found = await replica.stream.read(sequence).catch(() => null)
    if (found?.equals(bytes)) return true
    if (found !== null) {
      const { by, kind } = unpackRecord(found).record
      stepDown(replica, `another ${kind.toLowerCase()} by ${by.node} is at ${sequence}`)
      throw new OwnershipLost(`the shard belongs to ${by.node}`)
    }
    const { first } = await replica.stream.ends().catch(() => ({ first: 1 }))
    if (first > sequence) {
      stepDown(replica, `the log begins at ${first}, behind what this node was about to store`)
      throw new OwnershipLost('the log has gone on without this node')
    }
  }
  await replica.pause(bounds.logRetryMs)
  return false
}

/** Stops owning the shard. */
export const stepDown = (replica: OpenReplica, reason: string): void => {
  if (replica.role !== 'OWNER' && replica.role !== 'LEAVING') return
  replica.role = 'FOLLOWER'
  replica.leaseFrom = Number.NEGATIVE_INFINITY
  replica.on.lost(reason)
  if (!replica.isClosed) followLog(replica)
}
