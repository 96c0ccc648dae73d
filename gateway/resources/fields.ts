import Type, { type Static, type TProperties, type TSchema } from 'typebox'
import type { Share } from '../../engine/ledger/divide.ts'
import { isoInstant } from '../../engine/shared/calendar.ts'
import type { IdPrefix } from '../../engine/shared/ids.ts'
import { described } from '../schema/named-schema.ts'
import { choice } from '../schema/schema.ts'
import { fieldsOf, same } from './resource.ts'

/** The building blocks of answer schemas, and two values that most views need. */

/**
 * The same schema or null, as a list of types instead of `anyOf`: readers see no difference, and it is written far faster. Takes
 * schemas with a single `type`.
 */
export const nullableField = <Schema extends TSchema>(schema: Schema, description?: string) => {
  const { type, enum: values } = schema as Schema & {
    readonly type: string
    readonly enum?: readonly unknown[]
  }
  return Type.Unsafe<Static<Schema> | null>({
    ...schema,
    type: [type, 'null'],
    ...(values && { enum: [...values, null] }),
    ...(description && { description }),
  })
}

const anyText = Type.String()
/** A text or null. */
export const nullableText = nullableField(anyText)
/** A text with a description. */
export const textOf = (description: string) => Type.String({ description })
/** A whole number with a description of what it counts. */
export const count = (description: string) => Type.Integer({ description })
/** A boolean with a description. */
export const booleanOf = (description: string) => Type.Boolean({ description })
/** An instant in the form that views write. */
export const instant = Type.String({ format: 'date-time', description: 'ISO 8601, UTC, with milliseconds.' })
/** A day in the form that views write. */
export const date = Type.String({ format: 'date', description: 'A day of the company’s time zone.' })
/** An amount that can be negative. */
export const cents = Type.String({
  pattern: '^-?[0-9]+$',
  description: 'Centavos, as digits.',
  examples: ['1990'],
})
/** An amount with a description. */
export const amountOf = (description: string) => described(cents, `${description} In centavos, as digits.`)
/** An amount that is never negative, with a description. */
export const nonNegativeAmountOf = (description: string) =>
  Type.String({ pattern: '^[0-9]+$', description: `${description} In centavos, as digits.` })
/** A list of items of one schema. */
export const listOf = <Items extends TSchema>(items: Items, description?: string) =>
  Type.Unsafe<readonly Static<Items>[]>(Type.Array(items, description === undefined ? {} : { description }))
/** An object with members of any name. */
export const anyObject = Type.Unsafe<object>({ type: 'object', additionalProperties: true })
/** The metadata of a resource. */
export const ownMetadata = described(anyObject, 'Your own key/value pairs, as they were sent.')
/** For amounts that can only be in reais. */
export const brlOnly = choice('BRL')
/** `brlOnly` with its value. */
export const brlField = [brlOnly, (): 'BRL' => 'BRL'] as const
/** The kind of a tax document. */
export const documentType = nullableField(choice('CPF', 'CNPJ'), 'Which kind of document it is.')

/** The first two fields of a resource: its id and its kind. */
export const identity = <const Name extends string>(prefix: IdPrefix, object: Name) => ({
  id: Type.String({ pattern: `^${prefix}_[0-9A-Z]{26}$`, description: 'Its id, which never changes.' }),
  object: objectName(object),
})

/** `identity` with its values. */
export const identityFields = <const Name extends string>(prefix: IdPrefix, object: Name) =>
  fieldsOf<{ readonly id: string }>().with({
    id: [identity(prefix, object).id, same],
    ...objectField(object),
  })

/** The kind of a resource that has no id of its own. */
export const objectField = <const Name extends string>(object: Name) =>
  ({ object: [objectName(object), (): Name => object] }) as const

/** The kind of a resource, which its `object` names. */
export const objectName = <const Name extends string>(object: Name) =>
  described(choice(object), 'What this is.')

/** When a resource was created. */
export const createdAt = described(instant, 'When it was created.')
/** When a resource was created, and when it last changed. */
export const dated = {
  createdAt,
  updatedAt: described(instant, 'When it last changed.'),
}

/** `createdAt` with its value. */
export const createdAtField = [
  createdAt,
  ({ createdAtMs }: { readonly createdAtMs: number }) => isoInstant(createdAtMs),
] as const
export const datedFields = {
  createdAt: createdAtField,
  updatedAt: [
    dated.updatedAt,
    ({ updatedAtMs }: { readonly updatedAtMs: number }) => isoInstant(updatedAtMs),
  ],
} as const

/** Some properties of a schema or fields of a resource, in the given order. */
export const pick = <Properties extends TProperties, const Name extends keyof Properties & string>(
  properties: Properties,
  ...names: readonly Name[]
) => Object.fromEntries(names.map((name) => [name, properties[name]!])) as Pick<Properties, Name>

/** An instant as answers show it; null where there is none. */
export const instantOrNull = (atMs: number | null | undefined): string | null =>
  atMs === null || atMs === undefined ? null : isoInstant(atMs)

/** Centavos as answers show them; null where there are none. */
export const digitsOrNull = (cents: number | null | undefined): string | null =>
  cents === null || cents === undefined ? null : String(cents)

/** A part of a payment: before the fee, the fee, and what is left. */
export const shareFields = (gross: string, fee: string) =>
  fieldsOf<Pick<Share, 'grossCents' | 'feeCents'>>().with({
    grossAmount: [amountOf(gross), ({ grossCents }) => String(grossCents)],
    feeAmount: [amountOf(fee), ({ feeCents }) => String(feeCents)],
    netAmount: [amountOf('`grossAmount` less `feeAmount`.'), (s) => String(s.grossCents - s.feeCents)],
  })
