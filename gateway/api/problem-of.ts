import type { Rejection } from '../../engine/kernel/registry.ts'
import { isoInstant } from '../../engine/shared/calendar.ts'
import type { Text } from '../problems/messages/text.ts'
import {
  invalidField,
  notFound,
  type Problem,
  problem,
  productNotActive,
  unavailable,
} from '../problems/problem.ts'
import { instantOrNull } from '../resources/fields.ts'
import { controlNames } from '../resources/money-out/approval-and-limits.ts'

/** The problem that answers a refusal of the engine. */
export const problemOf = (rejection: Rejection): Problem =>
  (problems[rejection.reason] as (rejection: Rejection) => Problem)(rejection)

/** The problem for each refusal. A refusal without one does not compile. */
const problems: {
  readonly [Reason in Rejection['reason']]: (rejection: Extract<Rejection, { reason: Reason }>) => Problem
} = {
  ACCOUNT_ABSENT: () => unavailable,
  NOT_FOUND: ({ resource }) => notFound(resource),
  INVALID_STATE: ({ currentStatus, allowedStatuses }) =>
    stateProblem(
      (say) => say.details.invalidState(currentStatus, allowedStatuses),
      currentStatus,
      allowedStatuses,
    ),
  OPERATION_IN_PROGRESS: ({ currentStatus, operation }) =>
    stateProblem((say) => say.details.providerAsked(operation), currentStatus),
  PAYMENT_REFUSED_BY_SCENARIO: () => stateProblem((say) => say.details.neverPaid, 'PENDING'),
  CHANGE_PENDING: ({ changeId }) => problem('CHANGE_PENDING', null, { extra: { existingId: changeId } }),
  OWN_REQUEST: () => problem('OWN_REQUEST'),
  APPROVER_TOO_NEW: () => problem('NO_PERMISSION', (say) => say.details.approverTooNew),
  ALREADY_DECIDED: () => stateProblem((say) => say.details.decidedAlready, 'PENDING_APPROVAL'),
  LIMIT_EXCEEDED: ({ limit, remainingCents, resetsAtMs }) =>
    problem(
      'LIMIT_EXCEEDED',
      (say) =>
        resetsAtMs === null
          ? say.details.singleTransfer(remainingCents)
          : say.details.limitLeft(remainingCents),
      {
        extra: {
          limit: controlNames[limit],
          remaining: String(remainingCents),
          resetsAt: instantOrNull(resetsAtMs),
        },
      },
    ),
  BENEFICIARY_COOLING_OFF: ({ availableAtMs, limitCents }) =>
    problem('BENEFICIARY_COOLING_OFF', null, {
      extra: { availableAt: availableAtMs && isoInstant(availableAtMs), limit: String(limitCents) },
    }),
  BENEFICIARY_INACTIVE: () => problem('BENEFICIARY_INACTIVE'),
  LOOKUP_EXPIRED: () => problem('LOOKUP_EXPIRED'),
  STATEMENT_REFUSED: ({ why }) => problem('STATEMENT_REFUSED', (say) => say.details.statementRefused[why]),
  NOT_BORNE_OUT: ({ why, date }) =>
    problem('NOT_BORNE_OUT', (say) => say.details.notBorneOut[why], { extra: { why, date } }),
  LOOKUP_QUOTA: ({ tokens, retryAfterSeconds }) =>
    problem('LOOKUP_QUOTA', null, {
      extra: { tokens },
      headers: { 'Retry-After': String(retryAfterSeconds) },
    }),
  POSSIBLE_DUPLICATE: ({ existingId }) => problem('POSSIBLE_DUPLICATE', null, { extra: { existingId } }),
  TED_TO_KEY: () => invalidField('kind', 'INVALID_VALUE', (say) => say.tedToKey('kind')),
  SCHEDULED_IN_THE_PAST: () =>
    invalidField('scheduledFor', 'IN_THE_PAST', (say) => say.inThePast('scheduledFor')),
  SCHEDULED_TOO_FAR: ({ days }) =>
    invalidField('scheduledFor', 'OUT_OF_RANGE', (say) => say.tooManyDaysAhead('scheduledFor', days)),
  DELIVERY_UNFINISHED: () =>
    stateProblem((say) => say.details.deliveryUnfinished, 'RETRYING', [
      'SUCCEEDED',
      'EXHAUSTED',
      'CANCELLED',
    ]),
  DELIVERY_FINISHED: () =>
    stateProblem((say) => say.details.deliveryFinished, 'SUCCEEDED', ['PENDING', 'RETRYING']),
  DELIVERY_FORGOTTEN: () => problem('INVALID_STATE', (say) => say.details.deliveryForgotten),

  TOO_MANY_OPEN_TICKETS: ({ openMax }) =>
    stateProblem((say) => say.details.tooManyOpenTickets(openMax), 'OPEN'),
  TOO_MANY_NOTES: ({ notesMax }) => problem('INVALID_STATE', (say) => say.details.tooManyNotes(notesMax)),
  NOTE_OF_ANOTHER: () => problem('NO_PERMISSION', (say) => say.details.noteOfAnother),
  NOTICE_TOO_LARGE: () => problem('PAYLOAD_TOO_LARGE'),
  TOO_MANY_VIEWS: ({ viewsMax }) => problem('INVALID_STATE', (say) => say.details.tooManyViews(viewsMax)),
  TICKET_CLOSED: ({ days }) =>
    stateProblem((say) => say.details.ticketClosedForLong(days), 'CLOSED', ['OPEN', 'WAITING_COMPANY']),

  IDEMPOTENCY_KEY_REUSED: () => problem('IDEMPOTENCY_KEY_REUSED'),
  IDEMPOTENCY_KEY_IN_PROGRESS: () =>
    problem('IDEMPOTENCY_KEY_IN_PROGRESS', null, { headers: { 'Retry-After': '1' } }),
  PRODUCT_NOT_ACTIVE: ({ product }) => productNotActive(product),
  ALREADY_RECEIVED: ({ receivedPixId }) =>
    problem('DUPLICATE', (say) => say.details.taken('endToEndId'), { extra: { existingId: receivedPixId } }),
  PROVIDER_ABSENT: ({ rail }) =>
    problem('PROVIDER_NOT_CONNECTED', (say) => say.details.notConnected(rail), { extra: { rail } }),
  PROVIDER_UNREACHABLE: ({ rail, retryAfterSeconds }) =>
    problem('PROVIDER_UNAVAILABLE', null, {
      extra: { rail },
      headers: { 'Retry-After': String(retryAfterSeconds) },
    }),
  NOT_OFFERED: ({ rail, offer }) =>
    problem('NOT_OFFERED_BY_PROVIDER', (say) => say.details.notOffered(rail, offer), {
      extra: { rail, operation: offer },
    }),
  REFERENCE_NOT_FOUND: ({ field }) =>
    problem('REFERENCE_NOT_FOUND', (say) => say.details.references(field), { extra: { field } }),
  MAIL_NOT_SET_UP: () => problem('MAIL_NOT_SET_UP'),
  PAYER_EMAIL_MISSING: () => problem('CUSTOMER_EMAIL_REQUIRED'),
  TOO_MANY_MAILS: ({ of, mailsMax, availableAtMs }) =>
    problem(
      'TOO_MANY_MAILS',
      (say) => (of === 'CHARGE' ? say.details.chargeSentOften : say.details.companySentOften)(mailsMax),
      { extra: { availableAt: isoInstant(availableAtMs) } },
    ),
  CUSTOMER_DOCUMENT_REQUIRED: () => problem('CUSTOMER_DOCUMENT_REQUIRED'),

  AMOUNT_MISMATCH: ({ payableCents }) =>
    problem('AMOUNT_MISMATCH', (say) => say.details.payable(payableCents), {
      extra: { payableAmount: String(payableCents) },
    }),
  AMOUNT_ABOVE_METHOD_LIMIT: ({ limitCents }) =>
    invalidField('amount', 'OUT_OF_RANGE', (say) => say.atMostCents('amount', limitCents)),
  AMOUNT_TOO_SMALL: ({ leastCents }) =>
    invalidField('amount', 'OUT_OF_RANGE', (say) => say.atLeastCents('amount', leastCents)),
  DUE_DATE_IN_THE_PAST: () => invalidField('dueDate', 'IN_THE_PAST', (say) => say.inThePast('dueDate')),
  DUE_DATE_TOO_FAR: ({ limit, unit }) =>
    invalidField('dueDate', 'OUT_OF_RANGE', (say) =>
      unit === 'DAYS' ? say.tooManyDaysAhead('dueDate', limit) : say.tooManyYearsAhead('dueDate', limit),
    ),
  NO_QR_CODE: () => invalidField('by', 'INVALID_VALUE', (say) => say.noQrCode('by')),
  PAID_AT_OUT_OF_RANGE: () => invalidField('paidAt', 'OUT_OF_RANGE', (say) => say.paidAtOfBoleto('paidAt')),

  CAPTURE_EXCEEDS_AUTHORIZED: ({ authorizedCents }) =>
    problem('CAPTURE_EXCEEDS_AUTHORIZED', (say) => say.details.capturable(authorizedCents), {
      extra: { authorizedAmount: String(authorizedCents) },
    }),
  REFUND_NOT_PERMITTED: () =>
    problem('NO_PERMISSION', (say) => say.details.permissionMissing('refunds.create'), {
      extra: { requiredPermission: 'refunds.create' },
    }),
  REFUND_NOT_SUPPORTED: ({ method }) =>
    problem('REFUND_NOT_SUPPORTED', (say) => say.details.methodNotRefundable(method)),
  REFUND_WINDOW_EXPIRED: ({ what, days }) =>
    problem('REFUND_WINDOW_EXPIRED', (say) => {
      const { refundWindow, chargebackWindow, medWindow } = say.details
      return { REFUND: refundWindow, CHARGEBACK: chargebackWindow, MED: medWindow }[what](days)
    }),
  REFUND_EXCEEDS_BALANCE: ({ refundableCents }) =>
    problem('REFUND_EXCEEDS_BALANCE', (say) => say.details.refundable(refundableCents), {
      extra: { refundableAmount: String(refundableCents) },
    }),
  INSUFFICIENT_BALANCE: () => problem('INSUFFICIENT_BALANCE'),
  DISPUTE_OPEN: ({ disputeId }) =>
    problem('DISPUTE_OPEN', null, {
      extra: { [disputeId.startsWith('cbk_') ? 'chargebackId' : 'medId']: disputeId },
    }),
  DEFENSE_WINDOW_CLOSED: ({ defenseDueAtMs }) => {
    const defenseDueAt = isoInstant(defenseDueAtMs)
    return problem('DEFENSE_WINDOW_CLOSED', (say) => say.details.defenseWas(defenseDueAt), {
      extra: { defenseDueAt },
    })
  },

  ALREADY_DEFENDED: () => stateProblem((say) => say.details.defendedAlready, 'OPEN'),
  NOTHING_RETURNED: () => stateProblem((say) => say.details.nothingReturned, 'CLOSED'),

  ADDRESS_INVALID: ({ field }) => problem('ADDRESS_INVALID', null, { extra: { field } }),
  ADDRESS_REQUIRED: () => invalidField('address', 'REQUIRED', (say) => say.required('address')),
  BELOW_NETWORK_FEE: () => problem('INSUFFICIENT_BALANCE', (say) => say.details.belowNetworkFee),
  QUOTE_EXPIRED: () => problem('QUOTE_EXPIRED'),
  TOO_MANY_QUOTES: ({ retryAfterSeconds }) =>
    problem('TOO_MANY_ATTEMPTS', (say) => say.details.tooManyQuotes, {
      headers: { 'Retry-After': String(retryAfterSeconds) },
    }),
  WALLET_EXISTS: ({ walletId }) =>
    problem('DUPLICATE', (say) => say.details.taken('address'), { extra: { existingId: walletId } }),
  WALLET_NOT_ACTIVE: ({ status, availableAtMs }) =>
    problem('WALLET_NOT_ACTIVE', null, {
      extra: { currentStatus: status, availableAt: isoInstant(availableAtMs) },
    }),

  RECIPIENT_INACTIVE: ({ recipientId }) => problem('RECIPIENT_INACTIVE', null, { extra: { recipientId } }),
  SPLIT_RULE_INACTIVE: () => problem('SPLIT_RULE_INACTIVE'),
  SPLIT_EXCEEDS_AMOUNT: () => problem('SPLIT_EXCEEDS_AMOUNT'),

  PLAN_IN_USE: ({ field }) =>
    problem('PLAN_IN_USE', (say) => say.details.planFieldFixed(field), { extra: { field } }),
  PLAN_INACTIVE: () => problem('PLAN_INACTIVE'),
  PIX_AUTOMATIC_UNAVAILABLE: ({ lacks }) => problem('PIX_AUTOMATIC_UNAVAILABLE', null, { extra: { lacks } }),
  INTERVAL_COUNT_REQUIRED: () =>
    invalidField('intervalCount', 'REQUIRED', (say) => say.daysOfCustomInterval('intervalCount')),
  INTERVAL_COUNT_OUT_OF_RANGE: ({ countMax }) =>
    invalidField('intervalCount', 'OUT_OF_RANGE', (say) => say.intervalsAtMost('intervalCount', countMax)),
  FIRST_INVOICE_TOO_LARGE: ({ limitCents }) =>
    invalidField('amount', 'OUT_OF_RANGE', (say) => say.setupFeeAndAmount('amount', limitCents)),
  COUPON_IN_USE: ({ field }) =>
    problem('COUPON_IN_USE', (say) => say.details.couponFieldFixed(field), { extra: { field } }),
  DUPLICATE: ({ field, existingId }) =>
    problem('DUPLICATE', (say) => say.details.taken(field), { extra: { existingId } }),
  MAX_REDEMPTIONS_BELOW_COUNT: ({ redemptionsCount }) =>
    invalidField('maxRedemptions', 'OUT_OF_RANGE', (say) =>
      say.redeemedMoreOften('maxRedemptions', redemptionsCount),
    ),
  COUPON_ENDS_BEFORE_IT_STARTS: () =>
    invalidField('expiresAt', 'OUT_OF_RANGE', (say) => say.after('expiresAt', 'startsAt')),
  COUPON_INVALID: ({ why: reason }) =>
    problem('COUPON_INVALID', (say) => say.details.couponRefused[reason], { extra: { reason } }),

  METHOD_NOT_ACCEPTED: ({ allowedMethods }) =>
    problem('METHOD_NOT_ACCEPTED', (say) => say.details.planMethods(allowedMethods), {
      extra: { allowedMethods },
    }),
  SAME_PLAN: () => problem('SAME_PLAN'),
  INVOICE_OPEN: ({ invoiceId }) => problem('INVOICE_OPEN', null, { extra: { invoiceId } }),
  ATTEMPT_IN_PROGRESS: ({ attemptId }) => problem('ATTEMPT_IN_PROGRESS', null, { extra: { attemptId } }),
  RETRY_LIMIT_REACHED: () => problem('RETRY_LIMIT_REACHED'),
  CARD_REQUIRED: () => invalidField('card', 'REQUIRED', (say) => say.subscriptionHasNoCard('card')),
  START_IN_THE_PAST: () => invalidField('startAt', 'IN_THE_PAST', (say) => say.inThePast('startAt')),
  START_TOO_FAR: ({ days }) =>
    invalidField('startAt', 'OUT_OF_RANGE', (say) => say.tooManyDaysAhead('startAt', days)),

  LINK_IN_USE: ({ field }) =>
    problem('LINK_IN_USE', (say) => say.details.linkFieldFixed(field), { extra: { field } }),
  MAX_PAYMENTS_BELOW_COUNT: ({ paymentsCount }) =>
    invalidField('maxPayments', 'OUT_OF_RANGE', (say) => say.paidMoreOften('maxPayments', paymentsCount)),
  // What payers meet: the pages say it in words of their own.
  SESSION_CLOSED: ({ status }) =>
    stateProblem((say) => say.details.invalidState(status, payableStatuses), status, payableStatuses),
  SESSION_METHOD_NOT_OFFERED: ({ allowed }) =>
    problem('METHOD_NOT_ACCEPTED', (say) => say.details.pageMethods(allowed), {
      extra: { allowedMethods: allowed },
    }),
  INSTALLMENTS_NOT_OFFERED: () =>
    invalidField('installments', 'OUT_OF_RANGE', (say) => say.notOffered('installments')),
  PAYMENT_UNDER_WAY: ({ method }) =>
    stateProblem((say) => say.details.paymentUnderWay(method), 'PROCESSING', ['OPEN']),
  PAGES_NOT_SET_UP: () => problem('CHECKOUT_NOT_SET_UP'),
  PAGE_OUTDATED: () => stateProblem((say) => say.details.pageOutdated, 'PROCESSING', ['OPEN']),
  TOO_MANY_TRIES: () => stateProblem((say) => say.details.tooManyTries, 'OPEN'),
  LINK_CLOSED: ({ status }) =>
    stateProblem((say) => say.details.invalidState(status, ['ACTIVE']), status, ['ACTIVE']),
  LINK_BUSY: () => stateProblem((say) => say.details.linkBusy, 'ACTIVE'),
  AMOUNT_NOT_OFFERED: ({ minCents, maxCents }) =>
    invalidField('amount', 'OUT_OF_RANGE', (say) => say.between('amount', minCents, maxCents)),
  QUANTITY_NOT_OFFERED: ({ min, max }) =>
    invalidField('quantity', 'OUT_OF_RANGE', (say) => say.between('quantity', min, max)),
  CARD_AMOUNT_TOO_SMALL: ({ minCents }) =>
    invalidField('amount', 'OUT_OF_RANGE', (say) => say.atLeastCents('amount', minCents)),
  CARD_NOT_AUTHENTICATED: () => invalidField('card', 'INVALID_VALUE', (say) => say.notOffered('card')),
  COUPONS_NOT_TAKEN: () => invalidField('couponCode', 'INVALID_VALUE', (say) => say.notOffered('couponCode')),
  INSECURE_URL: ({ field }) => invalidField(field, 'INVALID_VALUE', (say) => say.httpsOnly(field)),
  NOTHING_TO_PAY: () => invalidField('couponCode', 'INVALID_VALUE', (say) => say.nothingToPay('couponCode')),

  CREATED_AT_IN_THE_FUTURE: () =>
    invalidField('createdAt', 'OUT_OF_RANGE', (say) => say.inTheFuture('createdAt')),
  CREATED_AT_TOO_EARLY: () =>
    invalidField('createdAt', 'OUT_OF_RANGE', (say) => say.beforeFirstBoleto('createdAt')),
  CLOCK_CANNOT_GO_BACK: () => invalidField('to', 'IN_THE_PAST', (say) => say.clockGoesForward('to')),
  CLOCK_RESET_MEANWHILE: () => stateProblem((say) => say.details.clockResetMeanwhile, 'IDLE', ['ADVANCING']),
  CLOCK_STEP_TOO_LONG: () => invalidField('to', 'OUT_OF_RANGE', (say) => say.clockStepTooLong('to')),
}

const payableStatuses = ['OPEN', 'PROCESSING']

/** 409 for what the status does not allow. */
export const stateProblem = (
  detail: Text,
  currentStatus: string,
  allowedStatuses: readonly string[] = [],
): Problem => problem('INVALID_STATE', detail, { extra: { currentStatus, allowedStatuses } })
