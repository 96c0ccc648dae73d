import type { PlanId } from '../../shared/ids.ts'

export const finalActions = ['SUSPEND', 'CANCEL', 'KEEP_PAST_DUE'] as const

/** How unpaid invoices are collected (decisions, section 24). An invoice keeps a copy from when it fails. */
export type DunningPolicy = {
  readonly enabled: boolean
  /** Days after the first failure, strictly increasing. */
  readonly retryDays: readonly number[]
  readonly finalAction: (typeof finalActions)[number]
  /** The hour of the day, in the company's time zone. */
  readonly retryHour: number
}

/** The company's policy and those of single plans, kept by the account. */
export type DunningPolicies = {
  readonly company: DatedPolicy | null
  readonly plans: Readonly<Record<PlanId, DatedPolicy>>
}

export type DatedPolicy = DunningPolicy & { readonly updatedAtMs: number }

export const noPolicies: DunningPolicies = { company: null, plans: {} }

/** The policy of a company that has set none. */
export const defaultPolicy: DunningPolicy = {
  enabled: true,
  retryDays: [1, 3, 5, 7],
  finalAction: 'SUSPEND',
  retryHour: 9,
}

/** The policy for an invoice of this plan that fails now. */
export const policyFor = ({ company, plans }: DunningPolicies, planId: PlanId): DunningPolicy =>
  plans[planId] ?? company ?? defaultPolicy

/** Whether the plan has a policy of its own. */
export const hasPolicy = ({ plans }: DunningPolicies, planId: PlanId): boolean => Object.hasOwn(plans, planId)

/** Replaces a policy as a whole. Without a plan it is the company's. */
export const withPolicy = (
  policies: DunningPolicies,
  planId: PlanId | null,
  policy: DatedPolicy,
): DunningPolicies =>
  planId === null
    ? { ...policies, company: policy }
    : { ...policies, plans: { ...policies.plans, [planId]: policy } }

/** Removes a plan's policy; the company's applies from then on. */
export const withoutPolicy = (policies: DunningPolicies, planId: PlanId): DunningPolicies => {
  const { [planId]: _, ...plans } = policies.plans
  return { ...policies, plans }
}
