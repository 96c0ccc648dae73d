import type { Rejection } from './registry.ts'

/** What a decider returns: facts, or a named refusal. */
export type Decision<Fact> =
  | { readonly accepted: true; readonly events: readonly Fact[] }
  | { readonly accepted: false; readonly rejection: Rejection }

/** An accepted decision with its facts. */
export const accept = <Fact>(...events: readonly Fact[]): Decision<Fact> => ({ accepted: true, events })

/** A decision refused for this reason. */
export const reject = <Fact>(rejection: Rejection): Decision<Fact> => ({ accepted: false, rejection })
