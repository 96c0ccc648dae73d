import { unreachable } from '../../engine/assert.ts'
import type { Rejection } from '../../engine/decision.ts'

/** An error as RFC 9457 has it, with the `code` that is the contract (decisions, section 4). */
export type Problem = {
  readonly status: number
  readonly code: ProblemCode
  readonly detail: string
  readonly errors?: readonly FieldError[]
  readonly extra?: Readonly<Record<string, unknown>>
  readonly headers?: Readonly<Record<string, string>>
}

export type FieldError = { readonly field: string; readonly code: FieldErrorCode; readonly message: string }

export const fieldErrorCodes = [
  'REQUIRED',
  'INVALID_TYPE',
  'INVALID_FORMAT',
  'INVALID_VALUE',
  'OUT_OF_RANGE',
  'TOO_SHORT',
  'TOO_LONG',
  'TOO_MANY',
  'DUPLICATE',
  'MUTUALLY_EXCLUSIVE',
  'IN_THE_PAST',
  'CHECK_DIGIT',
] as const
export type FieldErrorCode = (typeof fieldErrorCodes)[number]

/** Every code, with the title that stands for it. */
export const problemTitles = {
  INVALID_JSON: 'The body is not a JSON object',
  VALIDATION_ERROR: 'Invalid request',
  IDEMPOTENCY_KEY_INVALID: 'Invalid Idempotency-Key',
  UNAUTHORIZED: 'Authentication failed',
  NO_PERMISSION: 'The key lacks a scope',
  PRODUCT_NOT_ACTIVE: 'The product is not active',
  SANDBOX_ONLY: 'Only in Sandbox',
  NOT_FOUND: 'Not found',
  ROUTE_NOT_FOUND: 'No such path',
  METHOD_NOT_ALLOWED: 'Method not allowed',
  INVALID_STATE: 'Not allowed in the current status',
  IDEMPOTENCY_KEY_IN_PROGRESS: 'The same request is still running',
  PAYLOAD_TOO_LARGE: 'The body is too large',
  URI_TOO_LONG: 'The URL is too long',
  HEADERS_TOO_LARGE: 'The headers are too large',
  UNSUPPORTED_MEDIA_TYPE: 'The body must be application/json',
  IDEMPOTENCY_KEY_REUSED: 'The Idempotency-Key belongs to another request',
  AMOUNT_MISMATCH: 'The amount differs from the payable amount',
  RATE_LIMITED: 'Too many requests',
  INTERNAL_ERROR: 'Internal error',
  SERVICE_UNAVAILABLE: 'The service cannot answer now',
  BAD_REQUEST: 'The request is not valid HTTP',
} as const
export type ProblemCode = keyof typeof problemTitles

/** The members of the body, in the order in which people read them. */
export const problemBody = (problem: Problem, path: string, requestId: string): string =>
  JSON.stringify({
    type: `urn:problem:${problem.code}`,
    title: problemTitles[problem.code],
    status: problem.status,
    detail: problem.detail,
    instance: path,
    code: problem.code,
    requestId,
    ...(problem.errors && { errors: problem.errors }),
    ...problem.extra,
  })

export const invalid = (errors: readonly FieldError[]): Problem => ({
  status: 400,
  code: 'VALIDATION_ERROR',
  detail: errors.map(({ message }) => message).join('; '),
  errors,
})

const invalidField = (field: string, code: FieldErrorCode, message: string): Problem =>
  invalid([{ field, code, message }])

export const notFound = (resource: string): Problem => ({
  status: 404,
  code: 'NOT_FOUND',
  detail: `there is no such ${resource} in this company and environment`,
  extra: { resource },
})

export const unavailable: Problem = {
  status: 503,
  code: 'SERVICE_UNAVAILABLE',
  detail:
    'nothing was done, or its outcome is unknown: send the same request again with the same Idempotency-Key',
  headers: { 'Retry-After': '1' },
}

/** One status and code for every refusal of the engine. */
export const problemOf = (rejection: Rejection): Problem => {
  switch (rejection.reason) {
    case 'NOT_FOUND':
      return notFound(rejection.resource)
    case 'ACCOUNT_ABSENT':
      return unavailable
    case 'INVALID_STATE': {
      const { currentStatus, allowedStatuses } = rejection
      const detail = `not allowed while ${currentStatus}; only while ${allowedStatuses.join(', ')}`
      return { status: 409, code: 'INVALID_STATE', detail, extra: { currentStatus, allowedStatuses } }
    }
    case 'IDEMPOTENCY_KEY_REUSED':
      return {
        status: 422,
        code: 'IDEMPOTENCY_KEY_REUSED',
        detail: 'this Idempotency-Key was used with another method, path or body; nothing was done',
      }
    case 'AMOUNT_MISMATCH': {
      const payableAmount = String(rejection.payableCents)
      const detail = `the charge can only be paid with ${payableAmount} centavos`
      return { status: 422, code: 'AMOUNT_MISMATCH', detail, extra: { payableAmount } }
    }
    case 'PAYMENT_REFUSED_BY_SCENARIO':
      return {
        status: 409,
        code: 'INVALID_STATE',
        detail: 'the scenario never_paid refuses every payment of this charge',
        extra: { currentStatus: 'PENDING', allowedStatuses: [] },
      }
    case 'DUE_DATE_IN_THE_PAST':
      return invalidField('dueDate', 'IN_THE_PAST', 'dueDate is before today')
    case 'DUE_DATE_TOO_FAR':
      return invalidField('dueDate', 'OUT_OF_RANGE', 'dueDate is more than 366 days ahead')
    case 'CLOCK_CANNOT_GO_BACK':
      return invalidField(
        'to',
        'IN_THE_PAST',
        'the clock only goes forward; use reset to go back to real time',
      )
    case 'CLOCK_STEP_TOO_LONG':
      return invalidField('to', 'OUT_OF_RANGE', 'one call advances the clock by at most two years')
    case 'SANDBOX_ONLY':
      return sandboxOnly
    case 'DELIVERY_UNFINISHED':
      return {
        status: 409,
        code: 'INVALID_STATE',
        detail: 'the delivery is still being attempted',
        extra: { currentStatus: 'RETRYING', allowedStatuses: ['SUCCEEDED', 'EXHAUSTED', 'CANCELLED'] },
      }
    default:
      return unreachable(rejection)
  }
}

export const sandboxOnly: Problem = {
  status: 403,
  code: 'SANDBOX_ONLY',
  detail: 'this operation exists only with a Sandbox key (svc_test_…)',
}

/** What a transport refuses by itself. */
export const refusalOf = (status: number): Problem => {
  switch (status) {
    case 405:
      return { status, code: 'METHOD_NOT_ALLOWED', detail: 'this method is not supported' }
    case 413:
      return { status, code: 'PAYLOAD_TOO_LARGE', detail: 'a body has at most 64 KiB' }
    case 414:
      return { status, code: 'URI_TOO_LONG', detail: 'a URL has at most 8 KiB' }
    case 431:
      return { status, code: 'HEADERS_TOO_LARGE', detail: 'headers have at most 16 KiB' }
    case 500:
      return { status, code: 'INTERNAL_ERROR', detail: 'this is our fault; send the same request again' }
    case 503:
      return unavailable
    default:
      return { status, code: 'BAD_REQUEST', detail: 'the request could not be read' }
  }
}
