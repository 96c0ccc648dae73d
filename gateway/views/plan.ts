import type { Plan } from '../../engine/billing/catalog/plan.ts'
import { isoInstant } from '../../engine/shared/calendar.ts'

/** A plan (decisions, section 19). */
export const planView = (plan: Plan) => ({
  id: plan.id,
  object: 'plan',
  name: plan.name,
  amount: String(plan.amountCents),
  currency: 'BRL',
  interval: plan.interval,
  intervalCount: plan.intervalCount,
  trialDays: plan.trialDays,
  setupFee: String(plan.setupFeeCents),
  maxCycles: plan.maxCycles,
  methods: plan.methods,
  splitRuleId: plan.splitRuleId,
  active: plan.active,
  metadata: plan.metadata,
  createdAt: isoInstant(plan.createdAtMs),
  updatedAt: isoInstant(plan.updatedAtMs),
})
