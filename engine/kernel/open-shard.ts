import type { AccountId, Entropy } from '../shared/ids.ts'
import type { Institution } from './context.ts'
import type { Engine } from './engine-definition.ts'
import type { Waiter } from './handler.ts'
import type { Journal, Memory } from './ports.ts'
import type { AnyFact, Command } from './registry.ts'
import type { Reply } from './reply.ts'
import type { FlushedEntry, Step } from './step.ts'
import { openSubjects } from './subjects.ts'

export type ShardOptions = {
  readonly engine: Engine
  /** Part of the ids of public events. */
  readonly number: number
  readonly journal: Journal
  readonly memory: Memory
  /** Real time in epoch milliseconds. It never runs backwards, nor behind the journal. */
  readonly realNow: () => number
  /** Milliseconds of work; only their differences count. */
  readonly stopwatch: () => number
  readonly entropy: Entropy
  readonly institution: Institution
  /** Lets other work run between the slices of a long job. */
  readonly pause: () => Promise<void>
  readonly onFlushed: (entry: FlushedEntry) => void
  /** Called when an advancing clock can continue, which the next tick does. */
  readonly onDue: () => void
  /**
   * Whether provider answers wait to be recorded. They go first: timers that call providers would otherwise keep them
   * waiting without end.
   */
  readonly hasWaitingAnswers?: () => boolean
  /** Whether deciding this due work has failed before: it is then parked instead of retried for ever. */
  readonly hasFailed?: (due: string) => boolean
}

/** What the parts of an open shard share: its ports, and what changes while it works. */
export type OpenShard = ReturnType<typeof newShard>

/** A shard that has done nothing yet. */
export const newShard = (options: ShardOptions) => ({
  options,
  engine: options.engine,
  journal: options.journal,
  memory: options.memory,
  realNow: options.realNow,
  stopwatch: options.stopwatch,
  entropy: options.entropy,
  institution: options.institution,
  subjects: openSubjects(options.engine, options.memory),
  /** Applied entries that are not on disk yet. */
  unflushed: [] as FlushedEntry[],
  /** Provider calls without an answer yet, by their ids. */
  waiting: new Map<string, WaitingCall>(),
  /** Commands that wait until the clock of their account has arrived. */
  arrivals: new Map<AccountId, Arrival>(),
  /** Accounts whose advancing clock stands still because a provider is being called. */
  standing: new Set<AccountId>(),
  /** When due work of an account could not be done, in milliseconds of the stopwatch: it waits and is tried again. */
  heldWork: new Map<AccountId, number>(),
  /** The newest sequence that a request waits for. */
  requestedTo: 0,
  /** When a tick last fired a timer, by the stopwatch. */
  firedAtMs: Number.NEGATIVE_INFINITY,
  /** How many due accounts ticks have visited so far. */
  accountsFired: 0,
})

/** A provider call without an answer yet, and the commands that wait for one. */
type WaitingCall = {
  readonly accountId: AccountId
  readonly callers: { readonly command: Command; readonly to: Waiter<Reply> }[]
}

export type AdvanceClockCommand = Extract<Command, { readonly type: 'AdvanceClock' }>

export type Arrival = {
  readonly command: AdvanceClockCommand
  /** The reply as of the start, and the sequence that it depends on. */
  readonly started: Reply
  readonly sequence: number
  /** When it is answered at the latest, by the stopwatch. */
  readonly answerByMs: number
  readonly to: Waiter<Reply>
}

/** What a command did, and at which sequence. */
export type CommandOutcome = {
  readonly steps: readonly Step[]
  readonly sequence: number
  /** Its own facts, since one entry can answer several calls. */
  readonly events: readonly AnyFact[]
}

/** Every actor except the account has one. */
export type Owned = { readonly accountId: AccountId }
