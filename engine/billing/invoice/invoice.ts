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
    readonly invoice: InvoiceEvent
  }
}

export const invoiceStatuses = ['OPEN', 'PAST_DUE', 'PAID', 'VOID', 'UNCOLLECTIBLE'] as const
export type InvoiceStatus = (typeof invoiceStatuses)[number]

/** What a subscription asks its customer to pay, and every attempt to collect it (decisions, section 21). */
export type Invoice = {
  readonly id: InvoiceId
  readonly accountId: AccountId
  /** Counted for the company. */
  readonly number: number
  readonly kind: 'CYCLE' | 'PRORATION'
  readonly subscriptionId: SubscriptionId
  readonly customerId: CustomerId
  readonly planId: PlanId
  readonly cycle: number
  readonly method: BillingMethod
  readonly status: InvoiceStatus
  readonly periodStart: CalendarDate
  readonly periodEnd: CalendarDate
  readonly dueDate: CalendarDate
  readonly lines: readonly InvoiceLine[]
  readonly subtotalCents: Cents
  readonly discountCents: Cents
  readonly creditAppliedCents: Cents
  readonly totalCents: Cents
  readonly paidCents: Cents
  /** The coupon that was used for it, whatever it took off. */
  readonly couponId: CouponId | null
  readonly attempts: readonly CollectionAttempt[]
  readonly dunning: Dunning | null
  /** While its subscription is paused nothing is tried, and nothing is given up. */
  readonly pausedAtMs: number | null
  readonly createdAtMs: number
  readonly updatedAtMs: number
  readonly paidAtMs: number | null
  readonly voidedAtMs: number | null
}

export type InvoiceLine = {
  readonly type: 'PLAN' | 'SETUP_FEE' | 'PRORATION_CREDIT' | 'PRORATION_CHARGE' | 'DISCOUNT' | 'CREDIT'
  readonly description: string
  /** What is taken off is negative. */
  readonly cents: Cents
  readonly periodStart: CalendarDate
  readonly periodEnd: CalendarDate
}

/** A try to collect an invoice, by a charge of its own. */
export type CollectionAttempt = {
  readonly id: AttemptId
  readonly number: number
  readonly trigger: 'AUTOMATIC' | 'DUNNING' | 'MANUAL'
  readonly method: BillingMethod
  /** A card other than the subscription's: if it pays, it becomes the subscription's. */
  readonly card: BillingCard | null
  /** Null where no charge came about. */
  readonly transactionId: TransactionId | null
  readonly amountCents: Cents
  readonly status: 'PENDING' | 'SUCCEEDED' | 'FAILED' | 'CANCELLED'
  readonly failureReason: FailureReason | null
  readonly retryable: boolean | null
  readonly payment: PaymentData | null
  /** Until when its money is waited for; null for a charge that says itself when it is over. */
  readonly failsAtMs: number | null
  readonly createdAtMs: number
  readonly finishedAtMs: number | null
}

/** What is done about an invoice since its first failure (decisions, section 24). */
export type Dunning = {
  /** As it was then. */
  readonly policy: DunningPolicy
  readonly failedOn: CalendarDate
  /** Steps of the policy that were taken. */
  readonly steps: number
  /** A card that must not be tried again: the steps that are left are passed over. */
  readonly isSkipping: boolean
  /** When it goes on; while an attempt is under way, at the earliest. */
  readonly nextAtMs: number
  /** What happens then: another attempt, or the end. */
  readonly isEnding: boolean
}

export type InvoiceEvent =
  | InvoiceIssued
  | AttemptStarted
  | AttemptPresented
  | AttemptSucceeded
  | AttemptFailed
  | AttemptCancelled
  | Fact<'AttemptAwaited'>
  /** The bank reports the money: it is not late while it clears. */
  | (Fact<'AttemptExtended'> & { readonly number: number; readonly failsAtMs: number })
  | InvoiceMoved
  | Fact<'InvoiceVoided'>
  | Fact<'InvoiceMarkedUncollectible'>
  | Fact<'DunningPaused'>
  /** It goes on later: a step is taken, or it had to wait. */
  | (Fact<'DunningPostponed'> & { readonly dunning: Dunning | null })

type Fact<Type extends string> = {
  readonly actor: 'invoice'
  readonly type: Type
  readonly id: InvoiceId
  readonly atMs: number
}

/** One without anything to pay is paid at once. */
export type InvoiceIssued = Fact<'InvoiceIssued'> & {
  readonly by: Initiator
  readonly invoice: Pick<
    Invoice,
    | 'accountId'
    | 'number'
    | 'kind'
    | 'subscriptionId'
    | 'customerId'
    | 'planId'
    | 'cycle'
    | 'method'
    | 'periodStart'
    | 'periodEnd'
    | 'dueDate'
    | 'lines'
    | 'subtotalCents'
    | 'discountCents'
    | 'creditAppliedCents'
    | 'totalCents'
    | 'couponId'
  >
}

export type AttemptStarted = Fact<'AttemptStarted'> & {
  readonly attempt: Pick<
    CollectionAttempt,
    'id' | 'number' | 'trigger' | 'method' | 'card' | 'transactionId' | 'amountCents' | 'failsAtMs'
  >
}

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

/** It was paid late, and the first one of its subscription: what it pays begins on that day. */
export type InvoiceMoved = Fact<'InvoiceMoved'> & {
  readonly periodStart: CalendarDate
  readonly periodEnd: CalendarDate
}

/** Another one takes its place, or nobody wants the money any more. */
export type AttemptCancelled = Fact<'AttemptCancelled'> & { readonly number: number }

export const isPayable = ({ status }: Pick<Invoice, 'status'>): boolean =>
  status === 'OPEN' || status === 'PAST_DUE' || status === 'UNCOLLECTIBLE'

/** The attempt that has not ended. */
export const runningAttempt = ({ attempts }: Invoice): CollectionAttempt | null => {
  const last = attempts.at(-1)
  return last?.status === 'PENDING' ? last : null
}

/**
 * When the next attempt is made by itself: at the next step of the dunning, but not before the charge of the one under way
 * has ended, and never in the past (decisions, section 24). Null where none is made.
 */
export const nextAttemptAtMs = (invoice: Invoice, nowMs: number): number | null => {
  const { status, dunning, pausedAtMs } = invoice
  if (status !== 'PAST_DUE' || dunning === null || dunning.isEnding || pausedAtMs !== null) return null
  const running = runningAttempt(invoice)
  const chargeEndsAtMs = running?.failsAtMs ?? running?.payment?.expiresAtMs ?? 0
  return Math.max(dunning.nextAtMs, chargeEndsAtMs, nowMs)
}
