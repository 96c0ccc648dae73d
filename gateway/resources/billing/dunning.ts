import Type, { type Static } from 'typebox'
import {
  type DatedPolicy,
  type DunningPolicies,
  type DunningPolicy,
  defaultPolicy,
  finalActions,
} from '../../../engine/billing/catalog/dunning.ts'
import { isoInstant } from '../../../engine/shared/calendar.ts'
import type { PlanId } from '../../../engine/shared/ids.ts'
import { described, namedObject } from '../../schema/named-schema.ts'
import {
  booleanOf,
  count,
  enumeration,
  instant,
  listOf,
  nullable,
  objectName,
  text,
  textOf,
} from '../fields.ts'

/** What happens to unpaid invoices (decisions, section 24). */
export const dunningPolicy = namedObject(
  'DunningPolicy',
  'When an invoice that was not paid is tried again, and what happens in the end.',
  {
    object: objectName('dunning_policy'),
    scope: described(enumeration('COMPANY', 'PLAN'), 'Whose policy it is.'),
    planId: described(text, 'The plan, `pln_…`; null is the company’s policy.'),
    enabled: booleanOf('False: nothing is retried automatically.'),
    retryDays: listOf(Type.Integer(), 'Days after the first failure.'),
    finalAction: described(
      enumeration(...finalActions),
      'What happens to the subscription when the last attempt has failed.',
    ),
    retryHour: count('Hour of the day of attempts, in the company’s time zone.'),
    updatedAt: nullable(instant, 'When it was set; null: it never was, these are the defaults.'),
  },
)

/** The policy of a plan that has its own, or for null that of the company. */
export const dunningPolicyView = ({ company, plans }: DunningPolicies, planId: PlanId | null) =>
  planId === null ? viewOf(company ?? defaultPolicy, null) : viewOf(plans[planId]!, planId)

const viewOf = (
  policy: DunningPolicy | DatedPolicy,
  planId: PlanId | null,
): Static<typeof dunningPolicy> => ({
  object: 'dunning_policy',
  scope: planId === null ? 'COMPANY' : 'PLAN',
  planId,
  enabled: policy.enabled,
  retryDays: policy.retryDays,
  finalAction: policy.finalAction,
  retryHour: policy.retryHour,
  updatedAt: 'updatedAtMs' in policy ? isoInstant(policy.updatedAtMs) : null,
})

/** The policies of a company. */
export const dunning = namedObject('Dunning', 'The company’s retry policy, and those of plans.', {
  object: objectName('dunning'),
  default: described(dunningPolicy, 'The company’s policy.'),
  plans: listOf(dunningPolicy, 'Policies of plans that have one of their own.'),
})

/** The company's policy, and those of plans by id. */
export const dunningView = (policies: DunningPolicies): Static<typeof dunning> => ({
  object: 'dunning',
  default: dunningPolicyView(policies, null),
  plans: Object.keys(policies.plans)
    .sort()
    .map((planId) => dunningPolicyView(policies, planId as PlanId)),
})

/** The answer to the removal of a plan's policy. */
export const dunningPolicyRemoval = namedObject(
  'DunningPolicyRemoval',
  'The plan has the company’s policy again.',
  {
    planId: textOf('The plan.'),
    object: objectName('dunning_policy'),
    deleted: booleanOf('Always true.'),
  },
)

/** The result of removing a plan's policy. */
export const dunningPolicyRemovalView = (planId: string): Static<typeof dunningPolicyRemoval> => ({
  planId,
  object: 'dunning_policy',
  deleted: true,
})
