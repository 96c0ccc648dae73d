import type { Rejection } from './registry.ts'

/** What a decider returns: facts, or a named refusal. */
export type Decision<Event> =
  | { readonly accepted: true; readonly events: readonly Event[] }
  | { readonly accepted: false; readonly rejection: Rejection }

/** An accepted decision with its facts. */
export const accept = <Event>(...events: readonly Event[]): Decision<Event> => ({ accepted: true, events })

/** A decision refused for this reason. */
export const reject = <Event>(rejection: Rejection): Decision<Event> => ({ accepted: false, rejection })
