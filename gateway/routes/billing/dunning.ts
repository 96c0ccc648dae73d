import Type, { type Static } from 'typebox'
import type { SetDunningPolicy } from '../../../engine/billing/catalog/catalog-commands.ts'
import { defaultPolicy, finalActions } from '../../../engine/billing/catalog/dunning.ts'
import type { PlanId } from '../../../engine/shared/ids.ts'
import { commandRoute, queryRoute, type Read } from '../../api/route.ts'
import { bounds } from '../../base/bounds.ts'
import { type FieldError, unavailable } from '../../problems/problem.ts'
import {
  dunning,
  dunningPolicy,
  dunningPolicyRemoval,
  dunningPolicyView,
} from '../../resources/billing/dunning.ts'
import { booleanOf } from '../../resources/fields.ts'
import { choice, idParameter, orNull, wholeNumber } from '../../schema/schema.ts'
import { manageScope, readScope } from '../catalog.ts'

const policyBody = Type.Object(
  {
    planId: Type.Optional(
      orNull(idParameter('The plan whose policy this is; null or left out: the company’s.')),
    ),
    enabled: booleanOf(
      'False: nothing is tried again, and `finalAction` comes a day after the first failure.',
    ),
    retryDays: Type.Array(Type.Integer({ minimum: 1, maximum: bounds.retryDaysMax }), {
      maxItems: bounds.retriesMax,
      description: 'Days after the first failure on which it is tried again, each later than the one before.',
      examples: [[1, 3, 5, 7]],
    }),
    finalAction: {
      ...choice(...finalActions),
      description: 'What happens to the subscription when the last attempt has failed.',
    },
    retryHour: Type.Optional(
      wholeNumber(0, bounds.retryHourMax, "Hour of the day, in the company's time zone. Default 9."),
    ),
  },
  { examples: [{ enabled: true, retryDays: [1, 3, 5, 7], finalAction: 'SUSPEND', retryHour: 9 }] },
)

export const getDunningRoute = queryRoute({
  ...readScope,
  path: '/v1/dunning',
  operationId: 'getDunning',
  summary: 'Get retry policies',
  description: 'Shows the company’s policy (`default`), and those of plans that have one of their own.',
  answer: dunning.schema,
  query: (_, { accountId }) => ({ type: 'FindAccount', accountId }) as const,
  view: (found) => (found === null ? unavailable : { body: dunning.view(found.account.dunning) }),
})

export const setDunningPolicyRoute = commandRoute({
  ...manageScope,
  verb: 'PUT',
  path: '/v1/dunning',
  operationId: 'setDunningPolicy',
  summary: 'Set a retry policy',
  description:
    'Replaces the policy of the company, or of one plan, as a whole. It applies to invoices that fail from now on; those that failed before keep the policy that they had then.',
  refusals: [422],
  body: policyBody,
  answer: dunningPolicy.schema,
  read: readPolicy,
  command: (input, { accountId, by }) => ({ type: 'SetDunningPolicy', accountId, by, ...input }),
  view: ({ state }, { forPlan }) => ({ body: dunningPolicyView(state.dunning, forPlan) }),
})

export const removeDunningPolicyRoute = commandRoute({
  ...manageScope,
  verb: 'DELETE',
  path: '/v1/dunning/plans/:id',
  operationId: 'deletePlanDunningPolicy',
  summary: 'Remove a retry policy',
  description: 'After that the company’s policy applies to the plan again.',
  refusals: [404],
  answer: dunningPolicyRemoval.schema,
  command: (_, { accountId, by, id }) => ({
    type: 'RemoveDunningPolicy',
    accountId,
    by,
    forPlan: id as PlanId,
  }),
  view: (_reply, _input, { id }) => ({ body: dunningPolicyRemoval.view(id) }),
})

function readPolicy(body: Static<typeof policyBody>): Read<Pick<SetDunningPolicy, 'forPlan' | 'policy'>> {
  const { planId, enabled, retryDays, finalAction, retryHour } = body
  const errors = retryDays.flatMap((day, n) => dayErrors(day, retryDays[n - 1] ?? 0, n))
  if (errors.length > 0) return { ok: false, errors }
  const forPlan = (planId as PlanId | null | undefined) ?? null
  const policy = { enabled, retryDays, finalAction, retryHour: retryHour ?? defaultPolicy.retryHour }
  return { ok: true, input: { forPlan, policy } }
}

const dayErrors = (day: number, before: number, n: number): FieldError[] => {
  if (day > before) return []
  const field = `retryDays[${n}]`
  const code = day === before ? 'DUPLICATE' : 'INVALID_VALUE'
  return [{ field, code, message: (say) => say.laterThanTheDayBefore(field) }]
}
