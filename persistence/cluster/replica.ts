/**
 * Shards and the directory on several nodes: logs on JetStream that every node follows, claims and handovers of
 * ownership, and the membership by which nodes decide who claims what.
 */

import { claimIfDue } from './claim.ts'
import type { LogStream } from './log-stream.ts'
import { newFollower, type OpenReplica, type ReplicaOptions, type Role } from './open-replica.ts'
import type { Member } from './record.ts'
import { putBackIfLost } from './repair-log.ts'
import { appendRecord, followLog, renew, renewIfDue, stepDown } from './replica-roles.ts'
import type { Position } from './replica-store.ts'

/**
 * A node's replica of one shard's log. The log is also the lock: the owner is the node that appended a claim to exactly
 * the log on its disk, and every record is appended to exactly its predecessor. So one of several claims wins, no node
 * that lacks a record can win, and a former owner cannot write, however late it finds out.
 */
export type Replica = {
  readonly position: () => Position
  readonly role: () => Role
  /** Records of the log not yet on this node's disk, as far as it knows. */
  readonly lag: () => number
  /**
   * Whether this node may answer: it owns the shard, and stored a record so recently that no other node can have
   * claimed it.
   */
  readonly mayServe: () => boolean
  /** Whether this node owns the shard and may not answer because for so long nothing of what it appended was acknowledged. */
  readonly isStuck: () => boolean
  /** Appends entries. Resolves when a quorum and this node's disk have them; rejects when the shard is lost. */
  readonly write: (first: number, batch: Buffer, count: number) => Promise<void>
  /** Whether this node owns the shard but let its lease end because the shard was not needed. */
  readonly isResting: () => boolean
  /** Ends the shard's rest. Resolves when it no longer rests; rejects when it is lost. */
  readonly wake: () => Promise<void>
  /** Follows the log anew, or renews the lease, after a lost connection: messages on their way to this replica are gone. */
  readonly refollow: () => void
  /** Renews the lease, or checks whether to claim. Called a few times per lease. */
  readonly tick: () => void
  /**
   * Gives the shard to a member; resolves to whether the log took the handover. All writes must be stored before.
   */
  readonly handOver: (to: Member) => Promise<boolean>
  /** The newest record that this node has dropped; 0 where it has all. */
  readonly base: () => number
  /** Where the log of the servers begins and ends. */
  readonly ends: LogStream['ends']
  /** Has the servers drop the records before this one. */
  readonly beginAt: (sequence: number) => Promise<void>
  /** Drops records up to this one on this node's disk, whose entries stay. */
  readonly dropUpTo: (sequence: number) => Promise<void>
  /** Rejects writes not stored yet: they may or may not be in the log. */
  readonly close: () => Promise<void>
}

/** Opens a replica as a follower of the log. */
export const openReplica = (options: ReplicaOptions): Replica => {
  const { store, monotonicNow, leaseMs } = options
  const replica = newFollower(options)
  followLog(replica)
  return {
    position: store.position,
    role: () => replica.role,
    lag: () => replica.lag,
    mayServe: () => replica.role === 'OWNER' && monotonicNow() < replica.leaseFrom + servingShare * leaseMs,
    // An owner by handover has no lease before its first renewal, for which it has as much time as for each later one.
    isStuck: () =>
      replica.role === 'OWNER' &&
      !isResting(replica) &&
      monotonicNow() >= Math.max(replica.leaseFrom, replica.ownerFrom) + servingShare * leaseMs,
    write: (first, batch, count) => {
      replica.neededAt = monotonicNow()
      return appendRecord(replica, { kind: 'BATCH', first, count }, batch)
    },
    isResting: () => isResting(replica),
    wake: () => wake(replica),
    refollow: () => {
      replica.following?.restart()
      replica.lost = 'MAYBE'
      // Servers that were away may have lost records. An owner that rests would put them back late, after others have claimed.
      if (replica.role === 'OWNER') renew(replica)
    },
    tick: () => {
      if (replica.isClosed) return
      renewIfDue(replica)
      if (replica.role === 'FOLLOWER') {
        putBackIfLost(replica)
        claimIfDue(replica)
      }
    },
    handOver: (to) => handOverTo(replica, to),
    base: () => store.base().applied,
    ends: options.stream.ends,
    beginAt: options.stream.beginAt,
    dropUpTo: (sequence) => dropUpTo(replica, sequence),
    close: async () => {
      replica.isClosed = true
      replica.following?.stop()
      await replica.dropping?.catch(() => undefined)
      await replica.inTurn(store.close)
    },
  }
}

/** Closing waits for it; writes do not, which concern other records. */
const dropUpTo = async (replica: OpenReplica, sequence: number): Promise<void> => {
  if (replica.isClosed) return
  try {
    replica.dropping = replica.store.dropUpTo(sequence)
    await replica.dropping
  } catch (error) {
    if (!replica.isClosed) replica.on.broken(error)
  } finally {
    replica.dropping = null
  }
}

const isResting = ({ role, store }: OpenReplica): boolean => role === 'OWNER' && store.position().rests

const wake = (replica: OpenReplica): Promise<void> => {
  replica.neededAt = replica.monotonicNow()
  if (!isResting(replica)) return Promise.resolve()
  replica.waking ??= appendRecord(replica, { kind: 'BATCH', count: 0 }).finally(() => {
    replica.waking = null
  })
  return replica.waking
}

const handOverTo = async (replica: OpenReplica, to: Member): Promise<boolean> => {
  if (replica.role !== 'OWNER') return false
  replica.role = 'LEAVING'
  try {
    await appendRecord(replica, { kind: 'HANDOVER', count: 0, to })
  } catch {
    return false
  }
  stepDown(replica, 'handover')
  return true
}

/** An owner stops answering before other nodes may consider its lease over. */
const servingShare = 0.8
