import Type, { type Static } from 'typebox'
import type { RecipientId } from '../../../engine/ids.ts'
import { toCents } from '../../../engine/money.ts'
import type { SplitItem } from '../../../engine/split/rule.ts'
import type { FieldError } from '../../http/problem.ts'
import type { Read } from '../../http/route.ts'
import { amount } from '../../http/schema.ts'
import { centsMax } from '../pix/create-charge.ts'

const item = Type.Object({
  recipientId: Type.Optional(
    Type.Unsafe<string | null>({
      type: ['string', 'null'],
      minLength: 1,
      maxLength: 40,
      description: 'Null, or left out, is the company. Each at most once.',
    }),
  ),
  percentBps: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 10_000, description: 'Of the gross amount: 10000 is all of it.' }),
  ),
  fixedAmount: Type.Optional(amount(centsMax, 'Instead of `percentBps`.')),
  priority: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 100,
      description: 'Lower is served first. Default: the place in the list.',
    }),
  ),
  chargeFees: Type.Optional(
    Type.Boolean({ description: 'Pays the fee, in proportion with others that do. Default false.' }),
  ),
  chargeRemainder: Type.Optional(
    Type.Boolean({ description: 'Gets what no item claims. At most one does. Default false.' }),
  ),
})

/** The items of a rule (decisions, section 17.2). */
export const itemsField = Type.Array(item, {
  minItems: 2,
  maxItems: 20,
  description: 'Who gets what: each by percentBps or by fixedAmount.',
})

/** What the schema cannot say: exactly one kind of part, nobody twice, at most all of it, one that takes the rest. */
export const readItems = (body: Static<typeof itemsField>): Read<readonly SplitItem[]> => {
  const errors: FieldError[] = []
  const seen = new Set<string | null>()
  const items = body.map((item, n): SplitItem => {
    const recipientId = (item.recipientId ?? null) as RecipientId | null
    const { percentBps, fixedAmount } = item
    if (percentBps === undefined && fixedAmount === undefined)
      errors.push(error(`items[${n}].percentBps`, 'REQUIRED', 'send percentBps or fixedAmount'))
    if (percentBps !== undefined && fixedAmount !== undefined)
      errors.push(
        error(`items[${n}].fixedAmount`, 'MUTUALLY_EXCLUSIVE', 'send either percentBps or fixedAmount'),
      )
    if (seen.has(recipientId))
      errors.push(error(`items[${n}].recipientId`, 'DUPLICATE', 'a recipient has one item'))
    seen.add(recipientId)
    return {
      recipientId,
      percentBps: percentBps ?? null,
      fixedCents: fixedAmount === undefined ? null : toCents(Number(fixedAmount)),
      priority: item.priority ?? n + 1,
      chargeFees: item.chargeFees ?? false,
      chargeRemainder: item.chargeRemainder ?? false,
    }
  })
  if (items.reduce((sum, { percentBps }) => sum + (percentBps ?? 0), 0) > 10_000)
    errors.push(error('items', 'OUT_OF_RANGE', 'the percentages are more than 10000 basis points'))
  const takers = items.flatMap(({ chargeRemainder }, n) => (chargeRemainder ? [n] : []))
  for (const n of takers.slice(1))
    errors.push(error(`items[${n}].chargeRemainder`, 'DUPLICATE', 'one item gets the remainder'))
  return errors.length === 0 ? { ok: true, input: items } : { ok: false, errors }
}

const error = (field: string, code: FieldError['code'], message: string): FieldError => ({
  field,
  code,
  message: `${field}: ${message}`,
})
