import { limits } from '../base/limits.ts'
import { type Following, type LogStream, WrongLastSequence } from './log-stream.ts'
import { isSame, type LogRecord, type Member, packRecord, unpackRecord } from './record.ts'
import { type Placed, type Position, positionAfter, type ReplicaStore } from './replica-store.ts'

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
  /** Appends entries. Resolves when a quorum and this node's disk have them; rejects when the shard is lost. */
  readonly write: (first: number, batch: Buffer, count: number) => Promise<void>
  /** Whether this node owns the shard but let its lease end because the shard was not needed. */
  readonly isResting: () => boolean
  /** The shard is needed. Resolves when it no longer rests; rejects when it is lost. */
  readonly wake: () => Promise<void>
  /** The connection was lost and is back: messages on their way to this replica are gone. */
  readonly refollow: () => void
  /** Renews the lease, or checks whether to claim. Called a few times per lease. */
  readonly tick: () => void
  /** Gives the shard to another member; resolves to whether it took it. All writes must be stored before. */
  readonly handOver: (to: Member) => Promise<boolean>
  /** Rejects writes not stored yet: they may or may not be in the log. */
  readonly close: () => Promise<void>
}

/** A forked replica has records that the log does not have. It stops, because one of the two is wrong. */
export type Role = 'FOLLOWER' | 'OWNER' | 'LEAVING' | 'FORKED'

export type ReplicaOptions = {
  readonly self: Member
  readonly store: ReplicaStore
  readonly stream: LogStream
  readonly leaseMs: number
  /** Monotonic milliseconds; only differences matter. */
  readonly now: () => number
  readonly pause: (ms: number) => Promise<void>
  /** All events up to this entry are published. Owners put it into their records. */
  readonly publishedSequence: () => number
  /** Whether a member is alive, and may own shards. */
  readonly isFit: (member: Member) => boolean
  /** When this process or its connection last resumed after a break: nothing could be heard during it. */
  readonly resumedAt: () => number
  /** This node's place among possible claimants, 0 for the first; null when it must not claim. */
  readonly rank: () => number | null
  /** The positions of the other living nodes' replicas. */
  readonly positions: () => Promise<readonly number[]>
  readonly on: ReplicaEvents
}

export type ReplicaEvents = {
  /** Entries of another owner are on disk up to this one. */
  readonly entries: (last: number) => void
  readonly owner: (change: { readonly epoch: number; readonly reason: Succession }) => void
  readonly lost: (reason: string) => void
  /** The disk failed: this replica must be opened again. */
  readonly broken: (error: unknown) => void
  readonly forked: (reason: string) => void
  readonly trouble: (message: string, error: unknown) => void
}

/** How a node became the owner. After a claim, the former owner's unfinished work is unknown. */
type Succession = 'claim' | 'handover'

/** The shard was lost or the replica closed during a write, which may or may not be stored. */
class OwnershipLost extends Error {}

