import Type, { type Static } from 'typebox'
import type { CreatePlan } from '../../../engine/billing/catalog/catalog-commands.ts'
import { intervalCountMax, type PlanChanges } from '../../../engine/billing/catalog/plan.ts'
import type { SplitRuleId } from '../../../engine/shared/ids.ts'
import { sortedMetadata } from '../../../engine/shared/metadata.ts'
import { toCents } from '../../../engine/shared/money.ts'
import type { Read } from '../../api/route.ts'
import { bounds } from '../../base/bounds.ts'
import { billingMethod, interval } from '../../resources/enumerations.ts'
import { booleanOf } from '../../resources/fields.ts'
import { equals, has, when } from '../../schema/rules.ts'
import { amount, idParameter, metadata, orNull, textUpTo, wholeNumber } from '../../schema/schema.ts'
import { refusedField } from '../charge-input.ts'

/** The fields of a plan's body (payments-api, Plan). */
const fields = {
  name: textUpTo(bounds.nameCharsMax, 'What you call it.'),
  amount: amount(bounds.amountCentsMax, 'What each cycle costs.'),
  interval,
  intervalCount: wholeNumber(
    1,
    intervalCountMax.CUSTOM,
    'How many intervals a cycle has, default 1: at most 36 weeks, or 36 months in all. Of CUSTOM how many days, 1 to 730: there it is required.',
  ),
  trialDays: wholeNumber(0, bounds.trialDaysMax, 'Days before the first invoice.'),
  setupFee: amount(bounds.amountCentsMax, 'Added to the first invoice, once.', { min: 0 }),
  maxCycles: orNull(wholeNumber(1, bounds.cyclesMax, 'Ends after so many cycles; null: never.')),
  methods: Type.Array(billingMethod, {
    minItems: 1,
    uniqueItems: true,
    description: 'How subscribers may pay.',
  }),
  splitRuleId: orNull(idParameter('The rule by which its payments are divided.')),
  metadata,
}

const optional = Type.Partial(Type.Object(fields)).properties

export const planBody = Type.Object(
  {
    ...optional,
    name: fields.name,
    amount: fields.amount,
    interval: fields.interval,
    methods: fields.methods,
  },
  {
    examples: [
      { name: 'Pro', amount: 4900, interval: 'MONTH', trialDays: 7, methods: ['CREDIT_CARD', 'PIX'] },
      { name: 'Ten days', amount: '990', interval: 'CUSTOM', intervalCount: 10, methods: ['PIX'] },
    ],
  },
)

/** CUSTOM counts days, so their number is required. */
export const customCounts = when(equals('interval', 'CUSTOM'), has('intervalCount'))

export const planChangesBody = Type.Object(
  {
    ...optional,
    active: Type.Optional(booleanOf('False: no new subscriptions; existing ones continue.')),
  },
  { examples: [{ amount: 5900, active: true }] },
)

/** Reads a new plan, with defaults filled in. Refuses CUSTOM without a number of days. */
export const readPlan = (body: Static<typeof planBody>): Read<Pick<CreatePlan, 'terms' | 'metadata'>> => {
  if (body.interval === 'CUSTOM' && body.intervalCount === undefined) return countRequired
  return {
    ok: true,
    input: {
      terms: {
        name: body.name.trim(),
        amountCents: toCents(Number(body.amount)),
        interval: body.interval,
        intervalCount: body.intervalCount ?? 1,
        trialDays: body.trialDays ?? 0,
        setupFeeCents: toCents(Number(body.setupFee ?? 0)),
        maxCycles: body.maxCycles ?? null,
        methods: body.methods,
        splitRuleId: (body.splitRuleId as SplitRuleId | null | undefined) ?? null,
      },
      metadata: sortedMetadata(body.metadata ?? {}),
    },
  }
}

/** Reads the changes to a plan: only fields that the body has; null removes a value. */
export const readPlanChanges = (body: Static<typeof planChangesBody>): Read<PlanChanges> => {
  if (body.interval === 'CUSTOM' && body.intervalCount === undefined) return countRequired
  const { name, amount, interval, intervalCount, trialDays, setupFee, maxCycles, methods, active } = body
  const splitRuleId = body.splitRuleId as SplitRuleId | null | undefined
  return {
    ok: true,
    input: {
      ...(name !== undefined && { name: name.trim() }),
      ...(amount !== undefined && { amountCents: toCents(Number(amount)) }),
      ...(interval !== undefined && { interval }),
      ...(intervalCount !== undefined && { intervalCount }),
      ...(trialDays !== undefined && { trialDays }),
      ...(setupFee !== undefined && { setupFeeCents: toCents(Number(setupFee)) }),
      ...(maxCycles !== undefined && { maxCycles }),
      ...(methods !== undefined && { methods }),
      ...(splitRuleId !== undefined && { splitRuleId }),
      ...(active !== undefined && { active }),
      ...(body.metadata !== undefined && { metadata: sortedMetadata(body.metadata) }),
    },
  }
}

const countRequired = refusedField('intervalCount', 'REQUIRED', (say) =>
  say.daysOfCustomInterval('intervalCount'),
)
