import t from 'tap'
import Type, { type TSchema } from 'typebox'
import { formats } from '../../../gateway/base/formats.ts'
import { messages } from '../../../gateway/problems/messages/messages.ts'
import { routes } from '../../../gateway/routes/index.ts'
import { dropNothings } from '../../../gateway/schema/body-fields.ts'
import {
  amount,
  amountParameter,
  compile,
  compileQuery,
  documentField,
  metadata,
  orNull,
  wantedBy,
} from '../../../gateway/schema/schema.ts'

/** What is said of a value in English: `field CODE message`. */
const saidOf = (schema: TSchema, value: unknown): string[] =>
  compile(schema)(value).map(({ field, code, message }) => `${field} ${code} ${message(messages.en)}`)

const body = (fields: Record<string, TSchema>) => Type.Object(fields)

t.test('every wrong amount gets the same message, which shows it done right', async (t) => {
  const schema = body({ amount: amount(999_999_999_999, 'x') })
  const message =
    'amount must be a whole number of centavos from 1 to 999999999999, without separators or leading zeros: send 1990 or "1990" for R$ 19.90'
  const wrong: readonly [unknown, string][] = [
    [19.9, 'INVALID_FORMAT'],
    ['19,90', 'INVALID_FORMAT'],
    ['19.90', 'INVALID_FORMAT'],
    ['1.990', 'INVALID_FORMAT'],
    ['+1', 'INVALID_FORMAT'],
    ['01', 'INVALID_FORMAT'],
    ['1e3', 'INVALID_FORMAT'],
    [' 1', 'INVALID_FORMAT'],
    [-1, 'INVALID_FORMAT'],
    ['', 'INVALID_FORMAT'],
    [0, 'OUT_OF_RANGE'],
    ['0', 'OUT_OF_RANGE'],
    [1_000_000_000_000, 'OUT_OF_RANGE'],
    ['1000000000000', 'OUT_OF_RANGE'],
    [true, 'INVALID_TYPE'],
    [null, 'INVALID_TYPE'],
    [{}, 'INVALID_TYPE'],
    [[1], 'INVALID_TYPE'],
  ]
  for (const [value, code] of wrong)
    t.strictSame(saidOf(schema, { amount: value }), [`amount ${code} ${message}`], JSON.stringify(value))
  for (const value of [1, '1', 1990, '1990', 999_999_999_999, '999999999999'])
    t.strictSame(saidOf(schema, { amount: value }), [], String(value))
  const [error] = compile(schema)({ amount: 19.9 })
  t.equal(
    error!.message(messages.pt),
    'amount deve ser um número inteiro de centavos de 1 a 999999999999, sem separadores nem zeros à esquerda: envie 1990 ou "1990" para R$ 19,90',
  )
  const [inQuery] = compileQuery(body({ minAmount: amountParameter('x', { max: 10 }) }))({
    minAmount: '19,90',
  })
  t.match(inQuery, { field: 'query.minAmount', code: 'INVALID_FORMAT' })
  t.match(inQuery!.message(messages.en), /^query.minAmount must be a whole number of centavos from 0 to 10,/)
})

