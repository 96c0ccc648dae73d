import type { Offer } from '../../../engine/checkout/offer.ts'
import type { PlanId } from '../../../engine/shared/ids.ts'
import { bounds } from '../../base/bounds.ts'
import type { FieldError } from '../../problems/problem.ts'

/** What of a body says that a plan is subscribed to. */
export type PlanBody = {
  readonly mode?: Offer['mode']
  readonly planId?: string
  readonly trialDays?: number
  readonly pixAutomatic?: boolean
  readonly collect?: Partial<Offer['collect']>
}

/** The plan of an offer. */
export const readSoldPlan = ({
  mode,
  planId,
  trialDays,
  pixAutomatic,
}: PlanBody): Pick<Offer, 'mode' | 'planId' | 'trialDays' | 'pixAutomatic'> => ({
  mode: mode ?? 'PAYMENT',
  planId: (planId as PlanId | undefined) ?? null,
  trialDays: trialDays ?? null,
  ...(pixAutomatic !== undefined && { pixAutomatic }),
})

/** What a page asks for: who subscribes is registered, so without a name that you gave it asks for one. */
export const readCollect = ({ mode, collect }: PlanBody, isNamed: boolean): Offer['collect'] => {
  const subscribes = mode === 'SUBSCRIPTION' && !isNamed
  const { name, document, email, phone, address } = collect ?? {}
  return {
    name: subscribes ? 'REQUIRED' : (name ?? 'HIDDEN'),
    document: document ?? (subscribes ? 'REQUIRED' : 'HIDDEN'),
    email: email ?? (subscribes ? 'REQUIRED' : 'OPTIONAL'),
    phone: phone ?? 'HIDDEN',
    address: address ?? 'HIDDEN',
  }
}

/** What is wrong with a body about a plan: it decides the price and the division, and only a subscription has one. */
export const planErrors = (body: PlanBody & Readonly<Record<string, unknown>>): readonly FieldError[] => {
  if (body.mode !== 'SUBSCRIPTION')
    return (['planId', 'trialDays', 'pixAutomatic'] as const).flatMap((field) =>
      body[field] === undefined
        ? []
        : [
            {
              field,
              code: 'MUTUALLY_EXCLUSIVE',
              message: (say) => say.onlyWith(field, 'mode', 'SUBSCRIPTION'),
            },
          ],
    )
  if (body.planId === undefined)
    return [
      {
        field: 'planId',
        code: 'REQUIRED',
        message: (say) => say.requiredWith('planId', 'mode', 'SUBSCRIPTION'),
      },
    ]
  return decidedByPlan.flatMap((field) =>
    body[field] === undefined
      ? []
      : [{ field, code: 'MUTUALLY_EXCLUSIVE', message: (say) => say.eitherOr(field, 'planId') }],
  )
}

const decidedByPlan = ['amount', 'items', 'amountMode', 'quantity', 'splitRuleId', 'installments', 'capture']

/** The longest trial that a page may give, as that of a plan. */
export const trialDaysMax = bounds.trialDaysMax
