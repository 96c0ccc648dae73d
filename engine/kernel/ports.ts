import type { AccountId } from '../shared/ids.ts'
import type { Timer } from './due-work.ts'
import type { Entry } from './entry.ts'
import type { ActorKind, ActorState, ActorStates, ListedKind } from './registry.ts'
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
  /** Takes the entry into the next group commit and answers its sequence. Nothing is on disk yet. */
  readonly append: (record: Record) => number
  /** Resolves when every entry up to this sequence is on disk. Rejects when the journal failed: it then takes no more. */
  readonly settled: (sequence: number) => Promise<void> | undefined
  /** Called after every group commit with the sequence that is now on disk. */
  readonly onFlushed: (listener: (sequence: number) => void) => void
  /** One entry, on disk or not. */
  readonly at: (sequence: number) => Record
  /** Entries after a sequence that are on disk, in order. */
  readonly replay: (afterSequence: number) => Iterable<{ readonly sequence: number; readonly record: Record }>
  readonly close: () => Promise<void>
}

/** An actor's state and the sequence of the entry that made it so. */
export type Versioned<State> = { readonly state: State; readonly sequence: number }

/** With the sequence of the entry that brought it. */
export type Found<State> = Versioned<State> & { readonly createdSequence: number }

/**
 * What a shard remembers: actors, the idempotency register, timers and lists. Hot in memory, cold on disk; callers
 * cannot tell which.
 */
export interface Memory {
  readonly find: <Kind extends ActorKind>(kind: Kind, id: string) => Versioned<ActorStates[Kind]> | undefined
  readonly keep: (kind: ActorKind, id: string, kept: Versioned<ActorState>) => void
  /** What a key stands for: an actor of the kind that the command awaitingProvider is about. */
  readonly findReply: (
    accountId: AccountId,
    key: string,
    nowMs: number,
    kind: ActorKind,
  ) => IdempotencyRecord | undefined
  /** The entry of this sequence was made for the key. */
  readonly keepReply: (accountId: AccountId, key: string, sequence: number, atMs: number) => void
  /** The account's earliest timer on the environment clock that is due at `nowMs`. */
  readonly dueTimer: (accountId: AccountId, nowMs: number) => Timer | undefined
  /** Accounts that may have such a timer, by their own clocks, and those whose clock advances. */
  readonly accountsDue: (nowMs: (accountId: AccountId) => number) => readonly AccountId[]
  /** Whether there may be a delivery whose attempt is due on the real clock. */
  readonly isAttemptDue: (atMs: number) => boolean
  /** Takes the deliveries whose attempt is due on the real clock, earliest first; each is handed out once a process. */
  readonly takeDueAttempts: (atMs: number, limit: number) => readonly ActorStates['delivery'][]
  /** Actors of one kind by what they are like: in slices, because it may look at very many. */
  readonly listing: <Kind extends ListedKind>(
    accountId: AccountId,
    kind: Kind,
    filter: ListFilter<ActorStates[Kind]>,
  ) => Work<ListPage<ActorStates[Kind]>>
  /** The same in one go: for what is known to be short. */
  readonly list: <Kind extends ListedKind>(
    accountId: AccountId,
    kind: Kind,
    filter: ListFilter<ActorStates[Kind]>,
  ) => ListPage<ActorStates[Kind]>
  /** The actors of a kind that go by this key (see `lookupKeysOf`), oldest first. */
  readonly lookup: <Kind extends ListedKind>(
    kind: Kind,
    accountId: AccountId,
    key: string,
  ) => readonly Found<ActorStates[Kind]>[]
  /** The ids of all actors that wait for an outside party's answer (see `isAsking`), of every account. */
  readonly awaitingProvider: () => Iterable<string>
  /** The transaction that a refund, chargeback or MED belongs to (see `reversalIdsOf`). */
  readonly transactionOfReversal: (reversalId: string) => Versioned<ActorStates['transaction']> | undefined
  /** An account's parts of one kind, by the prefix of their ids, oldest first. */
  readonly reversals: (accountId: AccountId, prefix: string) => readonly ReversalRef[]
  /**
   * The account's entries between two instants of real time, oldest first, as they were applied; those about actors that a
   * cleared Sandbox has forgotten are left out. Deliveries are no history: entries of nothing else are left out, too.
   */
  readonly history: (accountId: AccountId, window: HistoryWindow, atMost: HistoryPage) => Work<History>
  /** Forgets every actor of the account but the account itself. */
  readonly clear: (accountId: AccountId, sequence: number) => void
}

/** The effect that an idempotency key stands for, as it was: replays answer it, not the current state. */
export type IdempotencyRecord = Versioned<ActorState> & {
  readonly fingerprint: string
  /** The facts of its entry. */
  readonly events: Entry['events']
}

/** Something with an id of its own inside a transaction, and the sequence of the entry that brought it. */
export type ReversalRef = { readonly id: string; readonly createdSequence: number }

export type HistoryWindow = {
  readonly fromMs: number
  /** Exclusive. */
  readonly toMs: number
  /** The `next.after` of the page before; null for the first page. */
  readonly after: number | null
}
/** How many entries of all accounts are looked at, and how many of this one are found, before a page ends. */
export type HistoryPage = { readonly looked: number; readonly found: number }
export type History = {
  readonly entries: readonly FlushedEntry[]
  /** Where the page has ended: a sequence, and the real time of its entry. Null at the end of the span. */
  readonly next: { readonly after: number; readonly atMs: number } | null
  /** The last sequence that was looked at: whoever follows the journal goes on after it. */
  readonly end: number
}

/** Newest first; every condition is optional. */
export type ListFilter<State> = {
  /** The rows wanted, counted from the newest that fits; total counts all that fit. */
  readonly offset: number
  readonly limit: number
  /** Hides what was created after this sequence, so that pages neither repeat nor skip rows. */
  readonly asOf?: number | null
  readonly fromMs?: number | null
  /** Exclusive. */
  readonly toMs?: number | null
  /** Looks at the row's label alone (see `labelOf`), without touching the actor. */
  readonly fits?: (label: string) => boolean
  /** Looks at the actor: slow where it is cold, so it comes last. */
  readonly matches?: ((state: State) => boolean) | null
}

export type ListPage<State> = { readonly states: readonly State[]; readonly total: number }
