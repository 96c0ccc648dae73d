import { brands } from '../../engine/ledger/card-rates.ts'
import { assert } from '../../engine/shared/assert.ts'
import type { Format } from '../base/formats.ts'
import { schemaNamed } from '../schema/named-schema.ts'

/** A schema as it is written into the document. */
export type Published = Readonly<Record<string, unknown>>

export type Components = {
  /** The schema, with each named schema inside replaced by a reference. */
  readonly publish: (schema: object) => Published
  /** The same for a schema that gets its name here. */
  readonly publishAs: (name: string, schema: object) => Published
  /** All published named schemas, by name. */
  readonly schemas: () => Readonly<Record<string, Published>>
}

/**
 * The schemas of the document. Routes hold complete schemas, which check and write JSON as fast as possible. The document lists
 * each named schema once and refers to it (OpenAPI 3.1.1, section 4.8.23), so that generated clients have types.
 */
export const newComponents = (): Components => {
  const schemas = new Map<string, Published>()

  const publish = (schema: object): Published => {
    const { title, ...rest } = schema as Plain
    return title === undefined ? publishMembers(rest) : reference(title, rest)
  }

  const reference = (name: string, rest: Plain): Published => {
    const { title: _, ...base } = schemaNamed(name) as Plain
    const used = withoutNull(rest)
    if (contentOf(used) !== contentOf(base)) throw new Error(`not every use of ${name} is the same schema`)
    add(name, base)
    const ref = { $ref: `#/components/schemas/${name}` }
    const own = rest.description === base.description ? {} : { description: rest.description }
    return used === rest ? { ...ref, ...own } : { anyOf: [ref, { type: 'null' }], ...own }
  }

  const add = (name: string, schema: Plain): void => {
    if (schemas.has(name)) return
    // Reserves its place before its members are published, so that the order of the document follows the operations.
    schemas.set(name, {})
    schemas.set(name, publishMembers(schema))
  }

  const publishMembers = (schema: Plain): Published => {
    const { format, ...rest } = schema
    const { properties, items, additionalProperties, propertyNames, anyOf } = rest
    return {
      ...rest,
      ...(format !== undefined && formatFor(format)),
      ...(properties && {
        properties: Object.fromEntries(
          Object.entries(properties).map(([name, member]) => [name, publish(member)]),
        ),
      }),
      ...(items && { items: publish(items) }),
      ...(propertyNames && { propertyNames: publish(propertyNames) }),
      ...(anyOf && { anyOf: anyOf.map(publish) }),
      ...(typeof additionalProperties === 'object' && {
        additionalProperties: publish(additionalProperties),
      }),
    }
  }

  /** Translates our formats for others: to a format that validators everywhere know, or to a pattern. */
  const formatFor = (format: string): Published => {
    assert(Object.hasOwn(publicFormats, format), 'a format is published as others understand it')
    return publicFormats[format as keyof typeof publicFormats]
  }

  return {
    publish,
    publishAs: (name, schema) => {
      if (schemas.has(name)) throw new Error(`two schemas are named ${name}`)
      add(name, schema as Plain)
      return { $ref: `#/components/schemas/${name}` }
    },
    schemas: () => Object.fromEntries(schemas),
  }
}

type Plain = {
  readonly [keyword: string]: unknown
  readonly title?: string
  readonly description?: string
  readonly format?: string
  readonly type?: string | readonly string[]
  readonly enum?: readonly unknown[]
  readonly properties?: Readonly<Record<string, object>>
  readonly items?: object
  readonly propertyNames?: object
  readonly additionalProperties?: object | boolean
  readonly anyOf?: readonly object[]
}

const withoutNull = (schema: Plain): Plain => {
  const { type, enum: values } = schema
  if (!Array.isArray(type) || !type.includes('null')) return schema
  const others = type.filter((name) => name !== 'null')
  return {
    ...schema,
    type: others.length === 1 ? others[0] : others,
    ...(values && { enum: values.filter((value) => value !== null) }),
  }
}

const contentOf = ({ description: _, title: __, ...content }: Plain): string =>
  JSON.stringify(Object.entries(content).sort(([a], [b]) => (a < b ? -1 : 1)))

/**
 * Our formats as validators and generators everywhere understand them. A pattern admits all that the service admits, spaces and hyphens
 * of any kind too, and cannot check digits.
 */
const publicFormats: Readonly<Record<Format | 'centavos' | 'data-uri', Published>> = {
  text: {},
  'multiline-text': {},
  centavos: {},
  'data-uri': { format: 'uri' },
  date: { format: 'date' },
  'date-time': { format: 'date-time' },
  duration: { format: 'duration' },
  'date-or-date-time': { pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}([Tt ].+)?$' },
  // The format `email` of most validators knows no international domains.
  'e-mail': { pattern: '^\\s*[^@\\s]+@[^@\\s]+\\.[^@\\s]+\\s*$' },
  'cpf-cnpj': { pattern: '^\\W*(([0-9]\\W*){11}|([0-9A-Za-z]\\W*){12}([0-9]\\W*){2})$' },
  'access-key': { pattern: '^[0-9]{6}[0-9A-Z]{12}[0-9]{26}$' },
  phone: { pattern: '^[^0-9A-Za-z]*([0-9][^0-9A-Za-z]*){8,15}$' },
  cep: { pattern: '^\\W*([0-9]\\W*){8}$' },
  'card-brand': { enum: brands },
  'field-key': { pattern: '^[A-Za-z][A-Za-z0-9_]*$' },
  'coupon-code': { pattern: '^\\s*[A-Za-z0-9_-]+\\s*$' },
  last4: { pattern: '^[0-9]{4}$' },
  'one-time-code': { pattern: '^[0-9]{6}$' },
  bin: { pattern: '^([0-9]{6}|[0-9]{8})$' },
  'bank-code': { pattern: '^[0-9]{3}$' },
  ispb: { pattern: '^[0-9]{8}$' },
  'payment-system-code': { pattern: '^[A-Z0-9]{4}$' },
  'bank-branch': { pattern: '^[0-9]{1,5}(-[0-9X])?$' },
  'bank-account': { pattern: '^[0-9]{1,13}(-[0-9X])?$' },
  'statement-descriptor': { pattern: '^[A-Z0-9.* -]{5,22}$' },
  color: { pattern: '^\\s*#[0-9A-Fa-f]{6}\\s*$' },
  'https-url': { pattern: '^\\s*[Hh][Tt][Tt][Pp][Ss]:' },
  'shown-name': {},
  'noted-object': { pattern: '^(txn|cus)_[0-9A-Z]{26}$' },
  'ticket-object': { pattern: '^(txn|trf|dlv|wdr)_[0-9A-Z]{26}$' },
  'crypto-amount': { pattern: '^(0|[1-9][0-9]{0,8})(\\.[0-9]{1,6})?$' },
  'pix-key': {
    pattern:
      '^\\s*([^@\\s]+@[^@\\s]+|[+]\\W*([0-9]\\W*){8,15}|[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}|\\W*(([0-9]\\W*){11}|([0-9A-Za-z]\\W*){12}([0-9]\\W*){2}))\\s*$',
  },
  network: { pattern: '^\\s*[0-9A-Fa-f.:]+(/[0-9]{1,3})?\\s*$' },
}
