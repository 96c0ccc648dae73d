import type { AccountId } from '../shared/ids.ts'
import type { Traceparent } from '../shared/traceparent.ts'
import type { ActorState, Event } from './registry.ts'

/** A fact with the state that it made: what public events are rendered from. */
export type Step = { readonly event: Event; readonly after: ActorState }

/** An entry of the journal, applied. */
export type FlushedEntry = {
  readonly sequence: number
  readonly accountId: AccountId
  readonly atMs: number
  readonly steps: readonly Step[]
  readonly traceparent?: Traceparent | undefined
}

/** The state of an actor after these steps; undefined where they do not touch it. */
export const stateAfter = (steps: readonly Step[], id: string): ActorState | undefined => {
  for (let n = steps.length - 1; n >= 0; n--) if (steps[n]!.event.id === id) return steps[n]!.after
  return undefined
}
