import t from 'tap'
import type { Rejection } from '../../../engine/kernel/registry.ts'
import type { CalendarDate } from '../../../engine/shared/calendar.ts'
import type { ChangeId, ReceivedPixId, TransferId, WalletId } from '../../../engine/shared/ids.ts'
import { toCents } from '../../../engine/shared/money.ts'
import { problemOf } from '../../../gateway/api/problem-of.ts'
import { problemCodes, problemStatus } from '../../../gateway/problems/catalogue.ts'
import { languages } from '../../../gateway/problems/language.ts'
import { invalidField, problem, problemResponse } from '../../../gateway/problems/problem.ts'
import { problemTexts } from '../../../gateway/problems/problem-texts.ts'

const answerTo = (
  what: Parameters<typeof problemResponse>[0],
  { language, publicUrl = '' }: { readonly language?: string; readonly publicUrl?: string } = {},
) => {
  const headers = language === undefined ? {} : { 'accept-language': language }
  const request = { path: '/v1/x', headers }
  const response = problemResponse(what, { request, requestId: 'req_1', publicUrl, headers: {} })
  return { ...response, body: JSON.parse(response.body as string) }
}

/** The catalogue of decisions, section 4, but for DASHBOARD_ONLY: nothing is reserved to the dashboard yet. */
const decided = {
  400: 'INVALID_JSON VALIDATION_ERROR IDEMPOTENCY_KEY_INVALID CARD_DATA_NOT_ALLOWED',
  401: 'UNAUTHORIZED',
  402: 'PAYMENT_DECLINED',
  403: 'NO_PERMISSION PRODUCT_NOT_ACTIVE SANDBOX_ONLY',
  404: 'NOT_FOUND ROUTE_NOT_FOUND',
  405: 'METHOD_NOT_ALLOWED',
  409: 'INVALID_STATE IDEMPOTENCY_KEY_IN_PROGRESS DISPUTE_OPEN ATTEMPT_IN_PROGRESS INVOICE_OPEN PLAN_IN_USE COUPON_IN_USE DEFENSE_WINDOW_CLOSED DUPLICATE',
  413: 'PAYLOAD_TOO_LARGE',
  414: 'URI_TOO_LONG',
  415: 'UNSUPPORTED_MEDIA_TYPE UNSUPPORTED_ENCODING',
  422: 'IDEMPOTENCY_KEY_REUSED REFERENCE_NOT_FOUND REFUND_NOT_SUPPORTED REFUND_EXCEEDS_BALANCE REFUND_WINDOW_EXPIRED INSUFFICIENT_BALANCE CAPTURE_EXCEEDS_AUTHORIZED CAPTURE_FAILED AMOUNT_MISMATCH CUSTOMER_DOCUMENT_REQUIRED PLAN_INACTIVE RECIPIENT_INACTIVE SPLIT_RULE_INACTIVE METHOD_NOT_ACCEPTED PIX_AUTOMATIC_UNAVAILABLE SAME_PLAN COUPON_INVALID SPLIT_EXCEEDS_AMOUNT RETRY_LIMIT_REACHED EXPORT_TOO_LARGE',
  429: 'RATE_LIMITED',
  431: 'HEADERS_TOO_LARGE',
  500: 'INTERNAL_ERROR',
  503: 'SERVICE_UNAVAILABLE PROVIDER_NOT_CONNECTED',
}

t.test('every code that was decided is there, with its status', async (t) => {
  const status: Readonly<Record<string, number>> = problemStatus
  for (const [wanted, codes] of Object.entries(decided))
    for (const code of codes.split(' ')) t.equal(status[code], Number(wanted), code)
})

