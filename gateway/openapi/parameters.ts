import type { TSchema } from 'typebox'
import type { Route } from '../api/route.ts'
import { bounds } from '../base/bounds.ts'
import { minimalMembers } from '../schema/minimal.ts'
import { isSeparated } from '../schema/parameters.ts'
import type { Components } from './components.ts'
import type { RecordedExchange } from './examples.ts'
import { idTexts } from './texts.ts'

/** The parameters of an operation, with the values of its example. */
export const parametersOf = (
  route: Route,
  publish: Components['publish'],
  example: RecordedExchange | undefined,
): object[] => {
  const parameters: object[] = []
  const [place, rest] = route.path.split('/:id')
  if (rest !== undefined) {
    parameters.push({
      name: 'id',
      in: 'path',
      required: true,
      description: idTexts[place!],
      schema: { type: 'string' },
      ...(example?.id && { example: example.id }),
    })
  }
  const required: readonly string[] = route.query?.required ?? []
  for (const [name, schema] of Object.entries((route.query?.properties ?? {}) as Record<string, TSchema>)) {
    const { description, ...published } = publish(schema)
    const isList = published.type === 'array'
    const value = example?.query?.[name]
    parameters.push({
      name,
      in: 'query',
      required: required.includes(name),
      description,
      schema: published,
      ...(isList && { style: 'form', explode: !isSeparated(schema as object) }),
      ...(value !== undefined && { example: isList ? value.split(',') : typed(value, published) }),
    })
  }
  if (route.idempotent) parameters.push({ ...idempotencyKey, example: `${kebab(route.operationId)}-1` })
  if (route.status === 201) parameters.push({ $ref: '#/components/parameters/Prefer' })
  return parameters
}

const typed = (value: string, { type }: { readonly type?: unknown }): unknown =>
  type === 'integer' ? Number(value) : value

/** `createPixCharge` becomes `create-pix-charge`. */
const kebab = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)

/** Written out at each operation, with a value of its own there: one value for all would be refused at the second operation. */
const idempotencyKey = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'Stands for this effect for 24 hours, as `order-1001-attempt-1`: the same request again answers the same, and does nothing.',
  schema: { type: 'string', minLength: 1, maxLength: bounds.idempotencyKeyCharsMax },
}

/** Without an `enum`: tools send the only value of one by themselves, and then show an answer that is not what they asked for. */
export const prefer = {
  name: 'Prefer',
  in: 'header',
  required: false,
  description: `\`return=minimal\` (RFC 7240): the answer holds only what names the new object, what its payer needs and what is shown this once, at its top level and as far as the whole answer has it: ${minimalMembers.map((name) => `\`${name}\``).join(', ')}.`,
  schema: { type: 'string' },
}

export const headers = {
  RequestId: { description: 'Names this request in the logs of the service.', schema: { type: 'string' } },
  Location: { description: 'Path of what was created.', schema: { type: 'string' } },
  IdempotentReplayed: {
    description: '`true` when this answers an earlier request with the same `Idempotency-Key`.',
    schema: { type: 'string', enum: ['true'] },
  },
  IgnoredFields: {
    description: 'Fields and parameters of the request that are not known, as `nick, query.sorting`.',
    schema: { type: 'string' },
  },
  PreferenceApplied: {
    description: '`return=minimal` when the answer holds only what `Prefer` asked for.',
    schema: { type: 'string', enum: ['return=minimal'] },
  },
  RateLimit: {
    description: 'What is left of the rate limit: `"default";r=987;t=1` is 987 requests in the next second.',
    schema: { type: 'string' },
  },
  RetryAfter: {
    description: 'After how many seconds to send the request again.',
    schema: { type: 'integer' },
  },
}

/** The headers of an operation's answers, as references. */
export const answerHeaders = (route: Route) => ({
  'Request-Id': { $ref: '#/components/headers/RequestId' },
  RateLimit: { $ref: '#/components/headers/RateLimit' },
  'Service-Ignored-Fields': { $ref: '#/components/headers/IgnoredFields' },
  ...(route.status === 201 && {
    Location: { $ref: '#/components/headers/Location' },
    'Preference-Applied': { $ref: '#/components/headers/PreferenceApplied' },
  }),
  ...(route.idempotent && { 'Idempotent-Replayed': { $ref: '#/components/headers/IdempotentReplayed' } }),
})