/** Opens a replica as a follower of the log. */
export const openReplica = (options: ReplicaOptions): Replica => {
  const { self, store, stream, leaseMs, now, pause, on } = options
  let role: Role = 'FOLLOWER'
  let isClosed = false
  let heardAt = now()
  /** The lease runs from when the last stored record was sent. */
  let leaseFrom = Number.NEGATIVE_INFINITY
  let appendedAt = now()
  /** When the shard was last needed here. */
  let neededAt = now()
  let waking: Promise<void> | null = null
  /** When a resting owner was last known to be alive. */
  let seenAt = Number.NEGATIVE_INFINITY
  let isClaiming = false
  let buffered: Placed[] = []
  let lag = 0
  let following: Following | null = null
  /** Serializes changes to the disk. */
  let last: Promise<unknown> = Promise.resolve()

  const alone = <Value>(work: () => Promise<Value>): Promise<Value> => {
    const done = last.then(work)
    last = done.catch(() => undefined)
    return done
  }

  /** Records that the disk did not take are in the log: reopening the replica reads them again. */
  const keep = async (records: readonly Placed[], after: Position): Promise<void> => {
    try {
      await store.write(records, after)
    } catch (error) {
      role = 'FOLLOWER'
      following?.stop()
      if (!isClosed) on.broken(error)
      throw error
    }
  }

  // Following.

  const followLog = (): void => {
    heardAt = now()
    buffered = []
    following?.stop()
    following = stream.follow(() => store.position().applied, take)
  }

  const take = (placed: Placed, behind: number): void => {
    if (role !== 'FOLLOWER' || isClosed) return
    heardAt = now()
    buffered.push(placed)
    lag = behind + buffered.length
    if (buffered.length === 1) alone(writeBuffered).catch(() => undefined)
  }

  const writeBuffered = async (): Promise<void> => {
    if (role !== 'FOLLOWER' || isClosed) return
    const before = store.position()
    const records: Placed[] = []
    let after = before
    for (const placed of buffered.splice(0)) {
      if (placed.sequence <= after.applied) continue
      const next = positionAfter(after, placed)
      if (next === null) {
        if (placed.sequence === after.applied + 1) fork(`record ${placed.sequence} does not follow on ours`)
        else followLog()
        break
      }
      records.push(placed)
      after = next
    }
    if (records.length === 0) return
    await keep(records, after)
    lag = Math.max(0, lag - records.length)
    if (after.entries > before.entries) on.entries(after.entries)
    // A handover to this node, or its own claim with a lost acknowledgement.
    if (after.epoch > before.epoch && isSame(after.owner, self)) {
      const { record } = unpackRecord(records.at(-1)!.bytes)
      if (record.epoch === after.epoch && record.kind !== 'BATCH')
        become(record.kind === 'HANDOVER' ? 'handover' : 'claim', Number.NEGATIVE_INFINITY)
    }
  }

  // Owning.

  const become = (reason: Succession, from: number): void => {
    if (role !== 'FOLLOWER' || isClosed) return
    role = 'OWNER'
    following?.stop()
    following = null
    buffered = []
    lag = 0
    leaseFrom = from
    appendedAt = now()
    neededAt = now()
    on.owner({ epoch: store.position().epoch, reason })
    if (from === Number.NEGATIVE_INFINITY) renew()
  }

  const renew = (): void => {
    appendedAt = now()
    append({ kind: 'BATCH', count: 0 }).catch(() => undefined)
  }

  /** Renewals are records that stay in the log, so the owner of an idle shard makes few. */
  const isRenewalDue = (): boolean =>
    now() - appendedAt > (leaseMs / 3) * (store.position().rests ? restingFactor : 1)

  const isResting = (): boolean => role === 'OWNER' && store.position().rests

  const append = (change: Change, batch: Buffer | null = null): Promise<void> =>
    alone(async () => {
      requireOwner()
      const before = store.position()
      const placed = { sequence: before.applied + 1, bytes: recordOn(before, change, batch) }
      appendedAt = now()
      const sentAt = await place(placed)
      await keep([placed], positionAfter(before, placed)!)
      leaseFrom = Math.max(leaseFrom, sentAt)
    })

  const requireOwner = (): void => {
    if (isClosed || (role !== 'OWNER' && role !== 'LEAVING'))
      throw new OwnershipLost('this node does not own the shard')
  }

  const recordOn = (
    { epoch, head, entries }: Position,
    { kind, count, first = entries + 1, to = null }: Change,
    batch: Buffer | null = null,
  ): Buffer => {
    const record: LogRecord = {
      kind,
      epoch: kind === 'BATCH' ? epoch : epoch + 1,
      by: self,
      previous: head,
      first,
      count,
      published: options.publishedSequence(),
      to,
      ...(kind === 'BATCH' && count === 0 && now() - neededAt > restAfterLeases * leaseMs && { rests: true }),
    }
    return packRecord(record, batch)
  }

  /** Retries until it is stored or another record took its place. Returns when it was first sent. */
  const place = async ({ sequence, bytes }: Placed): Promise<number> => {
    const sentAt = now()
    for (;;) {
      try {
        await stream.append(bytes, sequence - 1)
        return sentAt
      } catch (error) {
        if (await isThere(sequence, bytes, error)) return sentAt
      }
      requireOwner()
    }
  }

  /** What a failed append means: it was stored after all, can be retried, or another node was faster. */
  const isThere = async (sequence: number, bytes: Buffer, error: unknown): Promise<boolean> => {
    if (error instanceof WrongLastSequence) {
      if (error.last < sequence - 1) {
        await putBack(error.last)
        return false
      }
      const found = await stream.read(sequence).catch(() => null)
      if (found?.equals(bytes)) return true
      if (found !== null) {
        const { by, kind } = unpackRecord(found).record
        stepDown(`another ${kind.toLowerCase()} by ${by.node} is at ${sequence}`)
        throw new OwnershipLost(`the shard belongs to ${by.node}`)
      }
    }
    await pause(limits.logRetryMs)
    return false
  }

  const stepDown = (reason: string): void => {
    if (role !== 'OWNER' && role !== 'LEAVING') return
    role = 'FOLLOWER'
    leaseFrom = Number.NEGATIVE_INFINITY
    on.lost(reason)
    if (!isClosed) followLog()
  }

  // Claiming.

  const claim = async (): Promise<void> => {
    const silence = silenceMs()
    const longest = Math.max(0, ...(await options.positions()))
    // A node with more records goes first, unless it has waited too long.
    if (longest > store.position().applied && silence < claimAnywayLeases * leaseMs) return
    await alone(async () => {
      if (role !== 'FOLLOWER' || isClosed || silenceMs() < silence) return
      const before = store.position()
      const placed = { sequence: before.applied + 1, bytes: recordOn(before, { kind: 'CLAIM', count: 0 }) }
      const sentAt = now()
      try {
        await stream.append(placed.bytes, before.applied)
      } catch (error) {
        // Anything else in the log arrives by following it, including a claim with a lost acknowledgement.
        if (error instanceof WrongLastSequence && error.last < before.applied) await putBack(error.last)
        return
      }
      await keep([placed], positionAfter(before, placed)!)
      become('claim', sentAt)
    })
  }

  const silenceMs = (): number => now() - Math.max(heardAt, options.resumedAt(), seenAt)

  /** For a resting owner heartbeats are enough, for a while. */
  const lookAtOwner = (): void => {
    const { owner, rests } = store.position()
    if (!rests || owner === null || isSame(owner, self) || !options.isFit(owner)) return
    if (now() - heardAt < deadOwnerLeases * restingFactor * leaseMs) seenAt = now()
  }

  const mayClaim = (): boolean => {
    const rank = options.rank()
    if (rank === null) return false
    const { owner, applied, rests } = store.position()
    const silence = silenceMs()
    // An owner renews through the log: being alive alone does not make a node the owner.
    const isOwned = owner !== null && !isSame(owner, self) && options.isFit(owner)
    if (isOwned && silence < deadOwnerLeases * leaseMs) return false
    const isFirst = applied === 0 && owner === null
    // A resting owner has no lease, and its heartbeats have already been missing for most of one.
    const leastSilenceMs = isFirst ? leaseMs / 2 : rests ? leaseMs / 4 : leaseMs
    return silence >= leastSilenceMs + rank * limits.claimRankMs
  }

  // Repairing.

  /** The log ends before this node's disk: its servers have lost acknowledged records. */
  const putBack = async (end: number): Promise<void> => {
    const { applied } = store.position()
    if (end > 0) {
      const theirs = await stream.read(end).catch(() => null)
      if (theirs === null) return pause(limits.logRetryMs)
      const ours = store.read(end)
      if (ours === null || !theirs.equals(ours)) return fork(`record ${end} is another than ours`)
    }
    on.trouble(
      `the log ends at ${end} and not at ${applied}: the records that it has lost are put back`,
      null,
    )
    for (let sequence = end + 1; sequence <= applied; sequence++) {
      try {
        await stream.append(store.read(sequence)!, sequence - 1)
      } catch (error) {
        const found =
          error instanceof WrongLastSequence ? await stream.read(sequence).catch(() => null) : null
        if (!found?.equals(store.read(sequence)!)) return pause(limits.logRetryMs)
      }
    }
  }

  const fork = (reason: string): void => {
    if (role === 'FORKED') return
    const wasOwner = role !== 'FOLLOWER'
    role = 'FORKED'
    following?.stop()
    if (wasOwner) on.lost(reason)
    on.forked(reason)
  }

  followLog()

  return {
    position: store.position,
    role: () => role,
    lag: () => lag,
    mayServe: () => role === 'OWNER' && now() < leaseFrom + servingShare * leaseMs,
    write: (first, batch, count) => {
      neededAt = now()
      return append({ kind: 'BATCH', first, count }, batch)
    },
    isResting,
    wake: () => {
      neededAt = now()
      if (!isResting()) return Promise.resolve()
      waking ??= append({ kind: 'BATCH', count: 0 }).finally(() => {
        waking = null
      })
      return waking
    },
    refollow: () => following?.restart(),
    tick: () => {
      if (isClosed) return
      if (role === 'OWNER' && isRenewalDue()) renew()
      if (role !== 'FOLLOWER') return
      lookAtOwner()
      if (isClaiming || !mayClaim()) return
      isClaiming = true
      claim()
        .catch((error) => on.trouble('a claim failed', error))
        .finally(() => {
          isClaiming = false
        })
    },
    handOver: async (to) => {
      if (role !== 'OWNER') return false
      role = 'LEAVING'
      try {
        await append({ kind: 'HANDOVER', count: 0, to })
      } catch {
        return false
      }
      stepDown('handover')
      return true
    },
    close: async () => {
      isClosed = true
      following?.stop()
      await last
      await store.close()
    },
  }
}

/** What a record says: its first entry is the next one, and it names no new owner, unless it says so. */
type Change = Pick<LogRecord, 'kind' | 'count'> & Partial<Pick<LogRecord, 'first' | 'to'>>

/** An owner stops answering before other nodes may consider its lease over. */
const servingShare = 0.8
/** After this many leases without a record, even a living owner loses the shard. */
const deadOwnerLeases = 3
/** A shard not needed for this many leases rests. */
const restAfterLeases = 15
/** A resting owner renews this many times less often, and is given this many times longer. */
const restingFactor = 30
/** After this many leases without a record, nodes with fewer records may claim too. */
const claimAnywayLeases = 6
