import type { Decision } from './decision.ts'
import type { Draft } from './draft.ts'
import type { AnyFact, Command, Rejection } from './registry.ts'

/** Decides a command: adds its facts to the draft, or returns why the business says no. */
export type Decider<Decided extends Command> = (draft: Draft, command: Decided) => Rejection | null

/** A decider for each of these commands; a missing one does not compile. */
export type Deciders<Decided extends Command> = {
  readonly [Type in Decided['type']]: Decider<Extract<Decided, { readonly type: Type }>>
}

/** Adds an accepted decision's facts to the draft, or returns its rejection. */
export const addAll = (draft: Draft, decision: Decision<AnyFact>): Rejection | null => {
  if (!decision.accepted) return decision.rejection
  draft.add(...decision.events)
  return null
}
