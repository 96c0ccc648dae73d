import { type Factor, type Route, takesKeys } from '../api/route.ts'
import type { Language } from '../problems/language.ts'
import { minimalSchemaOf } from '../schema/minimal.ts'
import { type Audience, isAddressedTo, schemesFor } from './audience.ts'
import { type Components, newComponents } from './components.ts'
import { type Examples, type RecordedExchange, readExamples } from './examples.ts'
import { answerHeaders, headers, parametersOf, prefer } from './parameters.ts'
import {
  fieldErrorSchema,
  problemCodeSchema,
  problemSchema,
  refusalResponses,
  refusalsOf,
} from './problem-responses.ts'
import { introduction, summary, tagGroups, tags } from './texts.ts'
import { readPortuguese, translated } from './translate.ts'
import { withoutUnused } from './unused.ts'
import { webhookParameters, webhooksOf, webhookTag } from './webhooks.ts'

/**
 * The OpenAPI 3.1 document for an audience, generated from the routes and schemas that serve requests, so that it cannot deviate
 * from them. Its texts are in English, or what they are in Portuguese; its server is `/`.
 */
export const openApiDocument = (
  routes: readonly Route[],
  version: string,
  {
    audience = 'all',
    language = 'en',
    examples = readExamples(),
  }: { audience?: Audience; language?: Language; examples?: Examples } = {},
): string => {
  const components = newComponents()
  const paths: Record<string, Record<string, unknown>> = {}
  const addressed = routes.filter(isAddressedTo(audience))
  for (const route of addressed) {
    const path = route.path.replaceAll(/:(\w+)/g, '{$1}')
    paths[path] ??= {}
    paths[path][route.verb.toLowerCase()] = operation(
      route,
      components,
      examples.operations[route.operationId] ?? [],
    )
  }
  const webhooks = webhooksOf(components)
  const usedTags = new Set([...addressed.map(({ tag }) => tag), webhookTag])
  const document = {
    openapi: '3.1.0',
    info: {
      title: 'Payments API',
      version,
      summary,
      description: introduction,
      license: { name: 'Proprietary', identifier: 'LicenseRef-Proprietary' },
    },
    servers: [{ url: '/', description: 'This service. The key decides the environment.' }],
    security: audience === 'keys' ? [bearer] : [bearer, basic, bySession],
    tags: tags.filter(({ name }) => usedTags.has(name)),
    'x-tagGroups': tagGroups
      .map((group) => ({ ...group, tags: group.tags.filter((name) => usedTags.has(name)) }))
      .filter((group) => group.tags.length > 0),
    paths,
    webhooks,
    components: {
      securitySchemes: schemesFor(audience),
      parameters: { Prefer: prefer, ...webhookParameters },
      headers,
      responses: refusalResponses(examples.refusals),
      schemas: {
        ...components.schemas(),
        Problem: problemSchema,
        ProblemCode: problemCodeSchema,
        FieldError: fieldErrorSchema,
      },
    },
  }
  const used = withoutUnused(document)
  return JSON.stringify(language === 'en' ? used : translated(used, readPortuguese()))
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
            ? { 'application/json': { schema: answerOf(route, publish), ...answers } }
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

/** What is created is answered whole, or in a few members where the request prefers that. */
const answerOf = ({ status, answer }: Route, publish: Components['publish']): object =>
  status === 201 ? { anyOf: [publish(answer), publish(minimalSchemaOf(answer))] } : publish(answer)

const doneTexts: Readonly<Record<Route['status'], string>> = {
  200: 'Done.',
  201: 'Created.',
  202: 'Accepted: it goes on.',
}

const bearer = { bearer: [] }
const basic = { basic: [] }
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
