import type { AccountId } from '../shared/ids.ts'
import type { Traceparent } from '../shared/traceparent.ts'
import type { ActorState, AnyFact } from './registry.ts'

/** A fact and the state after it, from which public events are rendered. */
export type Step = { readonly event: AnyFact; readonly after: ActorState }

/** A journal entry after it was applied. */
export type FlushedEntry = {
  readonly sequence: number
  readonly accountId: AccountId
  readonly atMs: number
  readonly steps: readonly Step[]
  readonly traceparent?: Traceparent | undefined
}

/** The state of an actor after these steps; undefined if they do not touch it. */
export const stateAfter = (steps: readonly Step[], id: string): ActorState | undefined => {
  for (let n = steps.length - 1; n >= 0; n--) if (steps[n]!.event.id === id) return steps[n]!.after
  return undefined
}
