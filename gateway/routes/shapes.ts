import Type, { type TProperties, type TSchema } from 'typebox'
import type { IdPrefix } from '../../engine/shared/ids.ts'
import { described, named, schemaNamed } from '../http/named-schema.ts'

/** What the shapes of answers are made of. */

type Described = TSchema & {
  readonly type: string
  readonly enum?: readonly unknown[]
  readonly title?: string
}

/** A type list instead of `anyOf`: the same to a reader, and written far faster. */
export const nullable = (schema: TSchema, description?: string) => {
  const { type, enum: values } = schema as Described
  return Type.Unsafe<unknown>({
    ...schema,
    type: [type, 'null'],
    ...(values && { enum: [...values, null] }),
    ...(description && { description }),
  })
}
export const anyText = Type.String()
export const text = nullable(anyText)
export const textOf = (description: string) => Type.String({ description })
export const count = (description: string) => Type.Integer({ description })
export const flag = (description: string) => Type.Boolean({ description })
export const instant = Type.String({ format: 'date-time', description: 'ISO 8601, UTC, with milliseconds.' })
export const cents = Type.String({
  pattern: '^-?[0-9]+$',
  description: 'Centavos, as digits.',
  examples: ['1990'],
})
/** Centavos, as digits, with what they are. */
export const amountOf = (description: string) => described(cents, `${description} In centavos, as digits.`)
export const words = <const Words extends readonly string[]>(...values: Words) =>
  Type.Unsafe<Words[number]>({ type: 'string', enum: [...values] })
export const listOf = (items: TSchema, description?: string) =>
  Type.Array(items, description === undefined ? {} : { description })
export const anyObject = Type.Unsafe<object>({ type: 'object', additionalProperties: true })
export const ownMetadata = described(anyObject, 'Your own key/value pairs, as they were sent.')

/** What a route answers with, and what that is. */
export const resource = <Properties extends TProperties>(description: string, properties: Properties) =>
  Type.Object(properties, { description })

export const date = Type.String({ format: 'date', description: 'A day of the company’s time zone.' })

export const image = Type.String({ format: 'data-uri' })

export const documentType = nullable(words('CPF', 'CNPJ'), 'Which kind of document it is.')

/** What a resource is, and which one. */
export const identity = (prefix: IdPrefix, object: string) => ({
  id: Type.String({ pattern: `^${prefix}_[0-9A-Z]{26}$`, description: 'Its id, which never changes.' }),
  object: objectName(object),
})

export const objectName = (object: string) => described(words(object), 'What this is.')

export const createdAt = described(instant, 'When it was created.')
export const dated = {
  createdAt,
  updatedAt: described(instant, 'When it last changed.'),
}

/** Of what is only deactivated once it has a history. */
export const removalOf = (title: string, object: string) =>
  named(
    title,
    Type.Object({
      id: textOf('What was to be removed.'),
      object: objectName(object),
      deleted: flag('False: it is in use, or was, and is only deactivated.'),
      active: flag('Always false.'),
    }),
  )

const pagination = named(
  'Pagination',
  Type.Object(
    {
      page: count('This page; the first is 1.'),
      pageSize: count('How many rows a page has.'),
      total: count('How many rows all pages have together.'),
      totalPages: count('How many pages there are; 0 where no row fits.'),
      hasMore: flag('Whether there is a page after this one.'),
      asOf: textOf('Send it back as `asOf` with the next pages: rows that are created meanwhile stay out.'),
    },
    { description: 'Where this page stands in its list.' },
  ),
)

export const listFields = (row: TSchema) => ({
  object: objectName('list'),
  data: listOf(row, 'The rows of this page.'),
  pagination,
})

/** The envelope of a list, named after its rows. */
export const listOfRows = (row: TSchema): TSchema => {
  const title = `${(row as Described).title!}List`
  return schemaNamed(title) ?? named(title, Type.Object(listFields(row)))
}
