import type { TSchema } from 'typebox'
import { fieldErrorCodes } from './problem.ts'
import { problemCodes, problemPage } from './problems/catalogue.ts'
import { takesBody } from './request-head.ts'
import type { Route } from './route.ts'

/** The OpenAPI 3.1 document, made from the same routes and schemas that answer: it cannot say anything else. */
export const openApiDocument = (routes: readonly Route[], version: string): string => {
  const paths: Record<string, Record<string, unknown>> = {}
  for (const route of routes) {
    const path = route.path.replaceAll(/:(\w+)/g, '{$1}')
    paths[path] ??= {}
    paths[path][route.verb.toLowerCase()] = operation(route)
  }
  return JSON.stringify({
    openapi: '3.1.0',
    info: {
      title: 'Payments API',
      version,
      summary: 'PIX, boletos and tokenized cards for a company account.',
      description: introduction,
      license: { name: 'Proprietary', identifier: 'LicenseRef-Proprietary' },
    },
    servers: [
      { url: '/', description: 'The service that serves this document. The key decides the environment.' },
    ],
    security: [{ bearer: [] }, { basic: [] }],
    tags: [...new Set(routes.map(({ tag }) => tag))].map((name) => ({
      name,
      description: tagTexts[name] ?? name,
    })),
    paths,
    components: {
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', description: 'The API key.' },
        basic: {
          type: 'http',
          scheme: 'basic',
          description: 'User: the clientId of the key. Password: the key.',
        },
      },
      schemas: { Problem: problemSchema },
    },
  })
}

const operation = (route: Route) => ({
  operationId: route.operationId,
  summary: route.summary,
  description: [route.description, `Needs the scope \`${route.scope}\`.`].filter(Boolean).join(' '),
  tags: [route.tag],
  ...(parametersOf(route).length > 0 && { parameters: parametersOf(route) }),
  ...(route.body && {
    requestBody: {
      required: ((route.body as { required?: string[] }).required ?? []).length > 0,
      content: { 'application/json': { schema: route.body } },
    },
  }),
  responses: {
    [route.status]: {
      description: route.status === 201 ? 'Created.' : 'Done.',
      headers: answerHeaders(route),
      content:
        route.mediaTypes.length > 0
          ? Object.fromEntries(route.mediaTypes.map((type) => [type, {}]))
          : { 'application/json': { schema: route.answer } },
    },
    ...(route.later !== null && {
      202: {
        description: route.later,
        headers: answerHeaders(route),
        content: { 'application/json': { schema: route.answer } },
      },
    }),
    ...Object.fromEntries(refusalsOf(route).map((status) => [status, problemAnswer(status)])),
  },
})

const parametersOf = (route: Route): object[] => {
  const parameters: object[] = []
  if (route.path.includes('/:id')) {
    parameters.push({ name: 'id', in: 'path', required: true, schema: { type: 'string' } })
  }
  const required: readonly string[] = route.query?.required ?? []
  for (const [name, schema] of Object.entries((route.query?.properties ?? {}) as Record<string, TSchema>)) {
    const isList = (schema as { type?: string }).type === 'array'
    parameters.push({
      name,
      in: 'query',
      required: required.includes(name),
      schema,
      ...(isList && { style: 'form', explode: false }),
    })
  }
  if (route.idempotent) {
    parameters.push({
      name: 'Idempotency-Key',
      in: 'header',
      required: false,
      description:
        'Stands for this effect for 24 hours: the same request again answers the same, and does nothing.',
      schema: { type: 'string', minLength: 1, maxLength: 255 },
    })
  }
  return parameters
}

const answerHeaders = (route: Route) => ({
  'Request-Id': { description: 'Names this request in our logs.', schema: { type: 'string' } },
  ...(route.status === 201 && {
    Location: { description: 'Path of what was created.', schema: { type: 'string' } },
  }),
  ...(route.idempotent && {
    'Idempotent-Replayed': {
      description: '`true` when this answers an earlier request.',
      schema: { type: 'string' },
    },
  }),
})

const refusalsOf = (route: Route): number[] => {
  const always = [400, 401, 403, 429, 500, 503]
  const forBodies = takesBody(route.verb) ? [413, 415] : []
  const forKeys = route.idempotent ? [409, 422] : []
  return [...new Set([...always, ...forBodies, ...forKeys, ...route.refusals])].sort((a, b) => a - b)
}

const problemAnswer = (status: number) => ({
  description: problemTexts[status] ?? 'Refused.',
  content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
})

const problemSchema = {
  type: 'object',
  description:
    'An error (RFC 9457). `code` is the contract; `title`, `detail` and `message` are for people, in the language that `Accept-Language` asks for (pt-BR or en), and may change.',
  required: ['type', 'title', 'status', 'detail', 'instance', 'code', 'requestId'],
  properties: {
    type: {
      type: 'string',
      format: 'uri-reference',
      description: 'The page of the documentation that explains the code.',
      examples: [`${problemPage}#VALIDATION_ERROR`],
    },
    title: { type: 'string' },
    status: { type: 'integer' },
    detail: { type: 'string' },
    instance: { type: 'string' },
    code: { type: 'string', enum: [...problemCodes] },
    requestId: { type: 'string' },
    errors: {
      type: 'array',
      items: {
        type: 'object',
        required: ['field', 'code', 'message'],
        properties: {
          field: { type: 'string', examples: ['customer.document', 'query.pageSize'] },
          code: { type: 'string', enum: [...fieldErrorCodes] },
          message: { type: 'string' },
        },
      },
    },
  },
  additionalProperties: true,
}

const problemTexts: Readonly<Record<number, string>> = {
  400: 'The request text is wrong: not JSON, or fields that are not valid (all of them are named).',
  401: 'No key, or not a valid one.',
  403: 'The key lacks the scope, the product is not active, or the operation is for Sandbox only.',
  404: 'There is no such object in this company and environment.',
  409: 'Not allowed in the current status.',
  413: 'The body has more than 64 KiB.',
  415: 'The body is not application/json, or has a Content-Encoding.',
  422: 'Well formed, but a business rule says no.',
  429: 'More requests than the rate limit allows.',
  500: 'Our fault.',
  503: 'The service cannot answer now. Send the same request again, with the same Idempotency-Key.',
}

const tagTexts: Readonly<Record<string, string>> = {
  PIX: 'Charges (a QR code that a payer pays), deposits into the own account, received PIX, keys and a summary.',
  Card: 'Payments with a tokenized card: authorize, capture, void, refund; chargebacks and fees.',
  Boleto: 'Registered boletos with fine, interest and discount, and their PDF.',
  Split: 'Recipients, rules that divide payments between them and the company, and their transfers.',
  Customers: 'A register of payers. A charge for a new document adds to it by itself.',
  Recurring:
    'Plans, coupons, subscriptions and their invoices, and what is done about those that are not paid (dunning).',
  Transactions: 'Every kind of charge under one id.',
  Sandbox: 'Force every outcome: pay, expire, receive, move the clock. Only with a Sandbox key.',
}

const introduction = `Amounts are whole centavos: sent as an integer or its digits in a string, answered as a string.
Times are ISO 8601 in UTC with milliseconds; dates are days of the company's time zone.
The API key decides the company, the environment (svc_test_ is Sandbox, svc_live_ is Production) and what a call may do.
Body fields that are not known are ignored and named in the answer's header Service-Ignored-Fields.
When a JSON object names a field twice, the last one counts.`
