import type { CouponRefusal } from '../billing/catalog/redemption.ts'
import type { Product } from '../directory/directory.ts'
import type { Method } from '../payments/transaction/transaction.ts'
import type { AttemptId, ChargebackId, CouponId, InvoiceId, MedId, RecipientId } from '../shared/ids.ts'
import type { Cents } from '../shared/money.ts'

/** What a decider answers: facts, or a named refusal. */
export type Decision<Event> =
  | { readonly accepted: true; readonly events: readonly Event[] }
  | { readonly accepted: false; readonly rejection: Rejection }

/** Why the business says no. The gateway gives each of these one status and code. */
export type Rejection =
  | { readonly reason: 'ACCOUNT_ABSENT' }
  | { readonly reason: 'NOT_FOUND'; readonly resource: string }
  | {
      readonly reason: 'INVALID_STATE'
      readonly currentStatus: string
      readonly allowedStatuses: readonly string[]
    }
  /** A provider is being asked, and its answer decides what is possible. */
  | { readonly reason: 'OPERATION_IN_PROGRESS'; readonly currentStatus: string; readonly operation: string }
  | { readonly reason: 'IDEMPOTENCY_KEY_REUSED' }
  | { readonly reason: 'IDEMPOTENCY_KEY_IN_PROGRESS' }
  | { readonly reason: 'REFERENCE_NOT_FOUND'; readonly field: string }
  | { readonly reason: 'CUSTOMER_DOCUMENT_REQUIRED' }
  /** Nothing is connected that could do it in this environment. */
  | { readonly reason: 'PROVIDER_ABSENT'; readonly rail: 'PIX' | 'BOLETO' | 'CARD' }
  | { readonly reason: 'AMOUNT_MISMATCH'; readonly payableCents: Cents }
  | { readonly reason: 'PAYMENT_REFUSED_BY_SCENARIO' }
  | { readonly reason: 'CAPTURE_EXCEEDS_AUTHORIZED'; readonly authorizedCents: Cents }
  | { readonly reason: 'REFUND_NOT_SUPPORTED'; readonly method: Method }
  | {
      readonly reason: 'REFUND_WINDOW_EXPIRED'
      readonly what: 'REFUND' | 'CHARGEBACK' | 'MED'
      readonly days: number
    }
  | { readonly reason: 'REFUND_EXCEEDS_BALANCE'; readonly refundableCents: Cents }
  | { readonly reason: 'INSUFFICIENT_BALANCE' }
  | { readonly reason: 'DISPUTE_OPEN'; readonly disputeId: ChargebackId | MedId }
  | { readonly reason: 'DEFENSE_WINDOW_CLOSED'; readonly defenseDueAtMs: number }
  | { readonly reason: 'DUE_DATE_IN_THE_PAST' }
  | { readonly reason: 'DUE_DATE_TOO_FAR'; readonly limit: number; readonly unit: 'DAYS' | 'YEARS' }
  | { readonly reason: 'PAID_AT_OUT_OF_RANGE' }
  /** A boleto that was issued without PIX. */
  | { readonly reason: 'NO_QR_CODE' }
  | { readonly reason: 'AMOUNT_ABOVE_METHOD_LIMIT'; readonly limitCents: Cents }
  | { readonly reason: 'AMOUNT_TOO_SMALL'; readonly leastCents: Cents }
  /** What subscriptions rely on is not changed any more. */
  | { readonly reason: 'PLAN_IN_USE'; readonly field: string }
  | { readonly reason: 'COUPON_IN_USE'; readonly field: string }
  | { readonly reason: 'DUPLICATE'; readonly field: string; readonly existingId: CouponId }
  | { readonly reason: 'INTERVAL_COUNT_REQUIRED' }
  | { readonly reason: 'FIRST_INVOICE_TOO_LARGE'; readonly limitCents: Cents }
  | { readonly reason: 'INTERVAL_COUNT_OUT_OF_RANGE'; readonly countMax: number }
  | { readonly reason: 'MAX_REDEMPTIONS_BELOW_COUNT'; readonly redemptionsCount: number }
  | { readonly reason: 'COUPON_ENDS_BEFORE_IT_STARTS' }
  | { readonly reason: 'CREATED_AT_IN_THE_FUTURE' }
  | { readonly reason: 'CREATED_AT_TOO_EARLY' }
  | { readonly reason: 'CLOCK_CANNOT_GO_BACK' }
  | { readonly reason: 'CLOCK_STEP_TOO_LONG' }
  /** Another request set the clock back while it advanced. */
  | { readonly reason: 'CLOCK_RESET_MEANWHILE' }
  | { readonly reason: 'SANDBOX_ONLY' }
  | { readonly reason: 'DELIVERY_UNFINISHED' }
  | { readonly reason: 'RECIPIENT_INACTIVE'; readonly recipientId: RecipientId }
  | { readonly reason: 'SPLIT_RULE_INACTIVE' }
  | { readonly reason: 'SPLIT_EXCEEDS_AMOUNT' }
  | { readonly reason: 'PRODUCT_NOT_ACTIVE'; readonly product: Product }
  | { readonly reason: 'PLAN_INACTIVE' }
  | { readonly reason: 'METHOD_NOT_ACCEPTED'; readonly allowedMethods: readonly Method[] }
  | { readonly reason: 'SAME_PLAN' }
  | { readonly reason: 'COUPON_INVALID'; readonly why: CouponRefusal }
  | { readonly reason: 'INVOICE_OPEN'; readonly invoiceId: InvoiceId }
  | { readonly reason: 'ATTEMPT_IN_PROGRESS'; readonly attemptId: AttemptId }
  | { readonly reason: 'RETRY_LIMIT_REACHED' }
  | { readonly reason: 'CARD_REQUIRED' }
  | { readonly reason: 'START_IN_THE_PAST' }
  | { readonly reason: 'START_TOO_FAR'; readonly days: number }

export const accept = <Event>(...events: readonly Event[]): Decision<Event> => ({ accepted: true, events })

export const reject = <Event>(rejection: Rejection): Decision<Event> => ({ accepted: false, rejection })
