import type { Route } from '../api/route.ts'
import { isAboutPerson } from '../identity/access.ts'
import { problemCodes, problemPage } from '../problems/catalogue.ts'
import { fieldErrorCodes } from '../problems/problem.ts'
import { takesBody } from '../wire/request-head.ts'
import type { Examples, RecordedExchange } from './examples.ts'

/** The problems that an operation can answer (decisions, section 4). */

type Refusal = { readonly name: string; readonly description: string; readonly isTemporary?: true }

const refusals: Readonly<Record<number, Refusal>> = {
  400: {
    name: 'BadRequest',
    description: 'The request is wrong: not JSON, or fields that are not valid. All of them are in `errors`.',
  },
  401: { name: 'Unauthorized', description: 'No key and no session, or not a valid one.' },
  402: { name: 'PaymentDeclined', description: 'The card was declined, and nothing was changed.' },
  403: {
    name: 'Forbidden',
    description:
      'The key lacks the scope or the person the permission, a second factor is needed, the product is not active, or the operation is for Sandbox or for the dashboard only.',
  },
  404: { name: 'NotFound', description: 'There is no such object in this company and environment.' },
  409: { name: 'Conflict', description: 'Not allowed in the current state.' },
  410: { name: 'Gone', description: 'The link is no longer valid.' },
  413: { name: 'PayloadTooLarge', description: 'The body has more than 64 KiB.' },
  414: { name: 'UriTooLong', description: 'The URL has more than 8 KiB.' },
  415: {
    name: 'UnsupportedMediaType',
    description: 'The body is not `application/json`, or has a `Content-Encoding`.',
  },
  422: { name: 'Unprocessable', description: 'Well formed, but a business rule says no.' },
  429: {
    name: 'TooManyRequests',
    description: 'More requests than the rate limit allows. `policy` names the limit.',
    isTemporary: true,
  },
  431: { name: 'HeadersTooLarge', description: 'The headers have more than 16 KiB.' },
  500: { name: 'InternalError', description: 'An error of the service.' },
  503: {
    name: 'ServiceUnavailable',
    description:
      'The service cannot answer now. Send the same request again, with the same `Idempotency-Key`.',
    isTemporary: true,
  },
}

/** The statuses of a route's possible refusals. */
const statusesOf = (route: Route): readonly number[] => {
  const always = [400, 401, 403, 414, 429, 431, 500, 503]
  // For a person who names a company that they do not belong to.
  const forPeople = isAboutPerson(route.permission) ? [] : [404]
  const forBodies = takesBody(route.verb) ? [413, 415] : []
  const forKeys = route.idempotent ? [409, 422] : []
  return [...new Set([...always, ...forPeople, ...forBodies, ...forKeys, ...route.refusals])].sort(
    (a, b) => a - b,
  )
}

/** The `responses` of a route's refusals, as references. */
export const refusalsOf = (route: Route): Readonly<Record<string, object>> =>
  Object.fromEntries(
    statusesOf(route).map((status) => [status, { $ref: `#/components/responses/${refusals[status]!.name}` }]),
  )

/** The shared responses for `components`, by name, with recorded examples. */
export const refusalResponses = (examples: Examples['refusals']): Readonly<Record<string, object>> =>
  Object.fromEntries(
    Object.entries(refusals).map(([status, { name, description, isTemporary }]) => [
      name,
      {
        description,
        headers: {
          'Request-Id': { $ref: '#/components/headers/RequestId' },
          ...(isTemporary && { 'Retry-After': { $ref: '#/components/headers/RetryAfter' } }),
        },
        content: {
          'application/problem+json': {
            schema: { $ref: '#/components/schemas/Problem' },
            ...(examples[status] && { examples: examplesOf(examples[status]) }),
          },
        },
      },
    ]),
  )

const examplesOf = (exchanges: readonly RecordedExchange[]) =>
  Object.fromEntries(
    exchanges.map(({ title, answer }) => [
      (answer as { readonly code: string }).code,
      { summary: title, value: answer },
    ]),
  )

export const problemSchema = {
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
    title: { type: 'string', description: 'The kind of error in words.' },
    status: { type: 'integer', description: 'The HTTP status.' },
    detail: { type: 'string', description: 'What is wrong, for people.' },
    instance: { type: 'string', description: 'The path that was asked.' },
    code: { $ref: '#/components/schemas/ProblemCode' },
    requestId: { type: 'string', description: 'Names this request in the logs of the service.' },
    errors: {
      type: 'array',
      description: 'With 400: every field that is wrong.',
      items: { $ref: '#/components/schemas/FieldError' },
    },
    requiredScope: { type: 'string', description: 'With NO_PERMISSION: the scope that the key lacks.' },
    requiredPermission: {
      type: 'string',
      description: 'With NO_PERMISSION: the permission that the person lacks.',
    },
    methods: {
      type: 'array',
      items: { type: 'string' },
      description: 'With STEP_UP_REQUIRED and SECOND_FACTOR_REQUIRED: the factors that the person has.',
    },
    reason: {
      type: 'string',
      description:
        'With COUPON_INVALID: why. With SECOND_FACTOR_INVALID: WRONG, USED (before, or too old), OTHER_OPERATION (the passkey signed something else) or PASSKEY_COUNTER (the passkey may have been copied).',
    },
    product: { type: 'string', description: 'With PRODUCT_NOT_ACTIVE: the product.' },
    resource: { type: 'string', description: 'With NOT_FOUND: what was looked for.' },
    field: { type: 'string', description: 'The field that it is about.' },
    currentStatus: { type: 'string', description: 'With INVALID_STATE: the status that it has.' },
    allowedStatuses: {
      type: 'array',
      items: { type: 'string' },
      description: 'With INVALID_STATE: the statuses in which it is possible.',
    },
  },
  additionalProperties: true,
}

export const problemCodeSchema = {
  type: 'string',
  enum: [...problemCodes],
  description: 'What programs decide by.',
}

export const fieldErrorSchema = {
  type: 'object',
  description: 'A field that is wrong.',
  required: ['field', 'code', 'message'],
  properties: {
    field: {
      type: 'string',
      description: 'Which one, as `customer.document`, `items[1].percentBps` or `query.pageSize`.',
    },
    code: { type: 'string', enum: [...fieldErrorCodes], description: 'What is wrong with it.' },
    message: { type: 'string', description: 'The same for people.' },
  },
}
