import { unreachable } from '../../engine/assert.ts'
import { isoInstant } from '../../engine/calendar.ts'
import type { Rejection } from '../../engine/decision.ts'
import {
  invalidField,
  notFound,
  type Problem,
  type ProblemCode,
  productNotActive,
  sandboxOnly,
  unavailable,
} from './problem.ts'

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
      return conflict('INVALID_STATE', detail, { currentStatus, allowedStatuses })
    }
    case 'IDEMPOTENCY_KEY_REUSED':
      return refused(
        'IDEMPOTENCY_KEY_REUSED',
        'this Idempotency-Key was used with another method, path or body; nothing was done',
      )
    case 'AMOUNT_MISMATCH': {
      const payableAmount = String(rejection.payableCents)
      const detail = `the charge can only be paid with ${payableAmount} centavos`
      return refused('AMOUNT_MISMATCH', detail, { payableAmount })
    }
    case 'PAYMENT_REFUSED_BY_SCENARIO': {
      const extra = { currentStatus: 'PENDING', allowedStatuses: [] }
      return conflict('INVALID_STATE', 'the scenario never_paid refuses every payment of this charge', extra)
    }
    case 'OPERATION_IN_PROGRESS': {
      const { currentStatus, operation } = rejection
      const detail = `the provider is being asked (${operation}); try again when it has answered`
      return conflict('INVALID_STATE', detail, { currentStatus, allowedStatuses: [] })
    }
    case 'IDEMPOTENCY_KEY_IN_PROGRESS':
      return {
        ...conflict(
          'IDEMPOTENCY_KEY_IN_PROGRESS',
          'the first request with this Idempotency-Key is still running; ask again soon',
        ),
        headers: { 'Retry-After': '1' },
      }
    case 'REFERENCE_NOT_FOUND': {
      const { field } = rejection
      const detail = `${field} names nothing in this company and environment`
      return refused('REFERENCE_NOT_FOUND', detail, { field })
    }
    case 'CUSTOMER_DOCUMENT_REQUIRED':
      return refused('CUSTOMER_DOCUMENT_REQUIRED', 'a boleto needs a customer with a CPF or CNPJ')
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
      return refused('CAPTURE_EXCEEDS_AUTHORIZED', detail, { authorizedAmount })
    }
    case 'REFUND_NOT_SUPPORTED':
      return refused(
        'REFUND_NOT_SUPPORTED',
        `a payment by ${rejection.method} cannot be refunded through the API`,
      )
    case 'REFUND_WINDOW_EXPIRED': {
      const { what, days } = rejection
      const noun = { REFUND: 'a refund', CHARGEBACK: 'a chargeback', MED: 'a MED' }[what]
      return refused('REFUND_WINDOW_EXPIRED', `${noun} is possible until ${days} days after the payment`)
    }
    case 'REFUND_EXCEEDS_BALANCE': {
      const refundableAmount = String(rejection.refundableCents)
      const detail = `at most ${refundableAmount} centavos can be taken back`
      return refused('REFUND_EXCEEDS_BALANCE', detail, { refundableAmount })
    }
    case 'INSUFFICIENT_BALANCE':
      return refused('INSUFFICIENT_BALANCE', 'the available balance is less than the refund')
    case 'DISPUTE_OPEN': {
      const { disputeId } = rejection
      const field = disputeId.startsWith('cbk_') ? 'chargebackId' : 'medId'
      const detail = 'the payment is disputed: a refund beside it would pay the buyer twice'
      return conflict('DISPUTE_OPEN', detail, { [field]: disputeId })
    }
    case 'DEFENSE_WINDOW_CLOSED': {
      const defenseDueAt = isoInstant(rejection.defenseDueAtMs)
      return conflict('DEFENSE_WINDOW_CLOSED', `a defense was possible until ${defenseDueAt}`, {
        defenseDueAt,
      })
    }
    case 'PAID_AT_OUT_OF_RANGE':
      return outOfRange('paidAt', 'is not between the creation of the boleto and now')
    case 'AMOUNT_ABOVE_METHOD_LIMIT':
      return outOfRange('amount', `is at most ${rejection.limitCents} by this method`)
    case 'AMOUNT_TOO_SMALL':
      return outOfRange('amount', `is at least ${rejection.leastCents} in this status`)
    case 'PLAN_IN_USE': {
      const { field } = rejection
      const detail = `${field} of a plan that a subscription had does not change; make another plan`
      return conflict('PLAN_IN_USE', detail, { field })
    }
    case 'COUPON_IN_USE': {
      const { field } = rejection
      const detail = `${field} of a coupon that is redeemed does not change; make another coupon`
      return conflict('COUPON_IN_USE', detail, { field })
    }
    case 'DUPLICATE': {
      const { field, existingId } = rejection
      return conflict('DUPLICATE', `another one has this ${field}`, { existingId })
    }
    case 'INTERVAL_COUNT_REQUIRED':
      return invalidField(
        'intervalCount',
        'REQUIRED',
        'intervalCount is required: of CUSTOM it counts days, otherwise intervals',
      )
    case 'INTERVAL_COUNT_OUT_OF_RANGE':
      return outOfRange('intervalCount', `is at most ${rejection.countMax} of this interval`)
    case 'FIRST_INVOICE_TOO_LARGE':
      return outOfRange(
        'amount',
        `and setupFee are at most ${rejection.limitCents} together by these methods`,
      )
    case 'MAX_REDEMPTIONS_BELOW_COUNT': {
      const { redemptionsCount } = rejection
      return outOfRange('maxRedemptions', `is at least ${redemptionsCount}: so many were redeemed`)
    }
    case 'COUPON_ENDS_BEFORE_IT_STARTS':
      return outOfRange('expiresAt', 'is not after startsAt')
    case 'PRODUCT_NOT_ACTIVE':
      return productNotActive(rejection.product)
    case 'PLAN_INACTIVE':
      return refused('PLAN_INACTIVE', 'the plan takes no new subscriptions; those that it has continue')
    case 'METHOD_NOT_ACCEPTED': {
      const { allowedMethods } = rejection
      const detail = `the plan can be paid by ${allowedMethods.join(', ')}`
      return refused('METHOD_NOT_ACCEPTED', detail, { allowedMethods })
    }
    case 'SAME_PLAN':
      return refused(
        'SAME_PLAN',
        'the subscription has this plan, and no change is scheduled that could be cleared',
      )
    case 'COUPON_INVALID': {
      const { why: reason } = rejection
      return refused('COUPON_INVALID', `the coupon cannot be redeemed: ${reason}`, { reason })
    }
    case 'INVOICE_OPEN': {
      const { invoiceId } = rejection
      const detail =
        'a period can only be reckoned with when it is paid; pay the invoice, or change at its end'
      return conflict('INVOICE_OPEN', detail, { invoiceId })
    }
    case 'ATTEMPT_IN_PROGRESS': {
      const { attemptId } = rejection
      const detail = 'nobody knows yet what comes of the running attempt; try again when it has ended'
      return conflict('ATTEMPT_IN_PROGRESS', detail, { attemptId })
    }
    case 'RETRY_LIMIT_REACHED':
      return refused(
        'RETRY_LIMIT_REACHED',
        'a card that was declined 15 times in 30 days is not tried again; send another card',
      )
    case 'CARD_REQUIRED':
      return invalidField('card', 'REQUIRED', 'card is required: the subscription has none')
    case 'START_IN_THE_PAST':
      return invalidField('startAt', 'IN_THE_PAST', 'startAt is before today')
    case 'START_TOO_FAR':
      return outOfRange('startAt', `is more than ${rejection.days} days ahead`)
    case 'CREATED_AT_IN_THE_FUTURE':
      return outOfRange('createdAt', 'is in the future')
    case 'CREATED_AT_TOO_EARLY':
      return outOfRange('createdAt', 'is before the first due date of a boleto')
    case 'DUE_DATE_IN_THE_PAST':
      return invalidField('dueDate', 'IN_THE_PAST', 'dueDate is before today')
    case 'DUE_DATE_TOO_FAR':
      return outOfRange('dueDate', `is more than ${rejection.limit} ahead`)
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
    case 'CLOCK_RESET_MEANWHILE': {
      const extra = { currentStatus: 'IDLE', allowedStatuses: ['ADVANCING'] }
      const detail = 'the clock was reset before it reached its target; what was due until then was done'
      return conflict('INVALID_STATE', detail, extra)
    }
    case 'RECIPIENT_INACTIVE': {
      const { recipientId } = rejection
      return refused('RECIPIENT_INACTIVE', 'a recipient of the split gets no new payments', {
        recipientId,
      })
    }
    case 'SPLIT_RULE_INACTIVE':
      return refused('SPLIT_RULE_INACTIVE', 'the split rule is not active')
    case 'SPLIT_EXCEEDS_AMOUNT':
      return refused(
        'SPLIT_EXCEEDS_AMOUNT',
        'the fixed and percentage parts of the split are more than the amount',
      )
    case 'SANDBOX_ONLY':
      return sandboxOnly
    case 'DELIVERY_UNFINISHED':
      return conflict('INVALID_STATE', 'the delivery is still being attempted', {
        currentStatus: 'RETRYING',
        allowedStatuses: ['SUCCEEDED', 'EXHAUSTED', 'CANCELLED'],
      })
    default:
      return unreachable(rejection)
  }
}

/** What the state does not allow: wait, or change it. */
const conflict = (code: ProblemCode, detail: string, extra?: Problem['extra']): Problem =>
  problem(409, code, detail, extra)

/** Well formed, but this business rule says no. */
const refused = (code: ProblemCode, detail: string, extra?: Problem['extra']): Problem =>
  problem(422, code, detail, extra)

const problem = (status: number, code: ProblemCode, detail: string, extra: Problem['extra']): Problem => ({
  status,
  code,
  detail,
  ...(extra && { extra }),
})

const outOfRange = (field: string, how: string): Problem =>
  invalidField(field, 'OUT_OF_RANGE', `${field} ${how}`)
