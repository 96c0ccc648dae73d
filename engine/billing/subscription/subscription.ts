import type { FailureReason } from '../../payments/transaction/transaction.ts'
import type { CalendarDate } from '../../shared/calendar.ts'
import type {
  AccountId,
  CouponId,
  CustomerId,
  InvoiceId,
  PlanId,
  SubscriptionId,
  TransactionId,
} from '../../shared/ids.ts'
import type { Initiator } from '../../shared/initiator.ts'
import type { Metadata } from '../../shared/metadata.ts'
import type { Cents } from '../../shared/money.ts'
import type { Customer } from '../../shared/party.ts'
import type { Discount } from '../catalog/coupon.ts'
import type { BillingMethod, PlanTerms } from '../catalog/plan.ts'
import type { Proration } from '../catalog/proration.ts'
import type { InvoiceStatus } from '../invoice/invoice.ts'
import type { BillingCard, PaymentData } from '../payment-means.ts'

declare module '../../kernel/registry.ts' {
  interface ActorStates {
    readonly subscription: Subscription
  }
  interface ActorFacts {
    readonly subscription: SubscriptionEvent
  }
}

export const subscriptionStatuses = [
  'SCHEDULED',
  'TRIALING',
  'PENDING',
  'ACTIVE',
  'PAST_DUE',
  'PAUSED',
  'SUSPENDED',
  'CANCELLED',
  'COMPLETED',
] as const
export type SubscriptionStatus = (typeof subscriptionStatuses)[number]

/** A customer's agreement to pay a plan, cycle by cycle (decisions, section 20). */
export type Subscription = {
  readonly id: SubscriptionId
  readonly accountId: AccountId
  readonly status: SubscriptionStatus
  /** The company's: jobs run on its days. */
  readonly timeZone: string
  readonly planId: PlanId
  readonly plan: PlanTerms
  readonly customerId: CustomerId
  readonly customer: Customer
  readonly method: BillingMethod
  readonly card: BillingCard | null
  readonly couponId: CouponId | null
  readonly discount: Discount | null
  /** Cycle invoices that it still applies to; null is all of them, or that there is no discount. */
  readonly discountCyclesLeft: number | null
  readonly startOn: CalendarDate
  readonly trialEndsOn: CalendarDate | null
  /** The one that runs; before the first one number -1, which nobody pays. */
  readonly period: BillingPeriod
  /** The next one, where its invoice is issued already. */
  readonly ahead: BillingPeriod | null
  /** Cycle invoices of the plan that were issued, and not voided. */
  readonly cyclesBilled: number
  readonly cancelAtPeriodEnd: boolean
  readonly cancelReason: string | null
  readonly cancelledAtMs: number | null
  readonly pausedAtMs: number | null
  /** What it was before it was paused. */
  readonly pausedFrom: SubscriptionStatus | null
  readonly scheduledChange: ScheduledChange | null
  readonly pendingChange: PendingChange | null
  /** What it owes its customer: later invoices take it off. */
  readonly creditCents: Cents
  /** Invoices that can still be paid, oldest first. */
  readonly unpaid: readonly UnpaidInvoice[]
  readonly latestInvoice: LatestInvoice | null
  /** Whether an invoice of it was ever paid. */
  readonly wasPaid: boolean
  /** Charges of it that were decided, one way or the other. */
  readonly attempts: number
  readonly metadata: Metadata
  readonly createdAtMs: number
  readonly updatedAtMs: number
}

/** A cycle of a plan: number `number` from the anchor, of the days from `start` to the day before `end`. */
export type BillingPeriod = {
  readonly number: number
  readonly anchorOn: CalendarDate
  readonly start: CalendarDate
  readonly end: CalendarDate
  /** What the whole of it is worth, with the discount that it gets: what a change of plan gives back in part. */
  readonly valueCents: Cents
  /** The invoice for it; null where nobody was asked to pay. */
  readonly invoiceId: InvoiceId | null
}

/** A change of plan that waits for a period to end. */
export type ScheduledChange = {
  readonly planId: PlanId
  readonly plan: PlanTerms
  readonly effectiveOn: CalendarDate
}

/** A change of plan that waits for its invoice to be paid; its values were frozen when it was asked for. */
export type PendingChange = {
  readonly planId: PlanId
  readonly plan: PlanTerms
  readonly invoiceId: InvoiceId
  readonly expiresAtMs: number | null
  /** The period that runs from then on. */
  readonly period: BillingPeriod
  readonly keepsCycle: boolean
  readonly proration: Proration
}

export type UnpaidInvoice = {
  readonly id: InvoiceId
  readonly totalCents: Cents
  readonly status: Extract<InvoiceStatus, 'OPEN' | 'PAST_DUE' | 'UNCOLLECTIBLE'>
  /** A new cycle was begun without it: it does not hold the subscription up any more. */
  readonly isLeft: boolean
}

