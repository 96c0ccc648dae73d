import type { Product } from '../../engine/directory/directory.ts'

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
  CARD_DATA_NOT_ALLOWED: 'Card data must not be sent',
  INVALID_STATE: 'Not allowed in the current status',
  DISPUTE_OPEN: 'A dispute is open',
  DEFENSE_WINDOW_CLOSED: 'The time for a defense is over',
  PLAN_IN_USE: 'The plan is in use',
  COUPON_IN_USE: 'The coupon is in use',
  DUPLICATE: 'It exists already',
  ATTEMPT_IN_PROGRESS: 'An attempt is running',
  INVOICE_OPEN: 'An invoice of this period is not paid',
  PAYMENT_DECLINED: 'The payment was declined',
  PLAN_INACTIVE: 'The plan is not sold any more',
  METHOD_NOT_ACCEPTED: 'The plan does not accept this method',
  SAME_PLAN: 'The subscription has this plan',
  COUPON_INVALID: 'The coupon cannot be redeemed',
  RETRY_LIMIT_REACHED: 'The card was tried too often',
  REFERENCE_NOT_FOUND: 'A referenced object does not exist',
  REFUND_NOT_SUPPORTED: 'This method cannot be refunded',
  REFUND_EXCEEDS_BALANCE: 'The amount exceeds what can be taken back',
  REFUND_WINDOW_EXPIRED: 'The payment is too old',
  INSUFFICIENT_BALANCE: 'The balance cannot fund this',
  CAPTURE_EXCEEDS_AUTHORIZED: 'The amount exceeds the authorization',
  CAPTURE_FAILED: 'The acquirer refused the capture',
  RECIPIENT_INACTIVE: 'The recipient is not active',
  SPLIT_RULE_INACTIVE: 'The split rule is not active',
  SPLIT_EXCEEDS_AMOUNT: 'The parts exceed the amount',
  CUSTOMER_DOCUMENT_REQUIRED: 'The customer has no document',
  EXPORT_TOO_LARGE: 'The export has too many rows',
  IDEMPOTENCY_KEY_IN_PROGRESS: 'The same request is still running',
  PAYLOAD_TOO_LARGE: 'The body is too large',
  URI_TOO_LONG: 'The URL is too long',
  HEADERS_TOO_LARGE: 'The headers are too large',
  UNSUPPORTED_ENCODING: 'The body must not be encoded',
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

export const invalidField = (field: string, code: FieldErrorCode, message: string): Problem =>
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

export const productNotActive = (product: Product): Problem => ({
  status: 403,
  code: 'PRODUCT_NOT_ACTIVE',
  detail: `the product ${product} is not active for this company`,
  extra: { product },
})

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
