import type { SessionFact } from '../../../engine/people/session.ts'
import type { PeopleOptions } from './people-options.ts'

/** Facts to record, and what it comes to, which is known before they are on disk and told after. */
export type Decided<Outcome> = { readonly facts: readonly SessionFact[]; readonly outcome: Outcome }

/** Decides on the sessions as they are, records the facts, and then tells the outcome. */
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