t.test('a message says all of what is wanted, whichever part of it is not met', async (t) => {
  const count = Type.Integer({ minimum: 1, maximum: 12 })
  for (const value of [0, 13, 1.5, '3', null])
    t.match(saidOf(body({ count }), { count: value }), [/must be a whole number from 1 to 12$/])
  const name = Type.String({ minLength: 1, maxLength: 40, format: 'text' })
  for (const value of ['', ' ', 'x'.repeat(41), 'a\u0007b', 5])
    t.match(saidOf(body({ name }), { name: value }), [
      /must be a text of 1 to 40 characters without control characters$/,
    ])
  const status = Type.Unsafe<string>({ type: 'string', enum: ['OPEN', 'PAID'] })
  for (const value of ['open', 5, null])
    t.match(saidOf(body({ status }), { status: value }), [/must be one of OPEN, PAID$/])
  const maybe = Type.Unsafe<unknown>({ type: ['integer', 'null'], minimum: 1, maximum: 9 })
  t.match(saidOf(body({ maybe }), { maybe: 'x' }), [/must be a whole number from 1 to 9 or null$/])
  const list = Type.Array(status, { minItems: 1, maxItems: 3, uniqueItems: true })
  t.match(saidOf(body({ list }), { list: [] }), [/^list TOO_SHORT list must be a list of 1 to 3 items$/])
  t.match(saidOf(body({ list }), { list: ['OPEN', 'OPEN'] }), [
    /^list DUPLICATE list must not contain the same item twice$/,
  ])
  t.match(saidOf(body({ list }), { list: ['OPEN', 'x'] }), [
    /^list\[1\] INVALID_VALUE list\[1\] must be one of OPEN, PAID$/,
  ])
  t.match(saidOf(body({ name }), {}), [/^name REQUIRED name is required$/])
})

t.test('metadata has neither control characters nor nested values', async (t) => {
  const schema = body({ metadata })
  const refused = (value: unknown) => saidOf(schema, { metadata: value })
  for (const value of ['a\u0000', 'a\u0007b', '\n', 'a\tb', '\u007f', '\u0085', '\u009f']) {
    t.match(refused({ note: value }), [/^metadata.note INVALID_FORMAT /], JSON.stringify(value))
    t.match(
      refused({ [value]: 'x' }),
      [/has a name that is not a text of 1 to 40 characters without control characters$/],
      JSON.stringify(value),
    )
  }
  for (const value of [null, {}, []])
    t.match(refused({ note: value }), [
      /^metadata.note INVALID_TYPE metadata.note must be a text of at most 500 characters without control characters, a number or true or false$/,
    ])
  t.strictSame(
    refused({ text: 'ação €🦜', number: -1.5, yes: true, '': 'x' }).length,
    1,
    'only the empty name',
  )
  t.strictSame(refused({ text: 'ação €🦜', number: -1.5, yes: true }), [])
})

t.test('a query names its parameters, not places in lists', async (t) => {
  const status = Type.Array(Type.Unsafe<string>({ type: 'string', enum: ['OPEN', 'PAID'] }))
  const errors = compileQuery(body({ status }))({ status: ['OPEN', 'x', 'y'] })
  t.match(errors, [{ field: 'query.status', code: 'INVALID_VALUE' }])
  t.equal(errors.length, 1)
  t.equal(errors[0]!.message(messages.en), 'query.status must be one of OPEN, PAID')
})

type Node = { readonly [keyword: string]: unknown }

/** Every schema of a request, with where it stands. */
const nodesOf = (schema: Node, path: string): readonly (readonly [string, Node])[] => [
  [path, schema],
  ...Object.entries((schema.properties ?? {}) as Record<string, Node>).flatMap(([name, member]) =>
    nodesOf(member, `${path}.${name}`),
  ),
  ...['items', 'additionalProperties', 'propertyNames'].flatMap((keyword) =>
    typeof schema[keyword] === 'object' ? nodesOf(schema[keyword] as Node, `${path}[${keyword}]`) : [],
  ),
]

const nodes = routes.flatMap((route) =>
  [route.body, route.query].flatMap((schema) =>
    schema === null ? [] : nodesOf(schema as unknown as Node, `${route.verb} ${route.path}`),
  ),
)

