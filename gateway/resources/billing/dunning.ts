import Type from 'typebox'
import {
  type DatedPolicy,
  type DunningPolicies,
  type DunningPolicy,
  defaultPolicy,
  finalActions,
} from '../../../engine/billing/catalog/dunning.ts'
import { isoInstant } from '../../../engine/shared/calendar.ts'
import type { PlanId } from '../../../engine/shared/ids.ts'
import { described } from '../../schema/named-schema.ts'
import { choice } from '../../schema/schema.ts'
import {
  booleanOf,
  count,
  instant,
  listOf,
  nullableField,
  nullableText,
  objectField,
  textOf,
} from '../fields.ts'
import { resource, same } from '../resource.ts'

/** What happens to unpaid invoices (decisions, section 24). */
export const dunningPolicy = resource<DunningPolicy | DatedPolicy, [PlanId | null]>(
  'DunningPolicy',
  'When an invoice that was not paid is tried again, and what happens in the end.',
).with({
  ...objectField('dunning_policy'),
  scope: [
    described(choice('COMPANY', 'PLAN'), 'Whose policy it is.'),
    (_, planId) => (planId === null ? 'COMPANY' : 'PLAN'),
  ],
  planId: [
    described(nullableText, 'The plan, `pln_…`; null is the company’s policy.'),
    (_, planId) => planId,
  ],
  enabled: [booleanOf('False: nothing is retried automatically.'), same],
  retryDays: [listOf(Type.Integer(), 'Days after the first failure.'), same],
  finalAction: [
    described(choice(...finalActions), 'What happens to the subscription when the last attempt has failed.'),
    same,
  ],
  retryHour: [count('Hour of the day of attempts, in the company’s time zone.'), same],
  updatedAt: [
    nullableField(instant, 'When it was set; null: it never was, these are the defaults.'),
    (p) => ('updatedAtMs' in p ? isoInstant(p.updatedAtMs) : null),
  ],
})

/** The policy of a plan, which must have its own; for null, the company's. */
export const dunningPolicyView = ({ company, plans }: DunningPolicies, planId: PlanId | null) =>
  dunningPolicy.view(planId === null ? (company ?? defaultPolicy) : plans[planId]!, planId)

/** The company's policy, and those of plans by id. */
export const dunning = resource<DunningPolicies>(
  'Dunning',
  'The company’s retry policy, and those of plans.',
).with({
  ...objectField('dunning'),
  default: [described(dunningPolicy.schema, 'The company’s policy.'), (d) => dunningPolicyView(d, null)],
  plans: [
    listOf(dunningPolicy.schema, 'Policies of plans that have one of their own.'),
    (d) =>
      Object.keys(d.plans)
        .sort()
        .map((planId) => dunningPolicyView(d, planId as PlanId)),
  ],
})

/** The result of removing the policy of the plan with this id. */
export const dunningPolicyRemoval = resource<string>(
  'DunningPolicyRemoval',
  'The plan has the company’s policy again.',
).with({
  planId: [textOf('The plan.'), (planId) => planId],
  ...objectField('dunning_policy'),
  deleted: [booleanOf('Always true.'), () => true],
})
