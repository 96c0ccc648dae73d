import Type, { type Static } from 'typebox'
import type { Plan, PlanTerms } from '../../../engine/billing/catalog/plan.ts'
import { isoInstant } from '../../../engine/shared/calendar.ts'
import { described, namedObject } from '../../schema/named-schema.ts'
import { billingMethod, interval } from '../enumerations.ts'
import {
  amountOf,
  booleanOf,
  brlOnly,
  count,
  dated,
  identity,
  listOf,
  nullable,
  ownMetadata,
  text,
  textOf,
} from '../fields.ts'

/** The terms that a subscription agrees to. */
export const planTerms = namedObject(
  'PlanTerms',
  'The plan as it was agreed: later changes of the plan do not touch it.',
  {
    name: textOf('What you call it.'),
    amount: amountOf('What each cycle costs.'),
    currency: brlOnly,
    interval,
    intervalCount: count('How many intervals a cycle has; for CUSTOM, how many days.'),
    trialDays: count('Days before the first invoice.'),
    setupFee: amountOf('Added to the first invoice.'),
    maxCycles: nullable(
      Type.Integer(),
      'After how many cycles it ends; null: it does not end automatically.',
    ),
    methods: listOf(billingMethod, 'How subscribers may pay.'),
    splitRuleId: described(text, 'The rule that divides its payments, `spr_…`.'),
  },
)

/** The terms of a plan, current or as agreed by a subscription. */
export const planTermsView = (plan: PlanTerms): Static<typeof planTerms> => ({
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
})

/** A plan (decisions, section 19). */
export const plan = namedObject('Plan', 'What subscriptions agree to.', {
  ...identity('pln', 'plan'),
  ...planTerms.properties,
  active: booleanOf('Whether it takes new subscriptions.'),
  metadata: ownMetadata,
  ...dated,
})

type View = Static<typeof plan>

/** A plan with its terms for new subscriptions. */
export const planView = (plan: Plan): View => ({
  id: plan.id,
  object: 'plan',
  active: plan.active,
  metadata: plan.metadata,
  createdAt: isoInstant(plan.createdAtMs),
  updatedAt: isoInstant(plan.updatedAtMs),
  ...planTermsView(plan),
})
