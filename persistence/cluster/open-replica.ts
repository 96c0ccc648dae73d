import type { OpenBatch } from '../codec/sealed-batch.ts'
import type { Batches } from '../journal/batches.ts'
import { takingTurns } from '../journal/fact-log.ts'
import type { EventProgress } from '../stream/stream.ts'
import type { Following, LogStream } from './log-stream.ts'
import { type LogRecord, type Member, type Placed, packRecord, placedAt } from './record.ts'
import type { Position, ReplicaStore } from './replica-store.ts'

/** A forked replica has records that the log does not have. It stops, because one of the two is wrong. */
export type Role = 'FOLLOWER' | 'OWNER' | 'LEAVING' | 'FORKED'

export type ReplicaOptions = {
  readonly self: Member
  readonly store: RecordStore
  readonly stream: LogStream
  readonly leaseMs: number
  /** Monotonic milliseconds; only differences matter. */
  readonly monotonicNow: () => number
  readonly pause: (ms: number) => Promise<void>
  /** How far the owner has come with its events. Owners write it into their records. */
  readonly progress: () => EventProgress
  /** Whether a member is alive, and may own shards. */
  readonly isFit: (member: Member) => boolean
  /** When this process or its connection last resumed after a break: nothing could be heard during it. */
  readonly resumedAt: () => number
  /** This node's place among possible claimants, 0 for the first; null when it must not claim. */
  readonly rank: () => number | null
  /** The positions of the other living nodes' replicas. */
  readonly positions: () => Promise<readonly number[]>
  /**
   * The newest epoch that this process has had on its disk, in this replica or one before it. A log that is read anew has
   * handovers of long ago, which do not make this process the owner.
   */
  readonly known: { epoch: number }
  readonly on: ReplicaEvents
}

/** What of a replica's store a replica uses. */
export type RecordStore = Pick<
  ReplicaStore,
  'position' | 'base' | 'write' | 'read' | 'dropUpTo' | 'close'
> & {
  readonly batches: Pick<Batches, 'last'> & {
    readonly at: (sequence: number) => Pick<OpenBatch, 'first' | 'bytes'>
  }
}

export type ReplicaEvents = {
  /** Called when entries of another owner are on disk up to this one. */
  readonly entries: (last: number) => void
  readonly owner: (change: { readonly epoch: number; readonly reason: Succession }) => void
  readonly lost: (reason: string) => void
  /** The disk failed: this replica must be opened again. */
  readonly broken: (error: unknown) => void
  readonly forked: (reason: string) => void
  readonly trouble: (message: string, error: unknown) => void
}

/** How a node became the owner. After a claim, the former owner's unfinished work is unknown. */
export type Succession = 'claim' | 'handover'

/** The state that the parts of an open replica share. Times are milliseconds of `monotonicNow`. */
export type OpenReplica = ReturnType<typeof newFollower>

/** A replica that follows its log, before anything has come. */
export const newFollower = (options: ReplicaOptions) => ({
  ...options,
  /** Serializes changes to the disk. */
  inTurn: takingTurns(),
  role: 'FOLLOWER' as Role,
  isClosed: false,
  heardAt: options.monotonicNow(),
  /** The lease runs from when the last stored record was sent. */
  leaseFrom: Number.NEGATIVE_INFINITY,
  /** Since when this node owns the shard. */
  ownerFrom: Number.NEGATIVE_INFINITY,
  appendedAt: options.monotonicNow(),
  /** When the shard was last needed here. */
  neededAt: options.monotonicNow(),
  waking: null as Promise<void> | null,
  /** When a resting owner was last known to be alive. */
  seenAt: Number.NEGATIVE_INFINITY,
  isClaiming: false,
  /** Records received and not on disk yet. */
  buffered: [] as Placed[],
  /** When the buffered records are written, at the latest. */
  writesAt: Number.POSITIVE_INFINITY,
  lag: 0,
  /** Servers that were away may have lost records that this node has. NO: it has looked since, or is the owner, who notices. */
  lost: 'MAYBE' as 'MAYBE' | 'LOOKING' | 'NO',
  /** Old records that are being dropped from the disk. */
  dropping: null as Promise<void> | null,
  following: null as Following | null,
})

/** Writes records to disk. A failure stops the replica: the log has the records, and reopening reads them. */
export const keep = async (
  replica: OpenReplica,
  records: readonly Placed[],
  after: Position,
): Promise<void> => {
  try {
    await replica.store.write(records, after)
    replica.known.epoch = Math.max(replica.known.epoch, after.epoch)
  } catch (error) {
    replica.role = 'FOLLOWER'
    replica.following?.stop()
    if (!replica.isClosed) replica.on.broken(error)
    throw error
  }
}

/** The content of a new record; by default its first entry is the next one, and it names no new owner. */
export type Change = Pick<LogRecord, 'kind' | 'count'> & Partial<Pick<LogRecord, 'first' | 'to'>>

/** The record that follows on this position. */
export const recordOn = (
  { self, progress, monotonicNow, neededAt, leaseMs }: OpenReplica,
  { epoch, head, entries, applied }: Position,
  { kind, count, first = entries + 1, to = null }: Change,
  batch: Buffer | null = null,
): Placed => {
  const { published, streamed } = progress()
  const record: LogRecord = {
    kind,
    epoch: kind === 'BATCH' ? epoch : epoch + 1,
    by: self,
    previous: head,
    first,
    count,
    published,
    to,
    ...(streamed !== null && { streamed }),
    ...(kind === 'BATCH' &&
      count === 0 &&
      monotonicNow() - neededAt > restAfterLeases * leaseMs && { rests: true }),
  }
  return placedAt(applied + 1, packRecord(record, batch))
}

/** A shard not needed for this many leases rests. */
const restAfterLeases = 15
/** A resting owner renews this many times less often, and followers wait this many times longer. */
export const restingFactor = 30
