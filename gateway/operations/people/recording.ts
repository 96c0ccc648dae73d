import type { SessionFact } from '../../../engine/people/session.ts'
import type { PeopleOptions } from './people-options.ts'

/** Facts to record and the outcome, which is decided before they are on disk and returned after. */
export type Decided<Outcome> = { readonly facts: readonly SessionFact[]; readonly outcome: Outcome }

/** Decides on the present sessions, records the facts, and then returns the outcome. */
export const recorded = async <Outcome>(
  { record }: Pick<PeopleOptions, 'record'>,
  decide: () => Decided<Outcome>,
): Promise<Outcome> => {
  let decided!: Decided<Outcome>
  await record(() => {
    decided = decide()
    return decided.facts.length === 0 ? null : decided.facts
  })
  return decided.outcome
}
