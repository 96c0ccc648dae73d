import type { ActorDefinition } from './actor.ts'
import type { Decider } from './decider.ts'
import type { Reactions } from './draft.ts'
import type { Timer } from './due-work.ts'
import type { QueryResult, Reader } from './reader.ts'
import type {
  ActorFacts,
  ActorKind,
  ActorState,
  ActorStates,
  Answers,
  AnyFact,
  Command,
  ListedKind,
  Query,
} from './registry.ts'
import type { Work } from './work.ts'

/** All actors and what they do: the values behind `engine/kernel/registry.ts`. */
export type Engine = {
  readonly kinds: { readonly [Name in ListedKind]: ActorDefinition<ActorStates[Name], ActorFacts[Name]> }
  /** Applies a fact to its actor. */
  readonly evolve: (state: ActorState | undefined, event: AnyFact) => ActorState
  /** What the environment clock will do to an actor next; null when only a command can change it. */
  readonly nextTimer: (kind: ActorKind, state: ActorState) => Timer | null
  readonly decide: Decider<Command>
  readonly answer: (query: Query, reader: Reader) => Work<QueryResult<Answers[Query['type']]>>
  readonly reactions: Reactions
}

/** A kind's definition with its state type erased: callers pass each function a state of that kind. */
export type AnyKind = ActorDefinition<ActorState, AnyFact>

/** The definition of a kind. */
export const kindIn = ({ kinds }: Pick<Engine, 'kinds'>, name: ListedKind): AnyKind => kinds[name] as AnyKind

/** How actors of a kind call providers; undefined when they never do. */
export const callsIn = (engine: Engine, kind: ActorKind) =>
  kind === 'account' ? undefined : kindIn(engine, kind).calls
