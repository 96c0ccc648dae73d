import type { Decider } from '../../kernel/decider.ts'
import type { Draft } from '../../kernel/draft.ts'
import type { Rejection } from '../../kernel/registry.ts'
import { barCodeCentsMax } from '../../payments/methods/boleto/bar-code.ts'
import { ruleRefusal, useRule } from '../../recipients/register.ts'
import { differing } from '../../shared/differing.ts'
import type { PlanId } from '../../shared/ids.ts'
import { toCents } from '../../shared/money.ts'
import { unlessRemoved } from '../../shared/unless-removed.ts'
import type { CreatePlan, EditPlan, RemovePlan } from './catalog-commands.ts'
import { hasPolicy } from './dunning.ts'
import { type BillingMethod, intervalCountMax, type Plan, type PlanChanges, type PlanTerms } from './plan.ts'

/** Creates a plan; refuses amounts that no charge could have and references that do not exist. */
export const createPlan: Decider<CreatePlan> = (draft, { planId: id, terms, metadata }) => {
  const refusal = refusalOf(terms, terms, draft)
  if (refusal !== null) return refusal
  const plan = { accountId: draft.account().id, metadata, ...terms }
  draft.add({ actor: 'plan', type: 'PlanCreated', id, atMs: draft.context.nowMs, plan })
  if (terms.splitRuleId !== null) useRule(draft, terms.splitRuleId)
  return null
}

/**
 * Changes a plan for future subscriptions; existing ones keep the terms that they agreed to (decisions, section 19).
 */
export const editPlan: Decider<EditPlan> = (draft, command) => {
  const plan = planOf(draft, command.planId)
  if (plan === undefined) return absent
  const changes: PlanChanges = differing(plan, command.changes)
  const frozen = (['interval', 'intervalCount'] as const).find((field) => field in changes)
  if (plan.isUsed && frozen !== undefined) return { reason: 'PLAN_IN_USE', field: frozen }
  const refusal = countRefusal(plan, command.changes) ?? refusalOf({ ...plan, ...changes }, changes, draft)
  if (refusal !== null) return refusal
  if (Object.keys(changes).length > 0)
    draft.add({ actor: 'plan', type: 'PlanChanged', id: plan.id, atMs: draft.context.nowMs, changes })
  if (changes.splitRuleId) useRule(draft, changes.splitRuleId)
  return null
}

/** Removes a plan that was never used, and deactivates one that was. */
export const removePlan: Decider<RemovePlan> = (draft, { planId }) => {
  const plan = planOf(draft, planId)
  if (plan === undefined) return absent
  const { id, isUsed, active } = plan
  const fact = { id, atMs: draft.context.nowMs } as const
  if (!isUsed) {
    draft.add({ actor: 'plan', type: 'PlanRemoved', ...fact })
    const account = draft.account()
    if (hasPolicy(account.dunning, planId))
      draft.add({ actor: 'account', type: 'DunningPolicyRemoved', planId, ...fact, id: account.id })
  } else if (active) {
    draft.add({ actor: 'plan', type: 'PlanChanged', changes: { active: false }, ...fact })
  }
  return null
}

/** The account's plan, unless it was removed. */
export const planOf = ({ find }: Pick<Draft, 'find'>, id: PlanId): Plan | undefined =>
  unlessRemoved(find('plan', id))

/**
 * For CUSTOM the count means days, otherwise intervals: switching between the two would silently turn 30 days into 30
 * months.
 */
const countRefusal = ({ interval }: Plan, { interval: wanted, intervalCount }: PlanChanges) =>
  wanted !== undefined && intervalCount === undefined && (wanted === 'CUSTOM') !== (interval === 'CUSTOM')
    ? ({ reason: 'INTERVAL_COUNT_REQUIRED' } as const)
    : null

/** Why these terms are refused, or null. Only new references are checked. */
const refusalOf = (terms: PlanTerms, { splitRuleId }: PlanChanges, draft: Draft): Rejection | null => {
  const { interval, intervalCount, amountCents, setupFeeCents, methods } = terms
  const countMax = intervalCountMax[interval]
  if (intervalCount > countMax) return { reason: 'INTERVAL_COUNT_OUT_OF_RANGE', countMax }
  // The first invoice includes the setup fee.
  const invoiceCentsMax = Math.min(...methods.map((method) => chargeCentsMax[method]))
  if (amountCents + setupFeeCents > invoiceCentsMax)
    return { reason: 'FIRST_INVOICE_TOO_LARGE', limitCents: toCents(invoiceCentsMax) }
  return splitRuleId ? ruleRefusal(draft, splitRuleId) : null
}

/** The largest amount of one charge: 12 digits, or the 10 of the bar code for a boleto (decisions, section 1). */
const chargeCentsMax: Readonly<Record<BillingMethod, number>> = {
  PIX: 999_999_999_999,
  BOLETO: barCodeCentsMax,
  CREDIT_CARD: 999_999_999_999,
}

const absent = { reason: 'NOT_FOUND', resource: 'plan' } as const
