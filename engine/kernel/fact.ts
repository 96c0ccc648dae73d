import type { Draft } from './draft.ts'
import type { ActorKind, ActorStates } from './registry.ts'

/** The members of every fact of an actor. */
export type ActorFact<Kind extends ActorKind, Type extends string> = {
  readonly actor: Kind
  readonly type: Type
  readonly id: ActorStates[Kind]['id']
  readonly atMs: number
}

/** The common members of a new fact, without its type. */
export const factOf = <Kind extends ActorKind>(
  { context }: Pick<Draft, 'context'>,
  actor: Kind,
  id: ActorStates[Kind]['id'],
): Omit<ActorFact<Kind, never>, 'type'> => ({ actor, id, atMs: context.nowMs })
