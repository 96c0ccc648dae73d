import Type from 'typebox'
import type { Plan, PlanTerms } from '../../../engine/billing/catalog/plan.ts'
import { described } from '../../schema/named-schema.ts'
import { billingMethod, interval } from '../enumerations.ts'
import {
  amountOf,
  booleanOf,
  brlField,
  count,
  datedFields,
  identityFields,
  listOf,
  nullableField,
  nullableText,
  ownMetadata,
  textOf,
} from '../fields.ts'
import { resource, same } from '../resource.ts'

/** The terms of a plan, current or as agreed by a subscription. */
export const planTerms = resource<PlanTerms>(
  'PlanTerms',
  'The plan as it was agreed: later changes of the plan do not touch it.',
).with({
  name: [textOf('What you call it.'), same],
  amount: [amountOf('What each cycle costs.'), (p) => String(p.amountCents)],
  currency: brlField,
  interval: [interval, same],
  intervalCount: [count('How many intervals a cycle has; for CUSTOM, how many days.'), same],
  trialDays: [count('Days before the first invoice.'), same],
  setupFee: [amountOf('Added to the first invoice.'), (p) => String(p.setupFeeCents)],
  maxCycles: [
    nullableField(Type.Integer(), 'After how many cycles it ends; null: it does not end automatically.'),
    same,
  ],
  methods: [listOf(billingMethod, 'How subscribers may pay.'), same],
  splitRuleId: [described(nullableText, 'The rule that divides its payments, `spr_…`.'), same],
})

/** A plan with its terms for new subscriptions (decisions, section 19). */
export const plan = resource<Plan>('Plan', 'What subscriptions agree to.').with({
  ...identityFields('pln', 'plan'),
  ...planTerms.fields,
  active: [booleanOf('Whether it takes new subscriptions.'), same],
  metadata: [ownMetadata, same],
  ...datedFields,
})
