import { limits } from '../limits.ts'
import { type Following, type LogStream, WrongLastSequence } from './log-stream.ts'
import { isSame, type LogRecord, type Member, packRecord, unpackRecord } from './record.ts'
import { type Placed, type Position, positionAfter, type ReplicaStore } from './replica-store.ts'

/**
 * A node's replica of one shard's log. The log is also the lock: an owner is whoever has appended a claim to exactly the
 * log that it has on disk, and every record is appended to exactly the record before it. So of several claims one wins,
 * nobody wins who lacks a record, and an owner that has lost the shard cannot write, however late it finds out.
 */
export type Replica = {
  readonly position: () => Position
  readonly role: () => Role
  /** Records in the log that are not on this node's disk, as far as it knows. */
  readonly lag: () => number
  /**
   * Whether this node may answer: it owns the shard, and so lately has a record of its own been stored that nobody else can
   * have claimed it.
   */
  readonly mayServe: () => boolean
  /** Appends entries. Resolves when a quorum and this node's disk have them; rejects where the shard is lost. */
  readonly write: (first: number, batch: Buffer, count: number) => Promise<void>
  /** Whether this node owns the shard, and has let its lease end because nobody needed the shard. */
  readonly isResting: () => boolean
  /** Somebody needs the shard. Resolves when it rests no more; rejects where it is lost. */
  readonly wake: () => Promise<void>
  /** The connection was lost and is back: what was on its way to this replica is not. */
  readonly refollow: () => void
  /** Renews, or looks whether to claim. Called a few times in the time of a lease. */
  readonly tick: () => void
  /** Gives the shard to another member. Resolves to whether it has it. Everything that was written must have been stored. */
  readonly handOver: (to: Member) => Promise<boolean>
  /** What was written and not stored is rejected: it may be in the log or not. */
  readonly close: () => Promise<void>
}

/** A replica that has forked holds records that the log does not have: it stops, because one of the two is wrong. */
export type Role = 'FOLLOWER' | 'OWNER' | 'LEAVING' | 'FORKED'

export type ReplicaOptions = {
  readonly self: Member
  readonly store: ReplicaStore
  readonly stream: LogStream
  readonly leaseMs: number
  /** Milliseconds that never go back and of which only differences matter. */
  readonly now: () => number
  readonly pause: (ms: number) => Promise<void>
  /** Up to which entry every event is published: owners tell it in the log. */
  readonly publishedSequence: () => number
  readonly isAlive: (member: Member) => boolean
  /** When this process or its connection last went on after a rest: until then nothing could be heard. */
  readonly resumedAt: () => number
  /** The place of this node among those who may claim, 0 for the first; null where it must not. */
  readonly rank: () => number | null
  /** How far the replicas of other living nodes are. */
  readonly positions: () => Promise<readonly number[]>
  readonly on: ReplicaEvents
}

export type ReplicaEvents = {
  /** Entries of another owner are on disk, up to this one. */
  readonly entries: (last: number) => void
  readonly owner: (change: { readonly epoch: number; readonly reason: Succession }) => void
  readonly lost: (reason: string) => void
  /** The disk failed: this replica goes on only when it is opened anew. */
  readonly broken: (error: unknown) => void
  readonly forked: (reason: string) => void
  readonly trouble: (message: string, error: unknown) => void
}

/** How a node has become the owner. After a claim nobody knows what the owner before it still had to do. */
type Succession = 'claim' | 'handover'

