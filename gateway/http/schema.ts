import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js'
import Type, { type Static, type TSchema } from 'typebox'
import { readDate, readDuration, readInstant } from '../../engine/calendar.ts'
import { readDocument, readEmail, readPhone } from '../../engine/documents.ts'
import { brands } from '../../engine/methods/card/fees.ts'
import type { FieldError, FieldErrorCode } from './problem.ts'

/**
 * Checks a value against a schema and names every field that fails, all at once. The same schema is the one in the
 * OpenAPI document, so what is documented is what is checked.
 */
export type Check = (value: unknown) => readonly FieldError[]

export const compile = (schema: TSchema, prefix = ''): Check => {
  const validate: ValidateFunction = ajv.compile(schema)
  return (value) => (validate(value) ? [] : fieldErrors(validate.errors ?? [], prefix))
}

/** Text of 1 to `max` characters, counted as Unicode code points after trimming, without control characters. */
export const text = (
  max: number,
  description: string,
  options: { readonly multiline?: true; readonly min?: number } = {},
) =>
  Type.String({
    minLength: options.min ?? 1,
    maxLength: max,
    format: options.multiline ? 'multiline-text' : 'text',
    description,
  })

/** A charge's amount: a whole number of centavos, as a number or as digits. */
export const amount = (max: number, description: string, { min = 1 }: { readonly min?: 0 | 1 } = {}) =>
  Type.Unsafe<number | string>({
    type: ['integer', 'string'],
    minimum: min,
    maximum: max,
    pattern: `^${min === 0 ? '(0|' : ''}[1-9][0-9]{0,${String(max).length - 1}}${min === 0 ? ')' : ''}$`,
    description: `${description} In centavos: an integer, or its digits in a string.`,
    examples: [1990],
  })

/** At most 50 keys of at most 40 characters; values are texts of at most 500, finite numbers, or booleans. */
export const metadata = Type.Unsafe<Record<string, string | number | boolean>>({
  type: 'object',
  maxProperties: 50,
  propertyNames: { type: 'string', minLength: 1, maxLength: 40 },
  additionalProperties: { type: ['string', 'number', 'boolean'], maxLength: 500 },
  description: 'Your own key/value pairs. In Sandbox, `sandboxScenario` forces an outcome.',
})

export const customer = Type.Object(
  {
    name: text(120, 'Name of the person or company.'),
    document: Type.Optional(
      Type.String({ format: 'cpf-cnpj', description: 'CPF or CNPJ, with or without punctuation.' }),
    ),
    email: Type.Optional(Type.String({ format: 'e-mail', description: 'At most 254 characters.' })),
    phone: Type.Optional(Type.String({ format: 'phone', description: 'With area code, 10 to 13 digits.' })),
  },
  { description: 'The payer.' },
)

/** One of a closed set of words. */
export const word = <const Words extends readonly string[]>(...values: Words) =>
  Type.Unsafe<Words[number]>({ type: 'string', enum: [...values] })

/** The same, or null: what a merchant takes away again. */
export const orNull = <Schema extends TSchema>(schema: Schema) => {
  const { type } = schema as unknown as { readonly type: string | readonly string[] }
  return Type.Unsafe<Static<Schema> | null>({ ...schema, type: [type, 'null'].flat() })
}

const ajv = new Ajv2020({
  allErrors: true,
  allowUnionTypes: true,
  strict: true,
  messages: true,
  // An error says what its limit was.
  verbose: true,
  useDefaults: false,
  // What only takes time at every start: the schemas are ours, and what is generated runs as fast without.
  validateSchema: false,
  code: { optimize: false },
})

// Lengths are counted after trimming, in code points (decisions, section 7); JSON Schema counts them before.
ajv.removeKeyword('minLength')
ajv.removeKeyword('maxLength')
const addLength = (keyword: string, validate: (limit: number, value: string) => boolean) =>
  ajv.addKeyword({ keyword, type: 'string', schemaType: 'number', validate })
addLength('minLength', (min, value) => [...value.trim()].length >= min)
addLength('maxLength', (max, value) => value.length <= max || [...value.trim()].length <= max)
ajv.addFormat('text', (value: string) => !/[\u0000-\u001f\u007f-\u009f]/.test(value))
ajv.addFormat('multiline-text', (value: string) => !/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/.test(value))
ajv.addFormat('cpf-cnpj', (value: string) => readDocument(value) !== null)
ajv.addFormat('e-mail', (value: string) => readEmail(value) !== null)
ajv.addFormat('phone', (value: string) => readPhone(value) !== null)
ajv.addFormat('date', (value: string) => readDate(value) !== null)
ajv.addFormat('date-time', (value: string) => readInstant(value) !== null)
ajv.addFormat('date-or-date-time', (value: string) => readDate(value) !== null || readInstant(value) !== null)
ajv.addFormat('card-brand', (value: string) => brands.some((brand) => brand === value.toUpperCase()))
ajv.addFormat('coupon-code', (value: string) => /^[A-Za-z0-9_-]+$/.test(value.trim()))
ajv.addFormat('last4', /^\d{4}$/)
ajv.addFormat('bin', /^(\d{6}|\d{8})$/)
ajv.addFormat('bank-code', /^\d{3}$/)
ajv.addFormat('bank-branch', /^\d{1,5}(-[\dX])?$/)
ajv.addFormat('bank-account', /^\d{1,13}(-[\dX])?$/)
ajv.addFormat('uri', true)
ajv.addFormat('duration', (value: string) => readDuration(value) !== null)

