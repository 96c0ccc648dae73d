import type { ActorDefinition } from '../../kernel/actor.ts'
import { assert, unreachable } from '../../shared/assert.ts'
import type { Plan, PlanFact } from './plan.ts'

/** Applies a fact to a plan. */
export const evolvePlan = (plan: Plan | undefined, event: PlanFact): Plan => {
  if (event.type === 'PlanCreated') {
    assert(plan === undefined, 'a plan is created once')
    return {
      id: event.id,
      active: true,
      isUsed: false,
      isRemoved: false,
      createdAtMs: event.atMs,
      updatedAtMs: event.atMs,
      ...event.plan,
    }
  }
  assert(plan !== undefined && !plan.isRemoved, `${event.type} is about a plan that is there`)
  switch (event.type) {
    case 'PlanChanged':
      return { ...plan, ...event.changes, updatedAtMs: event.atMs }
    case 'PlanUsed':
      // Merchants do not see `isUsed`, so the time of the last change stays.
      return { ...plan, isUsed: true }
    case 'PlanRemoved':
      assert(!plan.isUsed, 'a plan that a subscription had is never removed')
      return { ...plan, active: false, isRemoved: true, updatedAtMs: event.atMs }
    default:
      return unreachable(event)
  }
}

export const planKind: ActorDefinition<Plan, PlanFact> = {
  prefix: 'pln',
  namedBy: 'planId',
  evolve: evolvePlan,
  createdAtMs: ({ createdAtMs }) => createdAtMs,
  auditedFields: (plan) => ({
    name: plan.name,
    amount: plan.amountCents,
    interval: plan.interval,
    intervalCount: plan.intervalCount,
    trialDays: plan.trialDays,
    setupFeeAmount: plan.setupFeeCents,
    maxCycles: plan.maxCycles,
    methods: plan.methods,
    splitRuleId: plan.splitRuleId,
    active: plan.active,
    removed: plan.isRemoved,
    metadata: plan.metadata,
  }),
  label: ({ isRemoved, active }) => (isRemoved ? 'removed' : active ? 'active' : 'inactive'),
}
