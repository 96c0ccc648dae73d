import type { Decider } from '../../kernel/decider.ts'
import { factOf } from '../../kernel/fact.ts'
import type { RemoveDunningPolicy, SetDunningPolicy } from './catalog-commands.ts'
import { planOf } from './decide-plan.ts'
import { hasPolicy } from './dunning.ts'

/** Sets a policy for invoices that fail from now on. An invoice in dunning keeps the policy it failed under. */
export const setDunningPolicy: Decider<SetDunningPolicy> = (draft, { forPlan: planId, policy }) => {
  if (planId !== null && planOf(draft, planId) === undefined)
    return { reason: 'REFERENCE_NOT_FOUND', field: 'planId' }
  draft.add({ type: 'DunningPolicySet', planId, policy, ...factOf(draft, 'account', draft.account().id) })
  return null
}

/** Removes a plan's policy, so that the company's applies to it again. */
export const removeDunningPolicy: Decider<RemoveDunningPolicy> = (draft, { forPlan: planId }) => {
  const { id, dunning } = draft.account()
  if (!hasPolicy(dunning, planId)) return { reason: 'NOT_FOUND', resource: 'dunning_policy' }
  draft.add({ type: 'DunningPolicyRemoved', planId, ...factOf(draft, 'account', id) })
  return null
}
