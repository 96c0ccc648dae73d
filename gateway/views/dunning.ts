import {
  type DatedPolicy,
  type DunningPolicies,
  type DunningPolicy,
  defaultPolicy,
} from '../../engine/billing/catalog/dunning.ts'
import { isoInstant } from '../../engine/shared/calendar.ts'
import type { PlanId } from '../../engine/shared/ids.ts'

/** What is done about invoices that are not paid (decisions, section 24). */
export const dunningView = (policies: DunningPolicies) => ({
  object: 'dunning',
  default: dunningPolicyView(policies, null),
  plans: Object.keys(policies.plans)
    .sort()
    .map((planId) => dunningPolicyView(policies, planId as PlanId)),
})

/** The policy of a plan that has one of its own, or (null) of the company. */
export const dunningPolicyView = ({ company, plans }: DunningPolicies, planId: PlanId | null) =>
  planId === null ? view(company ?? defaultPolicy, null) : view(plans[planId]!, planId)

const view = (policy: DunningPolicy | DatedPolicy, planId: PlanId | null) => ({
  object: 'dunning_policy',
  scope: planId === null ? 'COMPANY' : 'PLAN',
  planId,
  enabled: policy.enabled,
  retryDays: policy.retryDays,
  finalAction: policy.finalAction,
  retryHour: policy.retryHour,
  updatedAt: 'updatedAtMs' in policy ? isoInstant(policy.updatedAtMs) : null,
})
