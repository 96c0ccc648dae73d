import type { Draft } from '../../kernel/draft.ts'
import type { Rejection } from '../../kernel/registry.ts'
import type { RemoveDunningPolicy, SetDunningPolicy } from './catalog-commands.ts'
import { planOf } from './decide-plan.ts'
import { hasPolicy } from './dunning.ts'

/** Applies to invoices that fail from now on. An invoice in dunning keeps the policy it failed under. */
export const setDunningPolicy = (
  { forPlan, policy }: SetDunningPolicy,
  { add, account, find, context }: Draft,
): Rejection | null => {
  if (forPlan !== null && planOf(forPlan, { find }) === null)
    return { reason: 'REFERENCE_NOT_FOUND', field: 'planId' }
  const fact = { actor: 'account', id: account().id, atMs: context.nowMs } as const
  add({ ...fact, type: 'DunningPolicySet', planId: forPlan, policy })
  return null
}

/** Removes a plan's policy, so that the company's applies to it again. */
export const removeDunningPolicy = (
  { forPlan: planId }: RemoveDunningPolicy,
  { add, account, context }: Draft,
): Rejection | null => {
  const { id, dunning } = account()
  if (!hasPolicy(dunning, planId)) return { reason: 'NOT_FOUND', resource: 'dunning_policy' }
  add({ actor: 'account', type: 'DunningPolicyRemoved', id, atMs: context.nowMs, planId })
  return null
}
