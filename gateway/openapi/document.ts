import type { TSchema } from 'typebox'
import { type Factor, type Route, takesKeys } from '../api/route.ts'
import { limits } from '../base/limits.ts'
import { minimalMembers } from '../schema/minimal.ts'
import { type Components, newComponents } from './components.ts'
import { type Examples, type RecordedExchange, readExamples } from './examples.ts'
import {
  fieldErrorSchema,
  problemCodeSchema,
  problemSchema,
  refusalResponses,
  refusalsOf,
} from './refusals.ts'
import { idTexts, introduction, tagGroups, tags } from './texts.ts'
import { webhookParameters, webhooksOf } from './webhooks.ts'

/** The OpenAPI 3.1 document, generated from the routes and schemas that serve requests, so that it cannot deviate from them. */
export const openApiDocument = (
  routes: readonly Route[],
  version: string,
  examples: Examples = readExamples(),
): string => {
  const components = newComponents()
  const paths: Record<string, Record<string, unknown>> = {}
  for (const route of routes) {
    const path = route.path.replaceAll(/:(\w+)/g, '{$1}')
    paths[path] ??= {}
    paths[path][route.verb.toLowerCase()] = operation(
      route,
      components,
      examples.operations[route.operationId] ?? [],
    )
  }
  const webhooks = webhooksOf(components)
  return JSON.stringify({
    openapi: '3.1.0',
    info: {
      title: 'Payments API',
      version,
      summary: 'PIX, boletos and tokenized cards for a company account.',
      description: introduction,
      license: { name: 'Proprietary', identifier: 'LicenseRef-Proprietary' },
    },
    servers: [{ url: '/', description: 'This service. The key decides the environment.' }],
    security: [...byKey, bySession],
    tags,
    'x-tagGroups': tagGroups,
    paths,
    webhooks,
    components: {
      securitySchemes: {
        bearer: {
          type: 'http',
          scheme: 'bearer',
          description: 'The API key: `svc_test_…` or `svc_live_…`.',
        },
        basic: {
          type: 'http',
          scheme: 'basic',
          description: 'User: the `clientId` of the key. Password: the key.',
        },
        session: {
          type: 'apiKey',
          in: 'cookie',
          name: '__Host-sid',
          description:
            'The session of a person at the dashboard, with the headers `Service-Company` and `Service-Environment`, and with `Service-CSRF` for everything but GET.',
        },
      },
      parameters: { IdempotencyKey: idempotencyKey, Prefer: prefer, ...webhookParameters },
      headers,
      responses: refusalResponses(examples.refusals),
      schemas: {
        ...components.schemas(),
        Problem: problemSchema,
        ProblemCode: problemCodeSchema,
        FieldError: fieldErrorSchema,
      },
    },
  })
}

const operation = (
  route: Route,
  { publish, publishAs }: Components,
  examples: readonly RecordedExchange[],
) => {
  const parameters = parametersOf(route, publish, examples[0])
  const bodies = examplesOf(examples, ({ body }) => body)
  const answers = examplesOf(
    examples.filter(({ status }) => status === route.status),
    ({ answer }) => answer,
  )
  return {
    operationId: route.operationId,
    summary: route.summary,
    description: `${route.description}\n\n${neededBy(route)}`,
    tags: [route.tag],
    ...securityOf(route),
    ...(parameters.length > 0 && { parameters }),
    ...(route.body && {
      requestBody: {
        required: route.rules !== null || ((route.body as { required?: string[] }).required ?? []).length > 0,
        content: {
          'application/json': { schema: publishAs(nameOfBody(route), bodyOf(route)), ...bodies },
        },
      },
    }),
    responses: {
      [route.status]: {
        description: doneTexts[route.status],
        headers: answerHeaders(route),
        content:
          route.mediaTypes.length === 0
            ? { 'application/json': { schema: publish(route.answer), ...answers } }
            : Object.fromEntries(
                route.mediaTypes.map((type) => [type, { schema: { type: 'string' }, ...answers }]),
              ),
      },
      ...(route.later !== null && {
        202: {
          description: route.later,
          headers: answerHeaders(route),
          content: { 'application/json': { schema: publish(route.answer) } },
        },
      }),
      ...refusalsOf(route),
    },
  }
}

const doneTexts: Readonly<Record<Route['status'], string>> = {
  200: 'Done.',
  201: 'Created.',
  202: 'Accepted: it goes on.',
}