t.test('every schema of a request uses only keywords for which there are words', async (t) => {
  const worded = new Set([
    ...['type', 'enum', 'format', 'minimum', 'maximum', 'minLength', 'maxLength', 'minItems', 'maxItems'],
    ...[
      'properties',
      'required',
      'items',
      'uniqueItems',
      'maxProperties',
      'propertyNames',
      'additionalProperties',
    ],
    ...['title', 'description', 'examples', 'pattern'],
  ])
  t.ok(nodes.length > 300)
  for (const [path, schema] of nodes) {
    t.strictSame(
      Object.keys(schema).filter((keyword) => !worded.has(keyword)),
      [],
      path,
    )
    t.ok(schema.pattern === undefined || schema.format === 'centavos', `${path}: a pattern is no message`)
    const isKnown =
      schema.format === undefined ||
      schema.format === 'centavos' ||
      Object.hasOwn(formats, schema.format as string)
    t.ok(isKnown, `${path}: ${schema.format}`)
    const said = [messages.en, messages.pt].map((say) => wantedBy(schema, say))
    for (const text of said) t.match(text, /^[^\s].*[^\s]$/, path)
    t.notMatch(said.join(), /undefined|NaN/, path)
  }
})

t.test('no text of a request can have control characters, wherever it stands', async (t) => {
  const open = nodes.filter(([, schema]) => {
    const isText = [schema.type].flat().includes('string')
    return isText && schema.enum === undefined && schema.format === undefined
  })
  // A query is read without them, whatever its parameters are.
  const inBodies = open.filter(([path]) => !path.startsWith('GET '))
  t.strictSame(
    inBodies.map(([path]) => path),
    [],
  )
})

t.test('a document has three mistakes, each with a message of its own', async (t) => {
  const schema = body({ document: documentField })
  const saidOfDocument = (document: unknown) => saidOf(schema, { document })
  for (const value of [52998224725, true, null, {}])
    t.match(saidOfDocument(value), [
      /^document INVALID_TYPE document must be a string, such as "01234567890"/,
    ])
  for (const value of ['', '529.982.247-2', '52998224725 5', 'não tem', '12ABC34501DEXX'])
    t.match(saidOfDocument(value), [
      /^document INVALID_FORMAT document must be a CPF of 11 digits, or a CNPJ of 14/,
    ])
  t.match(saidOfDocument('529.982.247-2'), [/this has 10 without punctuation$/])
  for (const value of ['529.982.247-26', '11111111111', '12ABC34501DE36'])
    t.match(saidOfDocument(value), [/^document CHECK_DIGIT document must have correct check digits/])
  t.strictSame(saidOfDocument('529.982.247‑25'), [])
  const maybe = body({ document: orNull(documentField) })
  t.match(saidOf(maybe, { document: 52998224725 }), [/must be a string/])
  t.strictSame(saidOf(maybe, { document: null }), [])
})

t.test('null and an empty list are nothing where nothing may be', async (t) => {
  const inner = Type.Object({ name: Type.String(), email: Type.Optional(Type.String()) })
  const schema = Type.Object({
    amount: Type.Integer(),
    reason: Type.Optional(Type.String()),
    cleared: Type.Optional(orNull(Type.String())),
    metadata: Type.Optional(metadata),
    customer: Type.Optional(inner),
    items: Type.Optional(Type.Array(inner)),
  })
  const left = (value: object): object => {
    dropNothings(schema, value)
    return value
  }
  t.strictSame(left({ amount: 1, reason: null, metadata: null, customer: null, items: null }), { amount: 1 })
  t.strictSame(
    left({ amount: null, cleared: null }),
    { amount: null, cleared: null },
    'what is wanted, or cleared',
  )
  t.strictSame(left({ metadata: [], items: [] }), { metadata: {}, items: [] })
  t.strictSame(left({ metadata: [1] }), { metadata: [1] }, 'a list with items is no map')
  t.strictSame(left({ metadata: { a: null } }), { metadata: { a: null } }, 'a value of a map is none')
  t.strictSame(left({ customer: { name: null, email: null } }), { customer: { name: null } })
  t.strictSame(left({ items: [{ name: 'x', email: null }, null] }), { items: [{ name: 'x' }, null] })
  t.strictSame(left({ unknown: null }), { unknown: null }, 'and is named as ignored')
  t.strictSame(left({ customer: [] }), { customer: {} })
})