const fieldErrors = (errors: readonly ErrorObject[], prefix: string): readonly FieldError[] => {
  const byField = new Map<string, FieldError>()
  for (const error of errors) {
    // Says only that a name inside is wrong; the name's own error says which.
    if (error.keyword === 'propertyNames') continue
    const field = prefix + fieldOf(error)
    if (!byField.has(field))
      byField.set(field, { field, code: codeOf(error), message: messageOf(error, field) })
  }
  return [...byField.values()]
}

/** `/items/1/percentBps` becomes `items[1].percentBps`. */
const fieldOf = (error: ErrorObject): string => {
  const path = error.instancePath.split('/').slice(1).map(unescapePointer)
  if (error.keyword === 'required') path.push(String(error.params.missingProperty))
  if (error.propertyName !== undefined) path.push(error.propertyName)
  return path.reduce((field, part) => {
    if (/^\d+$/.test(part)) return `${field}[${part}]`
    return field === '' ? part : `${field}.${part}`
  }, '')
}

const unescapePointer = (part: string): string => part.replaceAll('~1', '/').replaceAll('~0', '~')

const codeOf = (error: ErrorObject): FieldErrorCode => {
  switch (error.keyword) {
    case 'required':
      return 'REQUIRED'
    case 'type':
      return 'INVALID_TYPE'
    case 'format':
      return error.params.format === 'cpf-cnpj' ? 'CHECK_DIGIT' : 'INVALID_FORMAT'
    case 'pattern':
      return 'INVALID_FORMAT'
    case 'minimum':
    case 'maximum':
      return 'OUT_OF_RANGE'
    case 'minLength':
      return 'TOO_SHORT'
    case 'maxLength':
      return 'TOO_LONG'
    case 'uniqueItems':
      return 'DUPLICATE'
    case 'maxItems':
    case 'maxProperties':
      return 'TOO_MANY'
    default:
      return 'INVALID_VALUE'
  }
}

const messageOf = (error: ErrorObject, field: string): string => {
  if (error.keyword === 'required') return `${field} is required`
  if (error.keyword === 'format')
    return `${field} ${formatMessages[error.params.format as string] ?? 'has a wrong format'}`
  if (error.keyword === 'minLength') return `${field} must have at least ${String(error.schema)} characters`
  if (error.keyword === 'maxLength') return `${field} must have at most ${String(error.schema)} characters`
  if (error.keyword === 'enum')
    return `${field} must be one of ${(error.params.allowedValues as string[]).join(', ')}`
  if (error.keyword === 'pattern')
    return `${field} must be an integer number of centavos, without sign or leading zeros`
  return `${field} ${error.message ?? 'is not valid'}`
}

const formatMessages: Readonly<Record<string, string>> = {
  text: 'must not contain control characters',
  'multiline-text': 'must not contain control characters other than tab and new line',
  'cpf-cnpj': 'must be a CPF or CNPJ with right check digits',
  'e-mail': 'must be an e-mail address',
  'card-brand': `must be one of ${brands.join(', ')}`,
  'coupon-code': 'must have only letters without accents, digits, _ and -',
  last4: 'must be the last four digits of the card',
  bin: 'must be the first six or eight digits of the card',
  phone: 'must be a telephone number with area code, 10 to 13 digits',
  'bank-code': 'must be three digits',
  'bank-branch': 'must be one to five digits, with a check digit after a dash where there is one',
  'bank-account': 'must be one to 13 digits, with a check digit after a dash where there is one',
  date: 'must be a date (YYYY-MM-DD)',
  'date-time': 'must be an ISO 8601 date-time with Z or an offset',
  duration: 'must be an ISO 8601 duration, as P1M or PT2H',
  'date-or-date-time': 'must be a date (YYYY-MM-DD) or an ISO 8601 date-time with Z or an offset',
}

/** The fields of a body that its schema does not know, as `customer.nickname`: ignored, and named in a header. */
export const unknownFields = (schema: TSchema, value: unknown, prefix = ''): string[] => {
  const properties = (schema as { properties?: Record<string, TSchema> }).properties
  if (properties === undefined || typeof value !== 'object' || value === null) return []
  const unknown: string[] = []
  for (const [name, member] of Object.entries(value)) {
    const known = Object.hasOwn(properties, name) ? properties[name] : undefined
    if (known === undefined) unknown.push(prefix + name)
    else if (Array.isArray(member)) unknown.push(...unknownInItems(known, member, prefix + name))
    else if (typeof member === 'object') unknown.push(...unknownFields(known, member, `${prefix}${name}.`))
  }
  return unknown
}

const unknownInItems = (schema: TSchema, members: readonly unknown[], name: string): string[] => {
  const { items } = schema as { items?: TSchema }
  return items === undefined
    ? []
    : members.flatMap((member, n) => unknownFields(items, member, `${name}[${n}].`))
}
