import type { InstitutionSettings } from '../../engine/engine.ts'
import type { ProviderCallRequest } from '../../engine/kernel/calls.ts'
import type { Shard } from '../../engine/kernel/shard.ts'
import type { FlushedEntry } from '../../engine/kernel/step.ts'
import { ShardUnavailable } from '../../engine/kernel/unavailable.ts'
import type { AccountId, Entropy } from '../../engine/shared/ids.ts'
import type { Traceparent } from '../../engine/shared/traceparent.ts'
import type { ShardLog, ShardLogEvents } from '../cluster/shard-log.ts'
import type { DiskSpace } from '../disk/disk-space.ts'
import type { Outbox, OutboxOptions } from '../outbox/outbox.ts'
import type { Store } from '../snapshot/store.ts'
import type { EventProgress } from '../stream/stream.ts'
import type { StoredMemory } from './memory.ts'

/** Where events go, which of them, and what counts them. */
export type EventWay = Pick<OutboxOptions, 'stream' | 'hasSubscribers' | 'onPublished'>

export type ShardHostOptions = EventWay & {
  readonly render: OutboxOptions['render']
  /** A second way of events, besides the one to webhooks, which never waits for it. */
  readonly publication?: EventWay
  readonly number: number
  readonly path: string
  readonly realNow: () => number
  /** Measures work in milliseconds; by default this process's monotonic clock. */
  readonly stopwatch?: () => number
  readonly entropy: Entropy
  readonly institution: InstitutionSettings
  /** How many states of cold actors are kept in memory. */
  readonly hotStates?: number
  /** How many bytes of columns are kept in memory, and of what is made from them. */
  readonly memoryBytes?: number
  /** Changes that trigger an early snapshot. */
  readonly unsavedChangesMax?: number
  /** Opens the shard's log in its folder, at the start and after a failure. */
  readonly openLog: (path: string, events: ShardLogEvents) => ShardLog
  /**
   * Sets the damaged log in its folder aside, so that the next opening fetches it again from other nodes; resolves
   * to its new path. Absent where no other copy exists. The log must be closed.
   */
  readonly refetchLog?: (path: string) => Promise<string>
  /**
   * Fetches the shard from another node if this one lacks it: before its log is opened, where it has nothing, and when its log was found to
   * be behind that of the cluster. Resolves when the log can be opened; the log and the snapshot must be closed until then. Absent outside a cluster.
   */
  readonly fetchShard?: (path: string, isBehind: boolean, isStopped: () => boolean) => Promise<void>
  /** Whether this node is to hold a copy of the shard at its start. Absent outside a cluster, where it always does. */
  readonly isHeld?: () => boolean
  /** Removes what is in the shard's folder, whose environments are closed. */
  readonly emptyShard?: (path: string) => Promise<void>
  /** Up to which instant what was recorded about payers of accounts is forgotten; without those of which nothing is. */
  readonly payersForgotten?: () => ReadonlyMap<AccountId, number>
  /** When the old part of the journal is packed by itself; never without it. */
  readonly archiving?: Archiving
  /** Called once for each entry decided here when it is on disk; not for replayed or other nodes' entries. */
  readonly onFlushed?: (entry: FlushedEntry) => void
  /** Called when the intent to call a provider is on disk. */
  readonly onProviderCall: (request: ProviderCallRequest, traceparent?: Traceparent) => void
  readonly hasWaitingAnswers?: () => boolean
  /** Called when this node starts to lead, which lasts while `isLeading` says so. The shard may not answer yet. */
  readonly onLead?: (isLeading: () => boolean) => void
  /** Called when new deliveries are on disk, or when an advancing clock can go on: a tick would find work. */
  readonly onDue: () => void
  /**
   * Called when the background check has found every entry up to this one intact, as the journal had it when it
   * was opened. Called once, and again after damage was found.
   */
  readonly onChecked?: (entries: number) => void
  /** Called when bytes of the log or of its snapshot are damaged. */
  readonly onDamaged?: () => void
  /** Called now and then while a long part of the journal is read before the shard can answer. */
  readonly onReplay?: (done: number, of: number) => void
  /** Called when a damaged log is whole again: it ends where the other nodes' log does. */
  readonly onMended?: () => void
  readonly onTrouble: (message: string, error: unknown) => void
}

/** What an operator decided about packing. */
export type Archiving = {
  /** The age from which on entries are packed; null for never because of their age. */
  readonly afterMs: number | null
  /** The share of the journal's disk that is in use from which on all is packed that may be; null for never. */
  readonly diskShare: number | null
}

/** A shard's memory, caught up with its log; and, while this node owns the shard, the shard and outbox on top of it. */
export type RunningShard = {
  readonly options: ShardHostOptions
  /** Due work that could not be decided since the process started. */
  readonly failed: ReadonlySet<string>
  readonly space: DiskSpace
  /** Whether the disk was full at the opening, which then could not do everything. */
  readonly wasFull: boolean
  readonly log: ShardLog
  readonly store: Store
  readonly memory: StoredMemory
  /** Reports that the shard cannot go on; it is then opened again. */
  readonly broken: (error: unknown) => void
  readonly stop: () => Promise<void>
  leading: Leadership | null
  isLeaving: boolean
  isStopped: boolean
  /** How far the memory has followed the log, while this node does not own the shard. */
  caughtUpTo: number
  isCatchingUp: boolean
  savingSnapshot: Promise<void> | null
  /** The work of `forgetSoon` that is under way. */
  forgetting: Promise<void> | null
  savingRegularly: NodeJS.Timeout | undefined
  /** The packing that is under way, or waits for its turn. */
  packing: Promise<void> | null
  packingRegularly: NodeJS.Timeout | undefined
  /** Why the last packing ended early. */
  packingTrouble: string | null
  /** What was reported about history that cannot be read. */
  toldOfHistory: string | null
  leaseUnconfirmedSince: number | null
}

/** The parts that only an owner runs: the shard that decides, and the outboxes to webhooks and to the stream. */
export type Leadership = {
  readonly shard: Shard
  readonly outbox: Outbox
  readonly publication: Outbox | null
  isRevoked: boolean
}

/** The shard cannot answer now; its work may or may not have reached the disk. */
export const stillRecovering = new ShardUnavailable('the shard is recovering from its journal')
/** Whether what the shard has read is still current. */
export const mayServe = ({ log: { replica } }: RunningShard): boolean =>
  replica === null || replica.mayServe()

/** Whether this node owns the shard and let its lease end. */
export const isResting = ({ log: { replica } }: RunningShard): boolean => replica?.isResting() ?? false

/** Whether this node may serve, or will once it has renewed its lease. */
export const hasLease = (run: RunningShard): boolean => mayServe(run) || isResting(run)

/** Whether the shard accepts commands and queries: this node owns it, and is sure of it. */
export const mayAnswer = (run: RunningShard): boolean =>
  run.leading !== null && !run.isLeaving && hasLease(run)

/** How far the owner has come with its events, as far as this node knows. */
export const progressOf = ({ leading, log: { replica }, store }: RunningShard): EventProgress => {
  if (leading === null) return replica?.position() ?? store.progress
  const { outbox, publication } = leading
  const published = outbox.published()
  return { published, streamed: publication?.published() ?? published }
}

/** How many entries wait for their events to be planned or published. */
export const lagOf = ({ leading }: RunningShard): number =>
  Math.max(leading?.outbox.lag() ?? 0, leading?.publication?.lag() ?? 0)
