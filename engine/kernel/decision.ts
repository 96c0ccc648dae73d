import type { Rejection } from './registry.ts'

/** What a decider answers: facts, or a named refusal. */
export type Decision<Event> =
  | { readonly accepted: true; readonly events: readonly Event[] }
  | { readonly accepted: false; readonly rejection: Rejection }

export const accept = <Event>(...events: readonly Event[]): Decision<Event> => ({ accepted: true, events })

export const reject = <Event>(rejection: Rejection): Decision<Event> => ({ accepted: false, rejection })
