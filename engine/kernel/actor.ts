import type { IdPrefix } from '../shared/ids.ts'
import type { ProviderCalls } from './calls.ts'
import type { Timer } from './due-work.ts'
import type { Memory } from './ports.ts'
import type { Publishes } from './public-event.ts'
import type { Command, Event } from './registry.ts'

/** What the engine has to know of a kind of actor that an account has many of. */
export type ActorDefinition<State, Fact extends { readonly type: string }> = {
  /** What its ids begin with. */
  readonly prefix: IdPrefix
  /** What a fact makes of the actor that it belongs to. */
  readonly evolve: (state: State | undefined, fact: Fact) => State
  /** What merchants are told of its facts. */
  readonly publishes?: Publishes<State, Fact>
  /** When it enters the lists, which are ordered by creation. */
  readonly createdAtMs: (state: State) => number
  /** A few words that list filters look at; equal actors share one. Null for transactions, which have columns for it. */
  readonly label?: (state: State) => string | null
  /** What the environment clock will do to it next; null when only a command can change it. */
  readonly timer?: (state: State) => Timer | null
  /** What it is looked up by, beside its id. Several actors may share one. */
  readonly lookupKeys?: (state: State) => readonly string[]
  /** The ids of what it owns beside its own: each finds it. */
  readonly reversalIds?: (state: State) => readonly string[]
  /** Whether a fact holds the whole state: of actors that very many facts are about, so that few have to be read again. */
  readonly isSnapshot?: (fact: Fact) => boolean
  /** Whether a provider is being asked, and has not answered. */
  readonly awaitsProvider?: (state: State) => boolean
  /** What it asks of providers. */
  readonly calls?: ProviderCalls<State, Fact>
  /** The member of commands and questions that says which one is meant. */
  readonly namedBy?: string
  /** Whether what is due at it is done before anything that is asked of it. */
  readonly doesDueWorkFirst?: true
  /** Whether memory hears of it after the others of its entry: its row tells of one of them. */
  readonly isKeptLast?: true
  /** Which of its parts a command came to; null where it came to none. */
  readonly reversalIdOf?: (command: Command, events: readonly Event[], state: State) => string | null
  /** The new one that a command made which names an older one. */
  readonly madeBy?: (command: Command, memory: Memory) => string | null
}