/** The shard was lost, or the replica closed, while something was being written: it may have been stored or not. */
export class OwnershipLost extends Error {}

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
  /** When an owner that rests was last alive. */
  let seenAt = Number.NEGATIVE_INFINITY
  let isClaiming = false
  let buffered: Placed[] = []
  let lag = 0
  let following: Following | null = null
  /** One at a time changes what is on disk. */
  let last: Promise<unknown> = Promise.resolve()

  const alone = <Value>(work: () => Promise<Value>): Promise<Value> => {
    const done = last.then(work)
    last = done.catch(() => undefined)
    return done
  }

  /** What the disk did not take is in the log: whoever opens the replica anew finds it there. */
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

  // As a follower.

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
    // A handover to this node, or its own claim whose acknowledgement was lost.
    if (after.epoch > before.epoch && isSame(after.owner, self)) {
      const { record } = unpackRecord(records.at(-1)!.bytes)
      if (record.epoch === after.epoch && record.kind !== 'BATCH')
        become(record.kind === 'HANDOVER' ? 'handover' : 'claim', Number.NEGATIVE_INFINITY)
    }
  }

  // As an owner.

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

  /** Renewals are records, which stay: an owner whose shard nobody needs makes few. */
  const isRenewalDue = (): boolean =>
    now() - appendedAt > (leaseMs / 3) * (store.position().rests ? restingFactor : 1)

  const isResting = (): boolean => role === 'OWNER' && store.position().rests

  const append = (
    change: Pick<LogRecord, 'kind' | 'count'> & { readonly first?: number; readonly to?: Member },
    batch: Buffer | null = null,
  ): Promise<void> =>
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
    { kind, count, first, to }: Pick<LogRecord, 'kind' | 'count'> & { first?: number; to?: Member },
    batch: Buffer | null = null,
  ): Buffer => {
    const record: LogRecord = {
      kind,
      epoch: kind === 'BATCH' ? epoch : epoch + 1,
      by: self,
      previous: head,
      first: first ?? entries + 1,
      count,
      published: options.publishedSequence(),
      to: to ?? null,
      ...(kind === 'BATCH' && count === 0 && now() - neededAt > restAfterLeases * leaseMs && { rests: true }),
    }
    return packRecord(record, batch)
  }

  /** Until it is stored or another record is in its place. Answers when it was sent first. */
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

  /** What an append that failed came to: it landed before, it may be tried again, or somebody else was faster. */
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

  // Claims.

  const claim = async (): Promise<void> => {
    const silence = silenceMs()
    const longest = Math.max(0, ...(await options.positions()))
    // Whoever has more goes first, unless it has let too long a time pass.
    if (longest > store.position().applied && silence < claimAnywayLeases * leaseMs) return
    await alone(async () => {
      if (role !== 'FOLLOWER' || isClosed || silenceMs() < silence) return
      const before = store.position()
      const placed = { sequence: before.applied + 1, bytes: recordOn(before, { kind: 'CLAIM', count: 0 }) }
      const sentAt = now()
      try {
        await stream.append(placed.bytes, before.applied)
      } catch (error) {
        // What else is in the log comes by following it. That of a lost acknowledgement, too.
        if (error instanceof WrongLastSequence && error.last < before.applied) await putBack(error.last)
        return
      }
      await keep([placed], positionAfter(before, placed)!)
      become('claim', sentAt)
    })
  }

  const silenceMs = (): number => now() - Math.max(heardAt, options.resumedAt(), seenAt)

  /** Of an owner that rests its heartbeats are enough, for a while. */
  const lookAtOwner = (): void => {
    const { owner, rests } = store.position()
    if (!rests || owner === null || isSame(owner, self) || !options.isAlive(owner)) return
    if (now() - heardAt < deadOwnerLeases * restingFactor * leaseMs) seenAt = now()
  }

  const mayClaim = (): boolean => {
    const rank = options.rank()
    if (rank === null) return false
    const { owner, applied, rests } = store.position()
    const silence = silenceMs()
    // A living owner renews through the log: one that only says it is alive does not own.
    const isOwned = owner !== null && !isSame(owner, self) && options.isAlive(owner)
    if (isOwned && silence < deadOwnerLeases * leaseMs) return false
    const isFirst = applied === 0 && owner === null
    // One that rested has no lease, and its heartbeats have been missed for most of one already.
    const least = isFirst ? leaseMs / 2 : rests ? leaseMs / 4 : leaseMs
    return silence >= least + rank * limits.claimRankMs
  }

  // Repair.

  /** The log ends before what is on this node's disk: its servers have lost records that they had acknowledged. */
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

/** An owner stops answering before anybody else may think that its lease is over. */
const servingShare = 0.8
/** So many leases without a record end the time even of an owner that is alive. */
const deadOwnerLeases = 3
/** A shard that was not needed for so many leases rests. */
const restAfterLeases = 15
/** Its owner renews so many times more rarely, and is given so many times longer. */
const restingFactor = 30
/** So many leases without a record, and whoever has less than another claims as well. */
const claimAnywayLeases = 6
