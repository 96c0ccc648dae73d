/**
 * An invoice collects one cycle or one plan change: attempts are charges of `payments/`, and dunning repeats them
 * when they fail.
 */
import type { ActorFact } from '../../kernel/fact.ts'
import type { FailureReason } from '../../payments/transaction/transaction.ts'
import type { CalendarDate } from '../../shared/calendar.ts'
import type {
  AccountId,
  AttemptId,
  CouponId,
  CustomerId,
  InvoiceId,
  PlanId,
  SubscriptionId,
  TransactionId,
} from '../../shared/ids.ts'
import type { Initiator } from '../../shared/initiator.ts'
import type { Cents } from '../../shared/money.ts'
import type { DunningPolicy } from '../catalog/dunning.ts'
import type { BillingMethod } from '../catalog/plan.ts'
import type { BillingCard, PaymentData } from '../payment-means.ts'

declare module '../../kernel/registry.ts' {
  interface ActorStates {
    readonly invoice: Invoice
  }
  interface ActorFacts {
    readonly invoice: InvoiceFact
  }
}

export type InvoiceStatus = 'OPEN' | 'PAST_DUE' | 'PAID' | 'VOID' | 'UNCOLLECTIBLE'

/** What a subscription asks its customer to pay, with every attempt to collect it (decisions, section 21). */
export type Invoice = NewInvoice & {
  readonly id: InvoiceId
  readonly status: InvoiceStatus
  readonly paidCents: Cents
  readonly attempts: readonly CollectionAttempt[]
  readonly dunning: Dunning | null
  /** While the subscription is paused, nothing is retried and the invoice is not marked uncollectible. */
  readonly pausedAtMs: number | null
  readonly createdAtMs: number
  readonly updatedAtMs: number
  readonly paidAtMs: number | null
  readonly voidedAtMs: number | null
}

/** What an invoice is issued with. */
export type NewInvoice = {
  readonly accountId: AccountId
  /** Counted per company. */
  readonly number: number
  readonly kind: 'CYCLE' | 'PRORATION'
  readonly subscriptionId: SubscriptionId
  readonly customerId: CustomerId
  readonly planId: PlanId
  readonly cycle: number
  readonly method: BillingMethod
  readonly periodStart: CalendarDate
  readonly periodEnd: CalendarDate
  readonly dueDate: CalendarDate
  readonly lines: readonly InvoiceLine[]
  readonly subtotalCents: Cents
  readonly discountCents: Cents
  readonly creditAppliedCents: Cents
  readonly totalCents: Cents
  /** The coupon used for it, whatever it took off. */
  readonly couponId: CouponId | null
}

export type InvoiceLine = {
  readonly type: 'PLAN' | 'SETUP_FEE' | 'PRORATION_CREDIT' | 'PRORATION_CHARGE' | 'DISCOUNT' | 'CREDIT'
  readonly description: string
  /** Discounts and credits are negative. */
  readonly cents: Cents
  readonly periodStart: CalendarDate
  readonly periodEnd: CalendarDate
}

/** One try to collect an invoice, with a charge of its own. */
export type CollectionAttempt = NewAttempt & {
  readonly status: 'PENDING' | 'SUCCEEDED' | 'FAILED' | 'CANCELLED'
  readonly failureReason: FailureReason | null
  readonly retryable: boolean | null
  readonly payment: PaymentData | null
  readonly createdAtMs: number
  readonly finishedAtMs: number | null
}

/** What an attempt starts with. */
export type NewAttempt = {
  readonly id: AttemptId
  readonly number: number
  readonly trigger: 'AUTOMATIC' | 'DUNNING' | 'MANUAL'
  readonly method: BillingMethod
  /** A card other than the subscription's. If it pays, it becomes the subscription's. */
  readonly card: BillingCard | null
  /** Null when no charge could be made. */
  readonly transactionId: TransactionId | null
  readonly amountCents: Cents
  /** The time until which the invoice waits for the money; null when the charge itself reports its end. */
  readonly failsAtMs: number | null
}

