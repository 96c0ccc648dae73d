import type { Language } from '../language.ts'
import { en } from './en.ts'
import { pt } from './pt.ts'

/** Every code of an error with the status that it is answered with (decisions, section 4). */
export const problemStatus = {
  INVALID_JSON: 400,
  VALIDATION_ERROR: 400,
  IDEMPOTENCY_KEY_INVALID: 400,
  CARD_DATA_NOT_ALLOWED: 400,
  BAD_REQUEST: 400,
  UNAUTHORIZED: 401,
  PAYMENT_DECLINED: 402,
  NO_PERMISSION: 403,
  PRODUCT_NOT_ACTIVE: 403,
  SANDBOX_ONLY: 403,
  NOT_FOUND: 404,
  ROUTE_NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  INVALID_STATE: 409,
  IDEMPOTENCY_KEY_IN_PROGRESS: 409,
  DISPUTE_OPEN: 409,
  ATTEMPT_IN_PROGRESS: 409,
  INVOICE_OPEN: 409,
  PLAN_IN_USE: 409,
  COUPON_IN_USE: 409,
  DEFENSE_WINDOW_CLOSED: 409,
  DUPLICATE: 409,
  PAYLOAD_TOO_LARGE: 413,
  URI_TOO_LONG: 414,
  UNSUPPORTED_MEDIA_TYPE: 415,
  UNSUPPORTED_ENCODING: 415,
  IDEMPOTENCY_KEY_REUSED: 422,
  REFERENCE_NOT_FOUND: 422,
  REFUND_NOT_SUPPORTED: 422,
  REFUND_EXCEEDS_BALANCE: 422,
  REFUND_WINDOW_EXPIRED: 422,
  INSUFFICIENT_BALANCE: 422,
  CAPTURE_EXCEEDS_AUTHORIZED: 422,
  CAPTURE_FAILED: 422,
  AMOUNT_MISMATCH: 422,
  CUSTOMER_DOCUMENT_REQUIRED: 422,
  PLAN_INACTIVE: 422,
  RECIPIENT_INACTIVE: 422,
  SPLIT_RULE_INACTIVE: 422,
  METHOD_NOT_ACCEPTED: 422,
  SAME_PLAN: 422,
  COUPON_INVALID: 422,
  SPLIT_EXCEEDS_AMOUNT: 422,
  RETRY_LIMIT_REACHED: 422,
  EXPORT_TOO_LARGE: 422,
  RATE_LIMITED: 429,
  HEADERS_TOO_LARGE: 431,
  INTERNAL_ERROR: 500,
  SERVICE_UNAVAILABLE: 503,
  PROVIDER_NOT_CONNECTED: 503,
} as const satisfies Readonly<Record<string, number>>
export type ProblemCode = keyof typeof problemStatus

export const problemCodes = Object.keys(problemStatus) as readonly ProblemCode[]

/** What people read of a code. */
export type ProblemText = {
  /** The problem in a few words, the same at every occurrence (RFC 9457, section 3.1.3). */
  readonly title: string
  /** What has happened, in plain text. It is the `detail` of an answer that has nothing more specific to say. */
  readonly cause: string
  /** What the caller can do about it, in Markdown: names of members and headers are in backquotes. */
  readonly remedy: string
}

/** The errors in every language: titles and causes go into answers, and the documentation's page is made of all three. */
export const problemTexts: Readonly<Record<Language, Readonly<Record<ProblemCode, ProblemText>>>> = {
  en,
  pt,
}

/** The page of the documentation that explains the errors; each has its code as the anchor. */
export const problemPage = '/docs/errors'
