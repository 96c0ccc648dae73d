import Type, { type Static } from 'typebox'
import type { CreateCoupon } from '../../../engine/billing/catalog/catalog-commands.ts'
import type { Coupon, CouponChanges } from '../../../engine/billing/catalog/coupon.ts'
import { readInstant } from '../../../engine/shared/calendar.ts'
import type { PlanId } from '../../../engine/shared/ids.ts'
import { sortedMetadata } from '../../../engine/shared/metadata.ts'
import { toCents } from '../../../engine/shared/money.ts'
import type { Read } from '../../api/route.ts'
import { bounds } from '../../base/bounds.ts'
import type { Text } from '../../problems/messages/text.ts'
import type { FieldError } from '../../problems/problem.ts'
import { booleanOf } from '../../resources/fields.ts'
import { equals, has, when } from '../../schema/rules.ts'
import { amount, choice, idParameter, metadata, orNull, textUpTo, wholeNumber } from '../../schema/schema.ts'

const fields = {
  code: Type.String({
    minLength: bounds.couponCodeCharsMin,
    maxLength: bounds.couponCodeCharsMax,
    format: 'coupon-code',
    description: 'What subscribers type: A-Z, 0-9, _ and -, in any case. Unique among those not deleted.',
    examples: ['WELCOME10'],
  }),
  name: orNull(textUpTo(bounds.nameCharsMax, 'What you call it.')),
  discountType: {
    ...choice('PERCENT', 'FIXED'),
    description: 'Whether `percentBps` or `amountOff` is sent.',
  },
  percentBps: orNull(
    wholeNumber(1, bounds.shareBpsMax, 'What PERCENT takes off, in basis points: 100 is 1 %.'),
  ),
  amountOff: orNull(
    amount(bounds.amountCentsMax, 'What FIXED takes off each invoice, at most what the plan costs.'),
  ),
  duration: {
    ...choice('ONCE', 'REPEATING', 'FOREVER'),
    description: 'For the first cycle invoice (default), the first `durationCycles`, or all of them.',
  },
  durationCycles: orNull(wholeNumber(1, bounds.cyclesMax, 'How many cycles REPEATING lasts.')),
  maxRedemptions: orNull(wholeNumber(1, bounds.redemptionsMax, 'Null: no limit.')),
  maxRedemptionsPerCustomer: orNull(wholeNumber(1, bounds.redemptionsMax, 'Default 1; null: no limit.')),
  startsAt: orNull(
    Type.String({ format: 'date-time', description: 'Not before; null: from its creation on.' }),
  ),
  expiresAt: orNull(
    Type.String({ format: 'date-time', description: 'No more from this instant on; null: never.' }),
  ),
  planIds: orNull(
    Type.Array(idParameter('A plan.'), {
      minItems: 1,
      maxItems: bounds.couponPlansMax,
      uniqueItems: true,
      description: 'The plans that it is for; null: all.',
    }),
  ),
  minAmount: orNull(amount(bounds.amountCentsMax, 'The least amount of a plan that it is for; null: any.')),
  metadata,
}

const optional = Type.Partial(Type.Object(fields)).properties

export const couponBody = Type.Object(
  { ...optional, code: fields.code, discountType: fields.discountType },
  {
    examples: [
      {
        code: 'WELCOME10',
        discountType: 'PERCENT',
        percentBps: 1000,
        duration: 'REPEATING',
        durationCycles: 3,
      },
      { code: 'FIRST-100', discountType: 'FIXED', amountOff: 1500, maxRedemptions: 100 },
    ],
  },
)

/** The discount that the type names; and a duration in cycles if the discount repeats. */
export const couponRules = {
  allOf: [
    when(equals('discountType', 'PERCENT'), has('percentBps'), has('amountOff')),
    when(equals('duration', 'REPEATING'), has('durationCycles')),
  ],
}

export const couponChangesBody = Type.Object(
  { ...optional, active: Type.Optional(booleanOf('False: it cannot be redeemed.')) },
  { examples: [{ maxRedemptions: 200, expiresAt: '2027-01-01T03:00:00.000Z' }] },
)

type Body = Static<typeof couponChangesBody>

/** Reads a new coupon, with defaults filled in. Refuses a discount or duration that contradicts itself. */
export const readCoupon = (body: Static<typeof couponBody>): Read<Pick<CreateCoupon, 'coupon'>> => {
  const errors = [...discountErrors(body), ...durationErrors(body)]
  if (errors.length > 0) return { ok: false, errors }
  const coupon = { ...unlimited, ...changesIn(body), code: codeOf(body.code) }
  return { ok: true, input: { coupon } }
}

