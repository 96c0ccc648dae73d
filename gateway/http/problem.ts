import { unreachable } from '../../engine/assert.ts'
import { isoInstant } from '../../engine/calendar.ts'
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
  CARD_DATA_NOT_ALLOWED: 'Card data must not be sent',
  INVALID_STATE: 'Not allowed in the current status',
  DISPUTE_OPEN: 'A dispute is open',
  DEFENSE_WINDOW_CLOSED: 'The time for a defense is over',
  PLAN_IN_USE: 'The plan is in use',
  COUPON_IN_USE: 'The coupon is in use',
  DUPLICATE: 'It exists already',
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
    case 'OPERATION_IN_PROGRESS': {
      const { currentStatus, operation } = rejection
      const detail = `the provider is being asked (${operation}); try again when it has answered`
      return { status: 409, code: 'INVALID_STATE', detail, extra: { currentStatus, allowedStatuses: [] } }
    }
    case 'IDEMPOTENCY_KEY_IN_PROGRESS':
      return {
        status: 409,
        code: 'IDEMPOTENCY_KEY_IN_PROGRESS',
        detail: 'the first request with this Idempotency-Key is still running; ask again soon',
        headers: { 'Retry-After': '1' },
      }
    case 'REFERENCE_NOT_FOUND': {
      const { field } = rejection
      const detail = `${field} names nothing in this company and environment`
      return { status: 422, code: 'REFERENCE_NOT_FOUND', detail, extra: { field } }
    }
    case 'CUSTOMER_DOCUMENT_REQUIRED':
      return {
        status: 422,
        code: 'CUSTOMER_DOCUMENT_REQUIRED',
        detail: 'a boleto needs a customer with a CPF or CNPJ',
      }
    case 'PROVIDER_ABSENT':
      return {
        status: 503,
        code: 'SERVICE_UNAVAILABLE',
        detail: 'no acquirer is connected in this environment; nothing was done',
        headers: { 'Retry-After': '60' },
      }
    case 'CAPTURE_EXCEEDS_AUTHORIZED': {
      const authorizedAmount = String(rejection.authorizedCents)
      const detail = `at most ${authorizedAmount} centavos can be captured`
      return { status: 422, code: 'CAPTURE_EXCEEDS_AUTHORIZED', detail, extra: { authorizedAmount } }
    }
    case 'REFUND_NOT_SUPPORTED':
      return {
        status: 422,
        code: 'REFUND_NOT_SUPPORTED',
        detail: `a payment by ${rejection.method} cannot be refunded through the API`,
      }
    case 'REFUND_WINDOW_EXPIRED': {
      const { what, days } = rejection
      const noun = { REFUND: 'a refund', CHARGEBACK: 'a chargeback', MED: 'a MED' }[what]
      const detail = `${noun} is possible until ${days} days after the payment`
      return { status: 422, code: 'REFUND_WINDOW_EXPIRED', detail }
    }
    case 'REFUND_EXCEEDS_BALANCE': {
      const refundableAmount = String(rejection.refundableCents)
      const detail = `at most ${refundableAmount} centavos can be taken back`
      return { status: 422, code: 'REFUND_EXCEEDS_BALANCE', detail, extra: { refundableAmount } }
    }
    case 'INSUFFICIENT_BALANCE':
      return {
        status: 422,
        code: 'INSUFFICIENT_BALANCE',
        detail: 'the available balance is less than the refund',
      }
    case 'DISPUTE_OPEN': {
      const { disputeId } = rejection
      const field = disputeId.startsWith('cbk_') ? 'chargebackId' : 'medId'
      const detail = 'the payment is disputed: a refund beside it would pay the buyer twice'
      return { status: 409, code: 'DISPUTE_OPEN', detail, extra: { [field]: disputeId } }
    }
    case 'DEFENSE_WINDOW_CLOSED': {
      const defenseDueAt = isoInstant(rejection.defenseDueAtMs)
      const detail = `a defense was possible until ${defenseDueAt}`
      return { status: 409, code: 'DEFENSE_WINDOW_CLOSED', detail, extra: { defenseDueAt } }
    }
    case 'PAID_AT_OUT_OF_RANGE':
      return invalidField(
        'paidAt',
        'OUT_OF_RANGE',
        'paidAt is not between the creation of the boleto and now',
      )
    case 'AMOUNT_ABOVE_METHOD_LIMIT':
      return invalidField(
        'amount',
        'OUT_OF_RANGE',
        `amount is at most ${rejection.limitCents} by this method`,
      )
    case 'AMOUNT_TOO_SMALL':
      return invalidField(
        'amount',
        'OUT_OF_RANGE',
        `amount is at least ${rejection.leastCents} in this status`,
      )
    case 'PLAN_IN_USE': {
      const { field } = rejection
      const detail = `${field} of a plan that a subscription had does not change; make another plan`
      return { status: 409, code: 'PLAN_IN_USE', detail, extra: { field } }
    }
    case 'COUPON_IN_USE': {
      const { field } = rejection
      const detail = `${field} of a coupon that is redeemed does not change; make another coupon`
      return { status: 409, code: 'COUPON_IN_USE', detail, extra: { field } }
    }
    case 'DUPLICATE': {
      const { field, existingId } = rejection
      const detail = `another one has this ${field}`
      return { status: 409, code: 'DUPLICATE', detail, extra: { existingId } }
    }
    case 'INTERVAL_COUNT_REQUIRED':
      return invalidField(
        'intervalCount',
        'REQUIRED',
        'intervalCount is required: of CUSTOM it counts days, otherwise intervals',
      )
    case 'INTERVAL_COUNT_OUT_OF_RANGE':
      return invalidField(
        'intervalCount',
        'OUT_OF_RANGE',
        `intervalCount is at most ${rejection.countMax} of this interval`,
      )
    case 'FIRST_INVOICE_TOO_LARGE':
      return invalidField(
        'amount',
        'OUT_OF_RANGE',
        `amount and setupFee are at most ${rejection.limitCents} together by these methods`,
      )
    case 'MAX_REDEMPTIONS_BELOW_COUNT':
      return invalidField(
        'maxRedemptions',
        'OUT_OF_RANGE',
        `maxRedemptions is at least ${rejection.redemptionsCount}: so many were redeemed`,
      )
    case 'COUPON_ENDS_BEFORE_IT_STARTS':
      return invalidField('expiresAt', 'OUT_OF_RANGE', 'expiresAt is not after startsAt')
    case 'CREATED_AT_IN_THE_FUTURE':
      return invalidField('createdAt', 'OUT_OF_RANGE', 'createdAt is in the future')
    case 'CREATED_AT_TOO_EARLY':
      return invalidField('createdAt', 'OUT_OF_RANGE', 'createdAt is before the first due date of a boleto')
    case 'DUE_DATE_IN_THE_PAST':
      return invalidField('dueDate', 'IN_THE_PAST', 'dueDate is before today')
    case 'DUE_DATE_TOO_FAR':
      return invalidField('dueDate', 'OUT_OF_RANGE', `dueDate is more than ${rejection.limit} ahead`)
    case 'CLOCK_CANNOT_GO_BACK':
      return invalidField(
        'to',
        'IN_THE_PAST',
        'the clock only goes forward; use reset to go back to real time',
      )
    case 'CLOCK_STEP_TOO_LONG':
      return invalidField(
        'to',
        'OUT_OF_RANGE',
        'one call advances the clock by at most two years, and none beyond the year 8999',
      )
    case 'RECIPIENT_INACTIVE': {
      const { recipientId } = rejection
      const detail = 'a recipient of the split gets no new payments'
      return { status: 422, code: 'RECIPIENT_INACTIVE', detail, extra: { recipientId } }
    }
    case 'SPLIT_RULE_INACTIVE':
      return { status: 422, code: 'SPLIT_RULE_INACTIVE', detail: 'the split rule is not active' }
    case 'SPLIT_EXCEEDS_AMOUNT':
      return {
        status: 422,
        code: 'SPLIT_EXCEEDS_AMOUNT',
        detail: 'the fixed and percentage parts of the split are more than the amount',
      }
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