/** What is shown of the newest invoice, with what its payer needs to pay it. */
export type LatestInvoice = {
  readonly id: InvoiceId
  readonly status: InvoiceStatus
  readonly totalCents: Cents
  readonly dueDate: CalendarDate
  readonly transactionId: TransactionId | null
  readonly payment: PaymentData | null
}

/** What events tell of the invoice that they are about. */
export type InvoiceSummary = {
  readonly id: InvoiceId
  readonly number: number
  readonly cycle: number
  readonly totalCents: Cents
  readonly periodStart: CalendarDate
  readonly periodEnd: CalendarDate
}

/** The members that facts beside billing change. */
export type SubscriptionChanges = Partial<
  Omit<
    Subscription,
    'id' | 'accountId' | 'timeZone' | 'customerId' | 'customer' | 'createdAtMs' | 'updatedAtMs'
  >
>

export type SubscriptionEvent =
  | SubscriptionCreated
  | SubscriptionBilled
  | PaymentInstructionsIssued
  | PeriodStarted
  | SubscriptionPaid
  | SubscriptionPaymentFailed
  | SubscriptionChanged

type Fact<Type extends string> = {
  readonly actor: 'subscription'
  readonly type: Type
  readonly id: SubscriptionId
  readonly by: Initiator
  readonly atMs: number
}

export type SubscriptionCreated = Fact<'SubscriptionCreated'> & {
  readonly subscription: Pick<
    Subscription,
    | 'accountId'
    | 'status'
    | 'timeZone'
    | 'planId'
    | 'plan'
    | 'customerId'
    | 'customer'
    | 'method'
    | 'card'
    | 'couponId'
    | 'discount'
    | 'discountCyclesLeft'
    | 'startOn'
    | 'trialEndsOn'
    | 'period'
    | 'metadata'
  >
}

/** An invoice is issued for a cycle: the one that begins, or (`isAhead`) the one after it. */
export type SubscriptionBilled = Fact<'SubscriptionBilled'> & {
  readonly status: SubscriptionStatus
  readonly invoiceId: InvoiceId
  readonly totalCents: Cents
  readonly dueDate: CalendarDate
  readonly period: BillingPeriod
  readonly isAhead: boolean
  readonly cyclesBilled: number
  readonly discountCyclesLeft: number | null
  readonly creditCents: Cents
}

/** The payer can pay the newest invoice now. */
export type PaymentInstructionsIssued = Fact<'PaymentInstructionsIssued'> & {
  readonly invoiceId: InvoiceId
  readonly transactionId: TransactionId
  readonly payment: PaymentData
}

/** The days of a cycle begin whose invoice was issued before, or which nobody pays. */
export type PeriodStarted = Fact<'PeriodStarted'> & { readonly period: BillingPeriod }

export type SubscriptionPaid = Fact<'SubscriptionPaid'> & {
  readonly status: SubscriptionStatus
  readonly invoice: InvoiceSummary
  /** Null where there was nothing to pay. */
  readonly transactionId: TransactionId | null
  readonly amountCents: Cents
}

export type SubscriptionPaymentFailed = Fact<'SubscriptionPaymentFailed'> & {
  readonly status: SubscriptionStatus
  readonly invoiceStatus: UnpaidInvoice['status']
  readonly invoice: InvoiceSummary
  readonly transactionId: TransactionId | null
  readonly amountCents: Cents
  readonly failureReason: FailureReason
  readonly retryable: boolean
  readonly attemptNumber: number
  readonly nextAttemptAtMs: number | null
  /** Nothing more is tried. */
  readonly final: boolean
}

/** What happens seldom: what it is called, and what it changes. */
export type SubscriptionChanged =
  | (Fact<
      | 'TrialStarted'
      | 'SubscriptionPaused'
      | 'SubscriptionResumed'
      | 'SubscriptionSuspended'
      | 'SubscriptionCancelled'
      | 'SubscriptionCompleted'
      | 'CancellationScheduled'
      | 'PaymentAwaited'
      | 'CollectionStopped'
      | 'InvoiceWithdrawn'
      | 'CreditGranted'
      | 'PaymentMeansChanged'
      | 'PlanChangeScheduled'
      | 'PlanChangeAwaited'
      | 'PlanChangeDropped'
    > & { readonly changes: SubscriptionChanges })
  | PlanChangeApplied

/** Its plan is another one from now on. What was reckoned for that is null where it waited for a period to end. */
export type PlanChangeApplied = Fact<'PlanChangeApplied'> & {
  readonly changes: SubscriptionChanges
  readonly proration: Proration | null
}

/** Whether it is late with an invoice that still holds it up. */
export const isLate = (unpaid: readonly UnpaidInvoice[]): boolean =>
  unpaid.some(({ status, isLeft }) => status !== 'OPEN' && !isLeft)

export const isFinal = ({ status }: Pick<Subscription, 'status'>): boolean =>
  status === 'CANCELLED' || status === 'COMPLETED'
