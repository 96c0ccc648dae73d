import type { AuditedFields } from '../shared/audit.ts'
import type { IdPrefix } from '../shared/ids.ts'
import type { ProviderCalls } from './calls.ts'
import type { Timer } from './due-work.ts'
import type { Publishes } from './event-types.ts'
import type { Memory } from './ports.ts'
import type { AnyFact, Command } from './registry.ts'

/** A refund, chargeback or MED: a refund counts in figures once it is completed, the others when they are opened. */
export type ListedReversal = { readonly id: string; readonly countsAtMs: number | null }

/** What the engine needs to know about a kind of actor that an account has many of. */
export type ActorDefinition<State, Fact extends { readonly type: string }> = {
  /** The prefix of its ids. */
  readonly prefix: IdPrefix
  /** Applies a fact to its actor. */
  readonly evolve: (state: State | undefined, fact: Fact) => State
  /** The public events of its facts. */
  readonly publishes?: Publishes<State, Fact>
  /** When it enters the lists, which are ordered by creation. */
  readonly createdAtMs: (state: State) => number
  /**
   * A few words for list filters to look at; equal actors share one. Null for transactions, which have columns instead.
   */
  readonly label?: (state: State) => string | null
  /** What the environment clock will do to it next; null when only a command can change it. */
  readonly timer?: (state: State) => Timer | null
  /** Keys that find it, besides its id. Several actors may share one. */
  readonly lookupKeys?: (state: State) => readonly string[]
  /** Whether a key alone says which actor is meant, without a look at its state: for what very many commands look up. */
  readonly isKnownByKey?: true
  /** The refunds, chargebacks and MEDs inside it: each finds its transaction. */
  readonly reversals?: (state: State) => readonly ListedReversal[]
  /**
   * Whether a fact holds the whole state. For actors with very many facts, so that a cold state is rebuilt from few of
   * them.
   */
  readonly isSnapshot?: (fact: Fact) => boolean
  /** Whether a provider has been called and has not answered. */
  readonly awaitsProvider?: (state: State) => boolean
  /** Whether its state is final and rarely read again, so that memory need not hold it. */
  readonly isOver?: (state: State) => boolean
  /** How it calls providers. */
  readonly calls?: ProviderCalls<State, Fact>
  /** The member by which commands and queries name it, such as `invoiceId`. */
  readonly namedBy?: string
  /** Whether its due work runs before a command or query about it. */
  readonly doesDueWorkFirst?: true
  /** Whether memory takes it last among the actors of an entry, because its row reads another of them. */
  readonly isKeptLast?: true
  /** The fields that the audit log compares before and after a command. */
  readonly auditedFields?: (state: State) => AuditedFields
  /** Whether a Sandbox reset leaves it. */
  readonly isKeptByReset?: true
  /**
   * Whether a fact only follows from a change elsewhere in the account: a command's effect is never such a fact.
   */
  readonly isAside?: (fact: Fact) => boolean
  /** The refund, chargeback or MED that a command created or changed; null when none. */
  readonly reversalIdOf?: (command: Command, events: readonly AnyFact[], state: State) => string | null
  /** The id of an actor that the command created itself, when the command also names an older one. */
  readonly madeBy?: (command: Command, memory: Memory) => string | null
}
