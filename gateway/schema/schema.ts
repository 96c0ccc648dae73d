// The schemas of requests: their building blocks, and the checks compiled from them, whose errors name the field,
// a code and the whole requirement. The OpenAPI document shows the same schemas.
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js'
import Type, { type Static, type TSchema } from 'typebox'
import { bareDocument, hasDocumentForm } from '../../engine/shared/documents.ts'
import { bounds } from '../base/bounds.ts'
import { type Format, formats } from '../base/formats.ts'
import type { Messages, Text } from '../problems/messages/text.ts'
import type { FieldError, FieldErrorCode } from '../problems/problem.ts'
import { named } from './named-schema.ts'

/**
 * Checks a value against a schema and reports every field that fails, all at once. The OpenAPI document contains the same schema,
 * so what is documented is what is checked.
 */
export type Check = (value: unknown) => readonly FieldError[]

/** Compiles the check of a body. Errors name fields by their place, as in `items[1].percentBps`. */
export const compile = (schema: TSchema): Check => checkBy(schema, fieldOf)

/** Compiles the check of a query. Errors name the parameter alone: the author of `status=x` wrote no list. */
export const compileQuery = (schema: TSchema): Check =>
  checkBy(schema, (error) => `query.${pathOf(error)[0] ?? ''}`)

const checkBy = (schema: TSchema, nameOf: (error: ErrorObject) => string): Check => {
  const validate: ValidateFunction = ajv.compile(schema)
  return (value) => (validate(value) ? [] : fieldErrors(validate.errors ?? [], nameOf))
}

/** The format that marks amounts. */
const centavos = 'centavos'

