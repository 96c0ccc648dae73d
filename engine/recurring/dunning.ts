import type { PlanId } from '../ids.ts'

/** What is done about an invoice that was not paid (decisions, section 24): an invoice keeps a copy when it fails. */
export type DunningPolicy = {
  readonly enabled: boolean
  /** Days after the first failure, strictly increasing. */
  readonly retryDays: readonly number[]
  readonly finalAction: 'SUSPEND' | 'CANCEL' | 'KEEP_PAST_DUE'
  /** The hour of the day, in the company's time zone. */
  readonly retryHour: number
}

/** The company's policy, and those of single plans. The account keeps them. */
export type DunningPolicies = {
  readonly company: DatedPolicy | null
  readonly plans: Readonly<Record<PlanId, DatedPolicy>>
}

export type DatedPolicy = DunningPolicy & { readonly updatedAtMs: number }

/** Where a company has set none. */
export const defaultPolicy: DunningPolicy = {
  enabled: true,
  retryDays: [1, 3, 5, 7],
  finalAction: 'SUSPEND',
  retryHour: 9,
}

/** The policy for an invoice of this plan that fails now. */
export const policyFor = ({ company, plans }: DunningPolicies, planId: PlanId): DunningPolicy =>
  plans[planId] ?? company ?? defaultPolicy