const byKey = [{ bearer: [] }, { basic: [] }]
const bySession = { session: [] }

/** The document's own security is that of routes which keys may call. */
const securityOf = (route: Route): object => {
  if (route.permission === 'OPEN') return { security: [] }
  return takesKeys(route) ? {} : { security: [bySession] }
}

const neededBy = (route: Route): string => {
  const { permission, factor } = route
  if (permission === 'OPEN') return 'Needs no key.'
  if (permission === 'HALF_SESSION' || permission === 'SELF')
    return 'Needs a session of the dashboard; API keys are refused.'
  if (permission === 'MEMBER')
    return 'Needs a session of the dashboard and a role in the environment; API keys are refused.'
  if (takesKeys(route)) return `Needs the scope \`${permission}\`.`
  return `Needs a session of the dashboard with the permission \`${permission}\`${proofs[factor]}; API keys are refused.`
}

const proofs: Readonly<Record<Factor, string>> = {
  NONE: '',
  SESSION: ' and a second factor of the last five minutes',
  OPERATION: ' and a second factor for this very operation',
}

const nameOfBody = ({ operationId }: Route): string =>
  `${operationId[0]!.toUpperCase()}${operationId.slice(1)}Request`

/** The body's schema, with the rules that the route's `read` checks between fields. */
const bodyOf = ({ body, rules }: Route): object => ({ ...body, ...namingProperties(rules ?? {}) })

/**
 * Rewrites rules for common readers of the document: required properties are listed among the properties, and additional ones are
 * allowed explicitly, because some readers reject properties that a schema does not mention.
 */
const namingProperties = (rules: object): object =>
  JSON.parse(JSON.stringify(rules), (_, value) => {
    const { required, properties } = (value ?? {}) as { required?: unknown; properties?: object }
    if (!Array.isArray(required) && properties === undefined) return value
    const names = Array.isArray(required) ? required : []
    return {
      ...value,
      properties: { ...Object.fromEntries(names.map((name) => [name, {}])), ...properties },
      additionalProperties: true,
    }
  }) as object

const examplesOf = (
  examples: readonly RecordedExchange[],
  partOf: (example: RecordedExchange) => unknown,
): object => {
  const known = examples.filter((example) => partOf(example) !== undefined)
  if (known.length === 0) return {}
  const named = known.map((example) => [
    example.title.replaceAll(/[^A-Za-z0-9]+/g, '-').toLowerCase(),
    { summary: example.title, value: partOf(example) },
  ])
  return { examples: Object.fromEntries(named) }
}

const parametersOf = (
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
      ...(isList && { style: 'form', explode: false }),
      ...(value !== undefined && { example: isList ? value.split(',') : typed(value, published) }),
    })
  }
  if (route.idempotent) parameters.push({ $ref: '#/components/parameters/IdempotencyKey' })
  if (route.status === 201) parameters.push({ $ref: '#/components/parameters/Prefer' })
  return parameters
}

const typed = (value: string, { type }: { readonly type?: unknown }): unknown =>
  type === 'integer' ? Number(value) : value

const idempotencyKey = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'Stands for this effect for 24 hours, as `order-1001-attempt-1`: the same request again answers the same, and does nothing.',
  schema: { type: 'string', minLength: 1, maxLength: limits.idempotencyKeyCharsMax },
}

const prefer = {
  name: 'Prefer',
  in: 'header',
  required: false,
  description: `\`return=minimal\` (RFC 7240): the answer holds only what names the new object, what its payer needs and what is shown this once, at its top level and as far as the whole answer has it: ${minimalMembers.map((name) => `\`${name}\``).join(', ')}.`,
  schema: { type: 'string', enum: ['return=minimal'] },
}

const headers = {
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

const answerHeaders = (route: Route) => ({
  'Request-Id': { $ref: '#/components/headers/RequestId' },
  RateLimit: { $ref: '#/components/headers/RateLimit' },
  'Service-Ignored-Fields': { $ref: '#/components/headers/IgnoredFields' },
  ...(route.status === 201 && {
    Location: { $ref: '#/components/headers/Location' },
    'Preference-Applied': { $ref: '#/components/headers/PreferenceApplied' },
  }),
  ...(route.idempotent && { 'Idempotent-Replayed': { $ref: '#/components/headers/IdempotentReplayed' } }),
})
