import type { ProviderOffer } from '../kernel/context.ts'
import type { ChargebackId, MedId, ReceivedPixId, SuspenseId } from '../shared/ids.ts'
import type { Method } from '../shared/method.ts'
import type { Cents } from '../shared/money.ts'
import type { Rail } from '../shared/rail.ts'

declare module '../kernel/registry.ts' {
  interface FolderRefusals {
    readonly payments: PaymentRefusal
  }
}

/** Refusals of payments. */
export type PaymentRefusal =
  /** A provider call is under way, and its answer decides what is possible. */
  | { readonly reason: 'OPERATION_IN_PROGRESS'; readonly currentStatus: string; readonly operation: string }
  | { readonly reason: 'CUSTOMER_DOCUMENT_REQUIRED' }
  /** No provider for this rail is connected in this environment. */
  | { readonly reason: 'PROVIDER_ABSENT'; readonly rail: Rail }
  /** The provider answers nothing at the moment. Nothing new is begun with it. */
  | { readonly reason: 'PROVIDER_UNREACHABLE'; readonly rail: Rail; readonly retryAfterSeconds: number }
  /** The connected provider cannot do this. */
  | { readonly reason: 'NOT_OFFERED'; readonly rail: Rail; readonly offer: ProviderOffer }
  | { readonly reason: 'AMOUNT_MISMATCH'; readonly payableCents: Cents }
  /** A PIX with this end-to-end id was already recorded. */
  | { readonly reason: 'ALREADY_RECEIVED'; readonly receivedPixId: ReceivedPixId | SuspenseId }
  | { readonly reason: 'PAYMENT_REFUSED_BY_SCENARIO' }
  | { readonly reason: 'CAPTURE_EXCEEDS_AUTHORIZED'; readonly authorizedCents: Cents }
  | { readonly reason: 'REFUND_NOT_PERMITTED' }
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
  /** The merchant has already defended this MED. */
  | { readonly reason: 'ALREADY_DEFENDED' }
  /** The MED has returned no money to contest. */
  | { readonly reason: 'NOTHING_RETURNED' }
  | { readonly reason: 'DUE_DATE_IN_THE_PAST' }
  | { readonly reason: 'DUE_DATE_TOO_FAR'; readonly limit: number; readonly unit: 'DAYS' | 'YEARS' }
  | { readonly reason: 'PAID_AT_OUT_OF_RANGE' }
  /** The boleto was issued without PIX. */
  | { readonly reason: 'NO_QR_CODE' }
  | { readonly reason: 'AMOUNT_ABOVE_METHOD_LIMIT'; readonly limitCents: Cents }
  | { readonly reason: 'AMOUNT_TOO_SMALL'; readonly leastCents: Cents }
  | { readonly reason: 'CREATED_AT_IN_THE_FUTURE' }
  | { readonly reason: 'CREATED_AT_TOO_EARLY' }