/** Text of 1 to `max` characters, counted as Unicode code points after trimming, without control characters. */
export const textUpTo = (
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

/** The amount of a charge: a whole number of centavos, as a number or as digits. */
export const amount = (max: number, description: string, { min = 1 }: { readonly min?: 0 | 1 } = {}) =>
  Type.Unsafe<number | string>({
    type: ['integer', 'string'],
    minimum: min,
    maximum: max,
    pattern: `^${min === 0 ? '(0|' : ''}[1-9][0-9]{0,${String(max).length - 1}}${min === 0 ? ')' : ''}$`,
    format: centavos,
    description: `${description} In centavos: an integer, or its digits in a string.`,
    examples: [1990],
  })

/** A whole number within bounds. */
export const wholeNumber = (min: number, max: number, description: string) =>
  Type.Integer({ minimum: min, maximum: max, description })

/** An amount in a query, where everything is text: digits only. */
export const amountParameter = (
  description: string,
  { min = 0, max }: { readonly min?: 0 | 1; readonly max: number },
) =>
  Type.Integer({ minimum: min, maximum: max, format: centavos, description: `${description} In centavos.` })

/** An id in a body or query. Only its length is checked, because it is looked up anyway. */
export const idParameter = (description: string) =>
  Type.String({ minLength: 1, maxLength: bounds.idCharsMax, format: 'text', description })

/** Filters a list by some of a closed set of words. */
export const oneOrMore = <Word extends TSchema>(item: Word) =>
  Type.Optional(Type.Array(item, { description: 'One or more, separated by commas.' }))

/** A search text for a list: part of one of several fields. */
export const searchParameter = (description: string) =>
  Type.Optional(
    Type.String({ minLength: bounds.searchCharsMin, maxLength: bounds.searchCharsMax, description }),
  )

/** Filters a list by some ids of a field. */
export const idsParameter = (description: string) =>
  severalOf(
    Type.String({ minLength: 1, maxLength: bounds.idCharsMax }),
    `${description} Repeat it, or separate ids by commas,`,
  )

/** Filters a list by some whole values of a field, which may have commas. */
export const exactTextsParameter = (max: number, description: string) =>
  severalOf(Type.String({ minLength: 1, maxLength: max, format: 'text' }), `${description} Repeat it`)

const severalOf = <Item extends TSchema>(item: Item, description: string) =>
  Type.Optional(
    Type.Array(item, {
      maxItems: bounds.filteredValuesMax,
      description: `${description} for any of up to ${bounds.filteredValuesMax}.`,
    }),
  )

/** Filters a list by the whole value of a field. */
export const exactParameter = (max: number, description: string) =>
  Type.Optional(Type.String({ minLength: 1, maxLength: max, description }))

/** Keys with texts, finite numbers or booleans as values. */
export const metadata = named(
  'Metadata',
  Type.Unsafe<Record<string, string | number | boolean>>({
    type: 'object',
    maxProperties: bounds.metadataKeysMax,
    propertyNames: { type: 'string', minLength: 1, maxLength: bounds.metadataKeyCharsMax, format: 'text' },
    additionalProperties: {
      type: ['string', 'number', 'boolean'],
      maxLength: bounds.metadataTextCharsMax,
      format: 'text',
    },
    description: 'Your own key/value pairs. In Sandbox, `sandboxScenario` forces an outcome.',
  }),
)

export const documentField = Type.String({
  format: 'cpf-cnpj',
  description: 'CPF or CNPJ, with or without punctuation.',
})

/** One of a closed set of words. */
export const choice = <const Words extends readonly string[]>(...values: Words) =>
  Type.Unsafe<Words[number]>({ type: 'string', enum: [...values] })

/** The same schema or null, with which a merchant removes a value. */
export const orNull = <Schema extends TSchema>(schema: Schema) => {
  const { type } = schema as unknown as { readonly type: string | readonly string[] }
  return Type.Unsafe<Static<Schema> | null>({ ...schema, type: [type, 'null'].flat() })
}

const ajv = new Ajv2020({
  allErrors: true,
  allowUnionTypes: true,
  strict: true,
  messages: false,
  // An error needs the limit that was exceeded.
  verbose: true,
  useDefaults: false,
  // Saves time at every start: the schemas are ours, and the generated checks are as fast without it.
  validateSchema: false,
  code: { optimize: false },
})

// Lengths are counted after trimming, in code points (decisions, section 7); JSON Schema counts before.
ajv.removeKeyword('minLength')
ajv.removeKeyword('maxLength')
const addLength = (keyword: string, validate: (limit: number, value: string) => boolean) =>
  ajv.addKeyword({ keyword, type: 'string', schemaType: 'number', validate })
// A code point takes one or two units, so most texts need not be taken apart.
addLength('minLength', (min, value) => {
  const { length } = value.trim()
  return length >= min && (min <= 1 || length >= 2 * min || [...value.trim()].length >= min)
})
addLength('maxLength', (max, value) => value.length <= max || [...value.trim()].length <= max)
for (const [name, isFit] of Object.entries(formats)) ajv.addFormat(name, isFit)
// Type, bounds and pattern check an amount; its format only selects the wording.
ajv.addFormat(centavos, true)

const fieldErrors = (
  errors: readonly ErrorObject[],
  nameOf: (error: ErrorObject) => string,
): readonly FieldError[] => {
  const byField = new Map<string, FieldError>()
  for (const error of errors) {
    // This only says that some name inside is wrong; the name's own error says which.
    if (error.keyword === 'propertyNames') continue
    const field = nameOf(error)
    if (!byField.has(field))
      byField.set(field, { field, code: codeOf(error), message: messageOf(error, field) })
  }
  return [...byField.values()]
}

/** `/items/1/percentBps` becomes `items[1].percentBps`. */
const fieldOf = (error: ErrorObject): string =>
  pathOf(error).reduce((field, part) => {
    if (/^\d+$/.test(part)) return `${field}[${part}]`
    return field === '' ? part : `${field}.${part}`
  }, '')

const pathOf = ({ instancePath, keyword, params, propertyName }: ErrorObject): readonly string[] => {
  const path = instancePath.split('/').slice(1).map(unescapePointer)
  if (keyword === 'required') path.push(String(params.missingProperty))
  if (propertyName !== undefined) path.push(propertyName)
  return path
}

const unescapePointer = (part: string): string => part.replaceAll('~1', '/').replaceAll('~0', '~')

const codeOf = ({ keyword, params, parentSchema, data }: ErrorObject): FieldErrorCode => {
  if ((parentSchema as Wanting).format === centavos) return codeOfAmount(data)
  switch (keyword) {
    case 'required':
      return 'REQUIRED'
    case 'type':
      return 'INVALID_TYPE'
    case 'format':
      if (params.format === documentFormat && hasDocumentForm(data as string)) return 'CHECK_DIGIT'
      // A brand is one of a closed list, in any letter case.
      return params.format === 'card-brand' ? 'INVALID_VALUE' : 'INVALID_FORMAT'
    case 'pattern':
      return 'INVALID_FORMAT'
    case 'minimum':
    case 'maximum':
      return 'OUT_OF_RANGE'
    case 'minLength':
    case 'minItems':
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

/** The same code for 19.9 and "19,90", whichever keyword failed. */
const codeOfAmount = (value: unknown): FieldErrorCode => {
  if (typeof value !== 'number' && typeof value !== 'string') return 'INVALID_TYPE'
  return /^(0|[1-9][0-9]*)$/.test(String(value)) ? 'OUT_OF_RANGE' : 'INVALID_FORMAT'
}

/** The message names the whole requirement, whichever part of it failed. */
const messageOf = (
  { keyword, schema, parentSchema, propertyName, data }: ErrorObject,
  field: string,
): Text => {
  switch (keyword) {
    case 'required':
      return (say) => say.required(field)
    case 'uniqueItems':
      return (say) => say.noItemTwice(field)
    case 'maxProperties':
      return (say) => say.atMostKeys(field, schema as number)
    default: {
      const wanting = parentSchema as Wanting
      if (wanting.format === documentFormat) return documentMessage(data, field)
      if (propertyName !== undefined) return (say) => say.key(field, wantedBy(wanting, say))
      return (say) => say.mustBe(field, wantedBy(wanting, say))
    }
  }
}

/** Three mistakes with documents, each with its own remedy: a number loses zeros, a wrong length is often another field, a typing error. */
const documentMessage = (value: unknown, field: string): Text => {
  if (typeof value !== 'string') return (say) => say.documentAsText(field)
  return hasDocumentForm(value)
    ? (say) => say.documentCheckDigits(field)
    : (say) => say.documentForm(field, bareDocument(value).length)
}

const documentFormat = 'cpf-cnpj'

/** The requirements of a schema, as far as schemas of requests express them. */
export type Wanting = {
  readonly type?: string | readonly string[]
  readonly enum?: readonly unknown[]
  readonly format?: string
  readonly minimum?: number
  readonly maximum?: number
  readonly minLength?: number
  readonly maxLength?: number
  readonly minItems?: number
  readonly maxItems?: number
}

/** The requirements as a phrase after "must be". */
export const wantedBy = (schema: Wanting, { wanted }: Messages): string => {
  const types = [schema.type ?? []].flat()
  if (schema.enum !== undefined)
    return orNull(wanted.oneOf(schema.enum.filter((item) => item !== null).map(String)))
  if (schema.format === centavos) return orNull(wanted.centavos(schema.minimum!, schema.maximum!))
  return wanted.or(types.map(nounOf))

  function orNull(text: string): string {
    return types.includes('null') ? wanted.or([text, wanted.null]) : text
  }

  function nounOf(type: string): string {
    switch (type) {
      case 'integer':
        return wanted.wholeNumber(schema.minimum ?? null, schema.maximum ?? null)
      case 'number':
        return wanted.number
      case 'boolean':
        return wanted.boolean
      case 'array':
        return wanted.list(schema.minItems ?? null, schema.maxItems ?? null)
      case 'object':
        return wanted.object
      case 'null':
        return wanted.null
      default: {
        const length = wanted.length(schema.minLength ?? null, schema.maxLength ?? null)
        return schema.format === undefined
          ? wanted.string(length)
          : wanted.formats[schema.format as Format](length)
      }
    }
  }
}