t.test('every code has a title, a cause and a remedy of its own in each language', async (t) => {
  for (const language of languages) {
    const texts = problemCodes.map((code) => problemTexts[language][code])
    t.equal(new Set(texts.map(({ title }) => title)).size, problemCodes.length, 'no title twice')
    for (const [n, { title, cause, remedy }] of texts.entries()) {
      t.match(title, /^\S.*[^.]$/, problemCodes[n]!)
      t.match(cause, /^[^`]+\.$/, 'a cause goes into answers: a sentence in plain text')
      t.match(remedy, /\.$/)
    }
  }
  for (const code of problemCodes) {
    t.not(problemTexts.en[code].cause, problemTexts.pt[code].cause, code)
    t.not(problemTexts.en[code].remedy, problemTexts.pt[code].remedy, code)
  }
})

t.test('type is the page of the code, below the public address where there is one', async (t) => {
  t.equal(answerTo(problem('SAME_PLAN')).body.type, '/docs/errors#SAME_PLAN')
  const publicUrl = 'https://pay.example.com'
  t.equal(answerTo(problem('SAME_PLAN'), { publicUrl }).body.type, `${publicUrl}/docs/errors#SAME_PLAN`)
})

t.test('title, detail and messages are in the language that is asked for', async (t) => {
  const wrong = invalidField('amount', 'REQUIRED', (say) => say.required('amount'))
  const english = answerTo(wrong)
  t.match(english.headers, { 'Content-Language': 'en', Vary: 'Accept-Language' })
  t.match(english.body, {
    title: 'Invalid request',
    detail: 'amount is required',
    errors: [{ field: 'amount', code: 'REQUIRED', message: 'amount is required' }],
  })
  const portuguese = answerTo(wrong, { language: 'pt-BR,pt;q=0.9,en;q=0.5' })
  t.match(portuguese.headers, { 'Content-Language': 'pt-BR', Vary: 'Accept-Language' })
  t.match(portuguese.body, {
    code: 'VALIDATION_ERROR',
    title: 'Requisição inválida',
    detail: 'amount é obrigatório',
    errors: [{ field: 'amount', code: 'REQUIRED', message: 'amount é obrigatório' }],
  })
})

/** One of every refusal that the engine knows: a new one does not compile without. */
const refusals: { readonly [Reason in Rejection['reason']]: Extract<Rejection, { reason: Reason }> } = {
  CHANGE_PENDING: { reason: 'CHANGE_PENDING', changeId: 'chg_1' as ChangeId },
  OWN_REQUEST: { reason: 'OWN_REQUEST' },
  CARD_AMOUNT_TOO_SMALL: { reason: 'CARD_AMOUNT_TOO_SMALL', minCents: toCents(1000) },
  PAGES_NOT_SET_UP: { reason: 'PAGES_NOT_SET_UP' },
  CARD_NOT_AUTHENTICATED: { reason: 'CARD_NOT_AUTHENTICATED' },
  PAGE_OUTDATED: { reason: 'PAGE_OUTDATED' },
  SESSION_CLOSED: { reason: 'SESSION_CLOSED', status: 'EXPIRED' },
  SESSION_METHOD_NOT_OFFERED: { reason: 'SESSION_METHOD_NOT_OFFERED', allowed: ['PIX'] },
  INSTALLMENTS_NOT_OFFERED: { reason: 'INSTALLMENTS_NOT_OFFERED' },
  PAYMENT_UNDER_WAY: { reason: 'PAYMENT_UNDER_WAY', method: 'BOLETO', untilMs: null },
  TOO_MANY_TRIES: { reason: 'TOO_MANY_TRIES' },
  LINK_CLOSED: { reason: 'LINK_CLOSED', status: 'EXHAUSTED' },
  LINK_BUSY: { reason: 'LINK_BUSY' },
  LINK_IN_USE: { reason: 'LINK_IN_USE', field: 'amount' },
  MAX_PAYMENTS_BELOW_COUNT: { reason: 'MAX_PAYMENTS_BELOW_COUNT', paymentsCount: 3 },
  AMOUNT_NOT_OFFERED: { reason: 'AMOUNT_NOT_OFFERED', minCents: toCents(100), maxCents: toCents(200) },
  QUANTITY_NOT_OFFERED: { reason: 'QUANTITY_NOT_OFFERED', min: 1, max: 3 },
  COUPONS_NOT_TAKEN: { reason: 'COUPONS_NOT_TAKEN' },
  INSECURE_URL: { reason: 'INSECURE_URL', field: 'successUrl' },
  NOTHING_TO_PAY: { reason: 'NOTHING_TO_PAY' },
  APPROVER_TOO_NEW: { reason: 'APPROVER_TOO_NEW' },
  ADDRESS_INVALID: { reason: 'ADDRESS_INVALID', field: 'address' },
  ADDRESS_REQUIRED: { reason: 'ADDRESS_REQUIRED' },
  BELOW_NETWORK_FEE: { reason: 'BELOW_NETWORK_FEE' },
  QUOTE_EXPIRED: { reason: 'QUOTE_EXPIRED' },
  TOO_MANY_QUOTES: { reason: 'TOO_MANY_QUOTES', retryAfterSeconds: 7 },
  WALLET_EXISTS: { reason: 'WALLET_EXISTS', walletId: 'wal_1' as WalletId },
  WALLET_NOT_ACTIVE: { reason: 'WALLET_NOT_ACTIVE', status: 'COOLING_OFF', availableAtMs: 0 },
  ALREADY_DECIDED: { reason: 'ALREADY_DECIDED' },
  LIMIT_EXCEEDED: {
    reason: 'LIMIT_EXCEEDED',
    limit: 'pixDayCents',
    remainingCents: toCents(5),
    resetsAtMs: 0,
  },
  BENEFICIARY_COOLING_OFF: {
    reason: 'BENEFICIARY_COOLING_OFF',
    availableAtMs: null,
    limitCents: toCents(5),
  },
  BENEFICIARY_INACTIVE: { reason: 'BENEFICIARY_INACTIVE' },
  NOT_BORNE_OUT: { reason: 'NOT_BORNE_OUT', why: 'NO_STATEMENT', date: '2026-11-22' as CalendarDate },
  STATEMENT_REFUSED: { reason: 'STATEMENT_REFUSED', why: 'OTHER_ACCOUNT' },
  LOOKUP_EXPIRED: { reason: 'LOOKUP_EXPIRED' },
  LOOKUP_QUOTA: { reason: 'LOOKUP_QUOTA', tokens: 0, retryAfterSeconds: 3 },
  POSSIBLE_DUPLICATE: { reason: 'POSSIBLE_DUPLICATE', existingId: 'trf_1' as TransferId },
  TED_TO_KEY: { reason: 'TED_TO_KEY' },
  SCHEDULED_IN_THE_PAST: { reason: 'SCHEDULED_IN_THE_PAST' },
  SCHEDULED_TOO_FAR: { reason: 'SCHEDULED_TOO_FAR', days: 365 },
  ACCOUNT_ABSENT: { reason: 'ACCOUNT_ABSENT' },
  NOT_FOUND: { reason: 'NOT_FOUND', resource: 'plan' },
  TOO_MANY_OPEN_TICKETS: { reason: 'TOO_MANY_OPEN_TICKETS', openMax: 20 },
  TOO_MANY_NOTES: { reason: 'TOO_MANY_NOTES', notesMax: 200 },
  NOTE_OF_ANOTHER: { reason: 'NOTE_OF_ANOTHER' },
  NOTICE_TOO_LARGE: { reason: 'NOTICE_TOO_LARGE' },
  TOO_MANY_VIEWS: { reason: 'TOO_MANY_VIEWS', viewsMax: 50 },
  MAIL_NOT_SET_UP: { reason: 'MAIL_NOT_SET_UP' },
  PAYER_EMAIL_MISSING: { reason: 'PAYER_EMAIL_MISSING' },
  TOO_MANY_MAILS: { reason: 'TOO_MANY_MAILS', of: 'CHARGE', mailsMax: 3, availableAtMs: 0 },
  TICKET_CLOSED: { reason: 'TICKET_CLOSED', days: 30 },
  INVALID_STATE: {
    reason: 'INVALID_STATE',
    currentStatus: 'PENDING',
    allowedStatuses: ['APPROVED', 'FAILED'],
  },
  OPERATION_IN_PROGRESS: { reason: 'OPERATION_IN_PROGRESS', currentStatus: 'AUTHORIZED', operation: 'VOID' },
  IDEMPOTENCY_KEY_REUSED: { reason: 'IDEMPOTENCY_KEY_REUSED' },
  IDEMPOTENCY_KEY_IN_PROGRESS: { reason: 'IDEMPOTENCY_KEY_IN_PROGRESS' },
  REFERENCE_NOT_FOUND: { reason: 'REFERENCE_NOT_FOUND', field: 'planId' },
  CUSTOMER_DOCUMENT_REQUIRED: { reason: 'CUSTOMER_DOCUMENT_REQUIRED' },
  ALREADY_RECEIVED: { reason: 'ALREADY_RECEIVED', receivedPixId: 'rpx_1' as ReceivedPixId },
  PROVIDER_ABSENT: { reason: 'PROVIDER_ABSENT', rail: 'CARD' },
  PROVIDER_UNREACHABLE: { reason: 'PROVIDER_UNREACHABLE', rail: 'CARD', retryAfterSeconds: 15 },
  NOT_OFFERED: { reason: 'NOT_OFFERED', rail: 'PAYOUT', offer: 'TED' },
  AMOUNT_MISMATCH: { reason: 'AMOUNT_MISMATCH', payableCents: toCents(1990) },
  PAYMENT_REFUSED_BY_SCENARIO: { reason: 'PAYMENT_REFUSED_BY_SCENARIO' },
  CAPTURE_EXCEEDS_AUTHORIZED: { reason: 'CAPTURE_EXCEEDS_AUTHORIZED', authorizedCents: toCents(5) },
  REFUND_NOT_PERMITTED: { reason: 'REFUND_NOT_PERMITTED' },
  REFUND_NOT_SUPPORTED: { reason: 'REFUND_NOT_SUPPORTED', method: 'BOLETO' },
  REFUND_WINDOW_EXPIRED: { reason: 'REFUND_WINDOW_EXPIRED', what: 'MED', days: 80 },
  REFUND_EXCEEDS_BALANCE: { reason: 'REFUND_EXCEEDS_BALANCE', refundableCents: toCents(5) },
  INSUFFICIENT_BALANCE: { reason: 'INSUFFICIENT_BALANCE' },
  DISPUTE_OPEN: { reason: 'DISPUTE_OPEN', disputeId: 'cbk_1' as never },
  DEFENSE_WINDOW_CLOSED: { reason: 'DEFENSE_WINDOW_CLOSED', defenseDueAtMs: 0 },
  ALREADY_DEFENDED: { reason: 'ALREADY_DEFENDED' },
  NOTHING_RETURNED: { reason: 'NOTHING_RETURNED' },
  DUE_DATE_IN_THE_PAST: { reason: 'DUE_DATE_IN_THE_PAST' },
  DUE_DATE_TOO_FAR: { reason: 'DUE_DATE_TOO_FAR', limit: 5, unit: 'YEARS' },
  NO_QR_CODE: { reason: 'NO_QR_CODE' },
  PAID_AT_OUT_OF_RANGE: { reason: 'PAID_AT_OUT_OF_RANGE' },
  AMOUNT_ABOVE_METHOD_LIMIT: { reason: 'AMOUNT_ABOVE_METHOD_LIMIT', limitCents: toCents(5) },
  AMOUNT_TOO_SMALL: { reason: 'AMOUNT_TOO_SMALL', leastCents: toCents(5) },
  PLAN_IN_USE: { reason: 'PLAN_IN_USE', field: 'amount' },
  COUPON_IN_USE: { reason: 'COUPON_IN_USE', field: 'code' },
  DUPLICATE: { reason: 'DUPLICATE', field: 'code', existingId: 'cpn_1' as never },
  INTERVAL_COUNT_REQUIRED: { reason: 'INTERVAL_COUNT_REQUIRED' },
  FIRST_INVOICE_TOO_LARGE: { reason: 'FIRST_INVOICE_TOO_LARGE', limitCents: toCents(5) },
  INTERVAL_COUNT_OUT_OF_RANGE: { reason: 'INTERVAL_COUNT_OUT_OF_RANGE', countMax: 36 },
  MAX_REDEMPTIONS_BELOW_COUNT: { reason: 'MAX_REDEMPTIONS_BELOW_COUNT', redemptionsCount: 3 },
  COUPON_ENDS_BEFORE_IT_STARTS: { reason: 'COUPON_ENDS_BEFORE_IT_STARTS' },
  CREATED_AT_IN_THE_FUTURE: { reason: 'CREATED_AT_IN_THE_FUTURE' },
  CREATED_AT_TOO_EARLY: { reason: 'CREATED_AT_TOO_EARLY' },
  CLOCK_CANNOT_GO_BACK: { reason: 'CLOCK_CANNOT_GO_BACK' },
  CLOCK_STEP_TOO_LONG: { reason: 'CLOCK_STEP_TOO_LONG' },
  CLOCK_RESET_MEANWHILE: { reason: 'CLOCK_RESET_MEANWHILE' },
  DELIVERY_UNFINISHED: { reason: 'DELIVERY_UNFINISHED' },
  DELIVERY_FINISHED: { reason: 'DELIVERY_FINISHED' },
  DELIVERY_FORGOTTEN: { reason: 'DELIVERY_FORGOTTEN' },
  RECIPIENT_INACTIVE: { reason: 'RECIPIENT_INACTIVE', recipientId: 'rcp_1' as never },
  SPLIT_RULE_INACTIVE: { reason: 'SPLIT_RULE_INACTIVE' },
  SPLIT_EXCEEDS_AMOUNT: { reason: 'SPLIT_EXCEEDS_AMOUNT' },
  PRODUCT_NOT_ACTIVE: { reason: 'PRODUCT_NOT_ACTIVE', product: 'PIX' },
  PLAN_INACTIVE: { reason: 'PLAN_INACTIVE' },
  PIX_AUTOMATIC_UNAVAILABLE: { reason: 'PIX_AUTOMATIC_UNAVAILABLE', lacks: 'INTERVAL' },
  METHOD_NOT_ACCEPTED: { reason: 'METHOD_NOT_ACCEPTED', allowedMethods: ['PIX', 'BOLETO'] },
  SAME_PLAN: { reason: 'SAME_PLAN' },
  COUPON_INVALID: { reason: 'COUPON_INVALID', why: 'EXPIRED' },
  INVOICE_OPEN: { reason: 'INVOICE_OPEN', invoiceId: 'inv_1' as never },
  ATTEMPT_IN_PROGRESS: { reason: 'ATTEMPT_IN_PROGRESS', attemptId: 'att_1' as never },
  RETRY_LIMIT_REACHED: { reason: 'RETRY_LIMIT_REACHED' },
  CARD_REQUIRED: { reason: 'CARD_REQUIRED' },
  START_IN_THE_PAST: { reason: 'START_IN_THE_PAST' },
  START_TOO_FAR: { reason: 'START_TOO_FAR', days: 730 },
}

t.test('every refusal of the engine is told in both languages, with the status of its code', async (t) => {
  for (const rejection of Object.values(refusals)) {
    const [english, portuguese] = ['en', 'pt-BR'].map((language) =>
      answerTo(problemOf(rejection), { language }),
    )
    t.equal(english!.status, (problemStatus as Readonly<Record<string, number>>)[english!.body.code])
    t.equal(english!.body.code, portuguese!.body.code)
    t.not(english!.body.detail, portuguese!.body.detail, rejection.reason)
    for (const { body } of [english!, portuguese!])
      t.notMatch(JSON.stringify(body), /undefined|\[object|=>|NaN/, rejection.reason)
  }
})

t.test('a refusal says what its members say', async (t) => {
  const bodyOf = (rejection: Rejection) => answerTo(problemOf(rejection)).body
  t.match(bodyOf(refusals.INVALID_STATE), {
    code: 'INVALID_STATE',
    detail: 'Not possible while the status is PENDING, only while it is APPROVED or FAILED.',
    currentStatus: 'PENDING',
    allowedStatuses: ['APPROVED', 'FAILED'],
  })
  t.match(bodyOf(refusals.PROVIDER_ABSENT), { code: 'PROVIDER_NOT_CONNECTED', status: 503, rail: 'CARD' })
  t.match(answerTo(problemOf(refusals.PROVIDER_UNREACHABLE)), {
    headers: { 'Retry-After': '15' },
    body: { code: 'PROVIDER_UNAVAILABLE', status: 503, rail: 'CARD' },
  })
  t.match(bodyOf(refusals.NOT_OFFERED), {
    code: 'NOT_OFFERED_BY_PROVIDER',
    status: 422,
    rail: 'PAYOUT',
    operation: 'TED',
  })
  t.match(bodyOf(refusals.DUE_DATE_TOO_FAR).errors, [{ message: 'dueDate must be at most 5 years ahead' }])
  const days = { reason: 'DUE_DATE_TOO_FAR', limit: 366, unit: 'DAYS' } as const
  t.match(bodyOf(days).errors, [{ message: 'dueDate must be at most 366 days ahead' }])
  t.match(bodyOf(refusals.COUPON_INVALID), { reason: 'EXPIRED', detail: 'The coupon has expired.' })
})
