import type { AccountId } from '../shared/ids.ts'
import type { Timer } from './due-work.ts'
import type { Entry } from './entry.ts'
import type { Waiter } from './handler.ts'
import type { ActorKind, ActorState, ActorStates, AnyFact, ListedKind } from './registry.ts'
import type { FlushedEntry } from './step.ts'
import type { Work } from './work.ts'

/**
 * A shard's append-only log. The composition root fills it: LMDB on one node, a replicated stream in a cluster.
 */
export type Journal<Record = Entry> = {
  /** The sequence of the newest entry appended, flushed or not; 0 when there is none. */
  readonly appended: () => number
  /** The sequence up to which every entry is on disk. */
  readonly flushed: () => number
  /** Adds the entry to the next group commit and returns its sequence. It is not on disk yet. */
  readonly append: (record: Record) => number
  /** Whether it takes entries now. While it does not, `append` throws `ShardUnavailable`, and nothing was done. */
  readonly isWritable?: () => boolean
  /**
   * A fact as it will be read back: a journal of an earlier version leaves out what came later. Throws
   * `UpgradeUnfinished` for what that version has no words for. Absent where all is written as it is.
   */
  readonly asWritten?: (fact: AnyFact) => AnyFact
  /**
   * Resolves once every entry up to this sequence is on disk: at once if it already is, otherwise with all waiters
   * for the same group commit, in the order of their calls. Rejects when the journal has failed, after which it
   * accepts no more entries.
   */
  readonly whenFlushed: (sequence: number, to: Waiter<void>) => void
  /** Called after every group commit with the sequence that is now on disk, before its waiters are resolved. */
  readonly onFlushed: (listener: (sequence: number) => void) => void
  /** One entry, on disk or not. */
  readonly at: (sequence: number) => Record
  /** Entries after a sequence that are on disk, in order. */
  readonly replay: (afterSequence: number) => Iterable<{ readonly sequence: number; readonly record: Record }>
  readonly close: () => Promise<void>
}

/** An actor's state and the sequence of the entry that made it so. */
export type Versioned<State> = { readonly state: State; readonly sequence: number }

/**
 * Actor states as the stored entries that lead to them: bytes that persistence decodes, in this thread or another.
 * A copy, so later entries do not change it.
 */
export type PackedStates = { readonly count: number; readonly bytes: Uint8Array }

/**
 * Whether an entry makes a provider call or records its answer. The ANSWER reads what the INTENT changed within
 * moments; afterwards that state may stay unread for long.
 */
export type PartOfCall = 'INTENT' | 'ANSWER' | null

/** A state with the sequences of its last entry and of the entry that created it. */
export type Found<State> = Versioned<State> & { readonly createdSequence: number }

/**
 * What a shard remembers: actors, idempotency records, timers and lists. Hot in memory, cold on disk; callers cannot
 * tell which.
 */
