import Type, { type Static } from 'typebox'
import type { SplitItem } from '../../../engine/ledger/split.ts'
import type { RecipientId } from '../../../engine/shared/ids.ts'
import { toCents } from '../../../engine/shared/money.ts'
import type { Read } from '../../api/route.ts'
import { bounds } from '../../base/bounds.ts'
import type { Text } from '../../problems/messages/text.ts'
import type { FieldError } from '../../problems/problem.ts'
import { booleanOf } from '../../resources/fields.ts'
import { named } from '../../schema/named-schema.ts'
import { amount, wholeNumber } from '../../schema/schema.ts'

const item = named(
  'SplitItemInput',
  Type.Object({
    recipientId: Type.Optional(
      Type.Unsafe<string | null>({
        type: ['string', 'null'],
        minLength: 1,
        maxLength: bounds.idCharsMax,
        format: 'text',
        description: 'Null, or left out, is the company. Each at most once.',
      }),
    ),
    percentBps: Type.Optional(
      wholeNumber(1, bounds.shareBpsMax, 'Part of the gross amount, in basis points: 10000 is all of it.'),
    ),
    fixedAmount: Type.Optional(amount(bounds.amountCentsMax, 'Instead of `percentBps`.')),
    priority: Type.Optional(
      wholeNumber(1, bounds.splitPriorityMax, 'Lower is served first. Default: the place in the list.'),
    ),
    chargeFees: Type.Optional(booleanOf('Pays the fee, in proportion with others that do. Default false.')),
    chargeRemainder: Type.Optional(booleanOf('Gets what no item claims. At most one does. Default false.')),
  }),
)

/** The items of a rule (decisions, section 17.2). */
export const itemsField = Type.Array(item, {
  minItems: bounds.splitItemsMin,
  maxItems: bounds.splitItemsMax,
  description: 'Who gets what: each by percentBps or by fixedAmount.',
})

/** Checks what the schema cannot: exactly one kind of part, no recipient twice, at most 100 %, one remainder. */
export const readItems = (body: Static<typeof itemsField>): Read<readonly SplitItem[]> => {
  const errors: FieldError[] = []
  const refuse = (field: string, code: FieldError['code'], message: Text) =>
    errors.push({ field, code, message })
  const seen = new Set<string | null>()
  const items = body.map((item, n): SplitItem => {
    const recipientId = (item.recipientId ?? null) as RecipientId | null
    const { percentBps, fixedAmount } = item
    const recipient = `items[${n}].recipientId`
    const percent = `items[${n}].percentBps`
    const fixed = `items[${n}].fixedAmount`
    if (percentBps === undefined && fixedAmount === undefined)
      refuse(percent, 'REQUIRED', (say) => say.oneOfTwo(percent, fixed))
    if (percentBps !== undefined && fixedAmount !== undefined)
      refuse(fixed, 'MUTUALLY_EXCLUSIVE', (say) => say.eitherOr(percent, fixed))
    if (seen.has(recipientId)) refuse(recipient, 'DUPLICATE', (say) => say.recipientTwice(recipient))
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
    refuse('items', 'OUT_OF_RANGE', (say) => say.moreThanAll('items'))
  const takers = items.flatMap(({ chargeRemainder }, n) => (chargeRemainder ? [n] : []))
  for (const n of takers.slice(1)) {
    const field = `items[${n}].chargeRemainder`
    refuse(field, 'DUPLICATE', (say) => say.remainderTwice(field))
  }
  return errors.length === 0 ? { ok: true, input: items } : { ok: false, errors }
}