/** Reads the changes to a coupon: only fields that the body has; null removes a value. */
export const readCouponChanges = (body: Body): Read<CouponChanges> => {
  const errors = [...discountErrors(body), ...durationErrors(body)]
  return errors.length > 0 ? { ok: false, errors } : { ok: true, input: changesIn(body) }
}

/**
 * A code in capitals. Only ASCII letters are changed: some foreign letters would turn into ASCII ones, and find another coupon.
 */
export const codeOf = (text: string): string =>
  text.trim().replace(/[a-z]/g, (letter) => letter.toUpperCase())

const unlimited = {
  name: null,
  percentBps: null,
  amountOffCents: null,
  duration: 'ONCE',
  cycles: 1,
  maxRedemptions: null,
  maxRedemptionsPerCustomer: 1,
  startsAtMs: null,
  expiresAtMs: null,
  planIds: null,
  minAmountCents: null,
  metadata: {},
} as const

/**
 * A discount has one of two forms; the value that is sent determines the type. Null counts as absent, because answers contain
 * nulls, and a coupon can be sent back as it was read.
 */
const discountErrors = ({ discountType, percentBps, amountOff }: Body): FieldError[] => {
  const errors: FieldError[] = []
  const require = (field: string) =>
    errors.push({
      field,
      code: 'REQUIRED',
      message: (say) => say.requiredWith(field, 'discountType', discountType!),
    })
  const exclude = (field: string, message: Text) =>
    errors.push({ field, code: 'MUTUALLY_EXCLUSIVE', message })
  if (discountType === 'PERCENT' && percentBps == null) require('percentBps')
  if (discountType === 'FIXED' && amountOff == null) require('amountOff')
  if (amountOff != null && (discountType === 'PERCENT' || percentBps != null))
    exclude('amountOff', (say) => say.eitherOr('percentBps', 'amountOff'))
  else if (percentBps != null && discountType === 'FIXED')
    exclude('percentBps', (say) => say.onlyWith('percentBps', 'discountType', 'PERCENT'))
  return errors
}

const durationErrors = ({ duration, durationCycles }: Body): FieldError[] => {
  const field = 'durationCycles'
  if (duration === 'REPEATING' && durationCycles == null)
    return [{ field, code: 'REQUIRED', message: (say) => say.requiredWith(field, 'duration', 'REPEATING') }]
  if (duration !== undefined && duration !== 'REPEATING' && durationCycles != null)
    return [
      { field, code: 'MUTUALLY_EXCLUSIVE', message: (say) => say.onlyWith(field, 'duration', 'REPEATING') },
    ]
  return []
}

const changesIn = (body: Body): CouponChanges => {
  const { code, name, maxRedemptions, maxRedemptionsPerCustomer, startsAt, expiresAt, planIds } = body
  const { minAmount, active } = body
  return {
    ...(code !== undefined && { code: codeOf(code) }),
    ...(name !== undefined && { name: name?.trim() ?? null }),
    ...discountIn(body),
    ...durationIn(body),
    ...(maxRedemptions !== undefined && { maxRedemptions }),
    ...(maxRedemptionsPerCustomer !== undefined && { maxRedemptionsPerCustomer }),
    ...(startsAt !== undefined && { startsAtMs: startsAt && readInstant(startsAt) }),
    ...(expiresAt !== undefined && { expiresAtMs: expiresAt && readInstant(expiresAt) }),
    ...(planIds !== undefined && { planIds: planIds as readonly PlanId[] | null }),
    ...(minAmount !== undefined && {
      minAmountCents: minAmount === null ? null : toCents(Number(minAmount)),
    }),
    ...(active !== undefined && { active }),
    ...(body.metadata !== undefined && { metadata: sortedMetadata(body.metadata) }),
  } as CouponChanges
}

const discountIn = ({ percentBps, amountOff }: Body): Partial<Coupon> => {
  if (percentBps != null) return { percentBps, amountOffCents: null }
  return amountOff == null ? {} : { percentBps: null, amountOffCents: toCents(Number(amountOff)) }
}

/** A number of cycles by itself makes the duration REPEATING. */
const durationIn = ({ duration, durationCycles }: Body): Partial<Coupon> => {
  if (durationCycles != null) return { duration: 'REPEATING', cycles: durationCycles }
  return duration === undefined ? {} : { duration, cycles: duration === 'ONCE' ? 1 : null }
}