export interface Memory {
  readonly find: <Kind extends ActorKind>(kind: Kind, id: string) => Versioned<ActorStates[Kind]> | undefined
  readonly keep: (kind: ActorKind, id: string, kept: Versioned<ActorState>, part: PartOfCall) => void
  /** The effect recorded for an idempotency key: an actor of the kind that the command is about. */
  readonly findReply: (
    accountId: AccountId,
    key: string,
    nowMs: number,
    kind: ActorKind,
  ) => IdempotencyRecord | undefined
  /** Records that the entry of this sequence was made under the key. */
  readonly keepReply: (accountId: AccountId, key: string, sequence: number, atMs: number) => void
  /** The account's earliest timer on the environment clock that is due at `nowMs`. */
  readonly dueTimer: (accountId: AccountId, nowMs: number) => Timer | undefined
  /** Accounts that may have such a timer, each by its own clock, and accounts whose clock advances. */
  readonly accountsDue: (nowMs: (accountId: AccountId) => number) => readonly AccountId[]
  /** Whether a delivery may have an attempt due on the real clock. */
  readonly isAttemptDue: (atMs: number) => boolean
  /** Takes deliveries whose attempt is due on the real clock, earliest first. Each is handed out once per process. */
  readonly takeDueAttempts: (atMs: number, limit: number) => readonly ActorStates['delivery'][]
  /** A page of actors of one kind that match a filter. In slices, because it may look at very many. */
  readonly listing: <Kind extends ListedKind>(
    accountId: AccountId,
    kind: Kind,
    filter: ListFilter<ActorStates[Kind]>,
  ) => Work<ListPage<ActorStates[Kind]>>
  /** The same at once, for lists known to be short. */
  readonly list: <Kind extends ListedKind>(
    accountId: AccountId,
    kind: Kind,
    filter: ListFilter<ActorStates[Kind]>,
  ) => ListPage<ActorStates[Kind]>
  /** The actors of a kind that have this lookup key (see `lookupKeys` in `actor.ts`), oldest first. */
  readonly lookup: <Kind extends ListedKind>(
    kind: Kind,
    accountId: AccountId,
    key: string,
  ) => readonly Found<ActorStates[Kind]>[]
  /** The id of the oldest actor with this lookup key, for kinds that are known by it (see `isKnownByKey`); undefined if there is none. */
  readonly lookupId: (kind: ListedKind, accountId: AccountId, key: string) => string | undefined
  /** The ids of all actors waiting for a provider's answer (see `awaitsProvider`), of every account. */
  readonly awaitingProvider: () => Iterable<string>
  /** The transaction of a refund, chargeback or MED (see `reversals` in `actor.ts`). */
  readonly transactionOfReversal: (reversalId: string) => Versioned<ActorStates['transaction']> | undefined
  /** An account's refunds, chargebacks or MEDs, chosen by the prefix of their ids, oldest first. */
  readonly reversals: (accountId: AccountId, prefix: string, within?: CountedWithin) => readonly ReversalRef[]
  /**
   * The account's entries between two instants of real time, oldest first, as they were applied. Entries about actors
   * that a Sandbox reset has forgotten are left out, and so are those about deliveries alone.
   */
  readonly history: (accountId: AccountId, window: HistoryWindow, atMost: HistoryPage) => Work<History>
  /** The newest entries that changed an actor, oldest first; none where it is not known. */
  readonly entriesOf: (kind: ListedKind, id: string, atMost: number) => readonly Entry[]
  /** Forgets all actors of the account except the account itself, and kinds that a reset leaves. */
  readonly clear: (accountId: AccountId, sequence: number) => void
}

/** The effect of an idempotency key at the time it was made: replays return it, not the current state. */
export type IdempotencyRecord = Versioned<ActorState> & {
  readonly fingerprint: string
  /** The facts of its entry. */
  readonly events: Entry['events']
}

/** The time in which reversals count (see `ListedReversal`); `toMs` is exclusive. */
export type CountedWithin = { readonly fromMs: number; readonly toMs: number }

/** A refund, chargeback or MED, and the sequence of the entry that created it. */
export type ReversalRef = { readonly id: string; readonly createdSequence: number }

export type HistoryWindow = {
  readonly fromMs: number
  /** Exclusive. */
  readonly toMs: number
  /** The `next.after` of the page before; null for the first page. */
  readonly after: number | null
}
/** A page ends after this many entries read over all accounts, or this many found for this one. */
export type HistoryPage = { readonly looked: number; readonly found: number }
export type History = {
  readonly entries: readonly FlushedEntry[]
  /** Where the page ended: a sequence and the real time of its entry. Null at the end of the window. */
  readonly next: { readonly after: number; readonly atMs: number } | null
  /** The last sequence that was read: a reader that follows the journal continues after it. */
  readonly end: number
}

/** Newest first; every condition is optional. */
export type ListFilter<State> = {
  /** How many matching rows to skip, counted from the newest. `total` counts all that match. */
  readonly offset: number
  readonly limit: number
  /** Hides what was created after this sequence, so that pages neither repeat nor skip rows. */
  readonly asOf?: number | null
  readonly fromMs?: number | null
  /** Exclusive. */
  readonly toMs?: number | null
  /** Tests the row's label only (see `label` in `actor.ts`), without loading the actor. */
  readonly fits?: (label: string) => boolean
  /** Tests the state, which is slow for cold actors, so it runs last. */
  readonly matches?: ((state: State) => boolean) | null
}

export type ListPage<State> = { readonly states: readonly State[]; readonly total: number }