/** The state of dunning since the first failure (decisions, section 24). */
export type Dunning = {
  /** As it was at the first failure. */
  readonly policy: DunningPolicy
  readonly failedOn: CalendarDate
  /** How many steps of the policy were taken. */
  readonly steps: number
  /** How many of the first steps are retries by mandate; absent where none is. */
  readonly byMandate?: number
  /** The card must not be retried, so the remaining steps are skipped. */
  readonly isSkipping: boolean
  /** When it continues; while an attempt is running, the earliest time. */
  readonly nextAtMs: number
  /** Whether the next step is the end rather than another attempt. */
  readonly isEnding: boolean
}

export type InvoiceFact =
  | InvoiceIssued
  | AttemptStarted
  | AttemptPresented
  | AttemptSucceeded
  | AttemptFailed
  | AttemptCancelled
  | Fact<'AttemptAwaited'>
  /** The bank has reported the money, so the attempt is not late while it clears. */
  | (Fact<'AttemptExtended'> & { readonly number: number; readonly failsAtMs: number })
  | InvoiceMoved
  | Fact<'InvoiceVoided'>
  | Fact<'InvoiceMarkedUncollectible'>
  | Fact<'DunningPaused'>
  /** The next step was moved: one was taken, or it had to wait. */
  | (Fact<'DunningPostponed'> & { readonly dunning: Dunning | null })

type Fact<Type extends string> = ActorFact<'invoice', Type>

/** An invoice with nothing to pay is paid at once. */
export type InvoiceIssued = Fact<'InvoiceIssued'> & {
  readonly by: Initiator
  readonly invoice: NewInvoice
}

export type AttemptStarted = Fact<'AttemptStarted'> & { readonly attempt: NewAttempt }

/** The payer can pay it now. */
export type AttemptPresented = Fact<'AttemptPresented'> & {
  readonly number: number
  readonly payment: PaymentData
}

export type AttemptSucceeded = Fact<'AttemptSucceeded'> & {
  readonly number: number
  readonly paidCents: Cents
}

export type AttemptFailed = Fact<'AttemptFailed'> & {
  readonly number: number
  readonly wasCancelled: boolean
  readonly failureReason: FailureReason
  readonly retryable: boolean
  readonly dunning: Dunning | null
}

/** The first invoice of a subscription was paid late, so its period begins on that day. */
export type InvoiceMoved = Fact<'InvoiceMoved'> & {
  readonly periodStart: CalendarDate
  readonly periodEnd: CalendarDate
}

/** Another attempt replaces it, or the money is no longer owed. */
export type AttemptCancelled = Fact<'AttemptCancelled'> & { readonly number: number }

/** Whether it can still be paid, also late or marked uncollectible. */
export const isPayable = ({ status }: Pick<Invoice, 'status'>): boolean =>
  status === 'OPEN' || status === 'PAST_DUE' || status === 'UNCOLLECTIBLE'

/** The attempt that has not ended. */
export const runningAttempt = ({ attempts }: Invoice): CollectionAttempt | null => {
  const last = attempts.at(-1)
  return last?.status === 'PENDING' ? last : null
}

/**
 * When the next automatic attempt is made: at the next dunning step, but not before the running attempt's charge has
 * ended, and never in the past (decisions, section 24). Null when none will be made.
 */
export const nextAttemptAtMs = (invoice: Invoice, nowMs: number): number | null => {
  const { status, dunning, pausedAtMs } = invoice
  if (status !== 'PAST_DUE' || dunning === null || dunning.isEnding || pausedAtMs !== null) return null
  const running = runningAttempt(invoice)
  const chargeEndsAtMs = running?.failsAtMs ?? running?.payment?.expiresAtMs ?? 0
  return Math.max(dunning.nextAtMs, chargeEndsAtMs, nowMs)
}
