import type { Draft } from '../../kernel/draft.ts'
import type { Rejection } from '../../kernel/registry.ts'
import type { PlanId } from '../../shared/ids.ts'
import { planOf } from '../catalog/decide-plan.ts'
import type { BillingMethod, Plan, PlanTerms } from '../catalog/plan.ts'

/** The plan for a new subscription or a plan change, or why this method cannot pay for it. */
export const findPlanFor = (draft: Draft, planId: PlanId, method: BillingMethod): Plan | Rejection => {
  const plan = planOf(draft, planId)
  if (plan === undefined) return { reason: 'REFERENCE_NOT_FOUND', field: 'planId' }
  if (!plan.active) return { reason: 'PLAN_INACTIVE' }
  if (!plan.methods.includes(method)) return { reason: 'METHOD_NOT_ACCEPTED', allowedMethods: plan.methods }
  return plan
}

/** Marks the plan as used, so that it is never removed. */
export const usePlan = (draft: Draft, { id, isUsed }: Plan): void => {
  if (!isUsed) draft.add({ actor: 'plan', type: 'PlanUsed', id, atMs: draft.context.nowMs })
}

/** What a subscription keeps from a plan. */
export const termsOf = (plan: Plan): PlanTerms => {
  const { name, amountCents, interval, intervalCount, trialDays, setupFeeCents } = plan
  const { maxCycles, methods, splitRuleId } = plan
  return {
    name,
    amountCents,
    interval,
    intervalCount,
    trialDays,
    setupFeeCents,
    maxCycles,
    methods,
    splitRuleId,
  }
}
