import type { ActorKind, ActorState, ActorStates, ListedKind } from './actors.ts'
import type { Entry } from './events.ts'
import type { AccountId } from './ids.ts'
import type { Timer } from './timer.ts'

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
export type Kept<State> = { readonly state: State; readonly sequence: number }

/**
 * What a shard remembers: actors, the idempotency register, timers and lists. Hot in memory, cold on disk; callers
 * cannot tell which.
 */
export type Memory = {
  readonly find: <Kind extends ActorKind>(kind: Kind, id: string) => Kept<ActorStates[Kind]> | undefined
  readonly keep: (kind: ActorKind, id: string, kept: Kept<ActorState>) => void
  readonly findReply: (accountId: AccountId, key: string, nowMs: number) => KeptReply | undefined
  /** The entry of this sequence was made for the key. */
  readonly keepReply: (accountId: AccountId, key: string, sequence: number, atMs: number) => void
  /** The account's earliest timer on the environment clock that is due at `nowMs`. */
  readonly dueTimer: (accountId: AccountId, nowMs: number) => Timer | undefined
  /** Accounts that may have such a timer, by their own clocks. */
  readonly accountsDue: (nowMs: (accountId: AccountId) => number) => readonly AccountId[]
  /** Takes the deliveries whose attempt is due on the real clock, earliest first; each is handed out once a process. */
  readonly takeDueAttempts: (atMs: number, limit: number) => readonly ActorStates['delivery'][]
  readonly list: <Kind extends ListedKind>(
    accountId: AccountId,
    kind: Kind,
    filter: ListFilter<ActorStates[Kind]>,
  ) => ListPage<ActorStates[Kind]>
  /** The transaction that a refund, chargeback or MED belongs to. */
  readonly ownerOf: (partId: string) => Kept<ActorStates['transaction']> | undefined
  /** An account's refunds, chargebacks or MEDs by the prefix of their ids, oldest first. */
  readonly parts: (accountId: AccountId, prefix: string) => readonly Part[]
  /** Register entries by what they are looked up by (see `lookupKeysOf`), oldest first. */
  readonly lookup: <Kind extends ListedKind>(
    kind: Kind,
    accountId: AccountId,
    key: string,
  ) => readonly Kept<ActorStates[Kind]>[]
  /** The ids of all actors that wait for a provider's answer. */
  readonly asking: () => Iterable<string>
  /** The deliveries of events that tell of this object, oldest first. */
  readonly deliveriesOf: (objectId: string) => readonly ActorStates['delivery'][]
  /** Forgets every actor of the account but the account itself. */
  readonly clear: (accountId: AccountId, sequence: number) => void
}

/** A refund, chargeback or MED, and the entry that it appeared in. */
export type Part = { readonly id: string; readonly bornAt: number }

/** The effect that an idempotency key stands for, as it was: replays answer it, not the current state. */
export type KeptReply = Kept<ActorState> & {
  readonly fingerprint: string
  /** The facts of its entry. */
  readonly events: Entry['events']
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
