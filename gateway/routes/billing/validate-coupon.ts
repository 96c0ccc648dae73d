import Type from 'typebox'
import type { CustomerId, PlanId } from '../../../engine/shared/ids.ts'
import { toCents } from '../../../engine/shared/money.ts'
import { queryRoute } from '../../api/route.ts'
import { bounds } from '../../base/bounds.ts'
import { couponValidation } from '../../resources/billing/coupon.ts'
import { amountParameter, idParameter } from '../../schema/schema.ts'
import { readScope } from '../catalog.ts'
import { codeOf } from './coupon-input.ts'

export const validateCouponRoute = queryRoute({
  ...readScope,
  path: '/v1/coupons/validate',
  operationId: 'validateCoupon',
  summary: 'Validate a coupon',
  description:
    'Always answers 200: a mistyped code is no error. What is left out is no reason to refuse the coupon. The same reasons come with 422 `COUPON_INVALID` when a subscription is created.',
  parameters: Type.Object({
    code: Type.String({
      minLength: 1,
      maxLength: bounds.searchCharsMax,
      description: 'In any case.',
      examples: ['WELCOME10'],
    }),
    planId: Type.Optional(idParameter('The plan that it is for.')),
    customerId: Type.Optional(idParameter('The customer who redeems it.')),
    amount: Type.Optional(
      amountParameter('What it is taken off. By default what the plan costs.', {
        min: 1,
        max: bounds.amountCentsMax,
      }),
    ),
  }),
  answer: couponValidation.schema,
  read: ({ code, planId, customerId, amount }) => ({
    code: codeOf(code),
    planId: (planId as PlanId | undefined) ?? null,
    customerId: (customerId as CustomerId | undefined) ?? null,
    amountCents: amount === undefined ? null : toCents(amount),
  }),
  query: (input, { accountId }) => ({ type: 'ValidateCoupon', accountId, ...input }) as const,
  view: (validation) => ({ body: couponValidation.view(validation) }),
})
