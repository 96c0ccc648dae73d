/**
 * A subscription bills its plan cycle by cycle. `cycle.ts` says when, `bill.ts` issues the invoice, `life.ts`
 * pauses and ends it, `change-plan.ts` moves it to another plan.
 */
import type { ActorFact } from '../../kernel/fact.ts'
import type { FailureReason } from '../../payments/transaction/transaction.ts'
import type { CalendarDate } from '../../shared/calendar.ts'
import type { Customer } from '../../shared/customer.ts'
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
import type { Discount } from '../catalog/coupon.ts'
import type { BillingMethod, PlanTerms } from '../catalog/plan.ts'
import type { Proration } from '../catalog/proration.ts'
import type { Invoice, InvoiceStatus } from '../invoice/invoice.ts'
import type { HeldMandate, WantedMandate } from '../mandate/mandate.ts'
import type { BillingCard, PaymentData } from '../payment-means.ts'

declare module '../../kernel/registry.ts' {
  interface ActorStates {
    readonly subscription: Subscription
  }
  interface ActorFacts {
    readonly subscription: SubscriptionFact
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
export type Subscription = NewSubscription & {
  readonly id: SubscriptionId
  /** The next period, if its invoice is already issued. */
  readonly ahead: BillingPeriod | null
  /** Cycle invoices issued and not voided. */
  readonly cyclesBilled: number
  readonly cancelAtPeriodEnd: boolean
  readonly cancelReason: string | null
  readonly cancelledAtMs: number | null
  readonly pausedAtMs: number | null
  /** The status before the pause. */
  readonly pausedFrom: SubscriptionStatus | null
  readonly scheduledChange: ScheduledChange | null
  readonly pendingChange: PendingChange | null
  /** Credit of the customer: later invoices subtract it. */
  readonly creditCents: Cents
  /** Invoices that can still be paid, oldest first. */
  readonly unpaid: readonly UnpaidInvoice[]
  readonly latestInvoice: LatestInvoice | null
  /** The newest mandate by which it collects, or did; null where there was none. */
  readonly mandate: HeldMandate | null
  /** Whether any of its invoices was ever paid. */
  readonly wasPaid: boolean
  /** How many charges were decided, either way. */
  readonly attempts: number
  readonly createdAtMs: number
  readonly updatedAtMs: number
}

/** What a subscription is created with. */
export type NewSubscription = {
  readonly accountId: AccountId
  readonly status: SubscriptionStatus
  /** The company's time zone, whose days the jobs follow. */
  readonly timeZone: string
  readonly planId: PlanId
  readonly plan: PlanTerms
  readonly customerId: CustomerId
  readonly customer: Customer
  readonly method: BillingMethod
  readonly card: BillingCard | null
  readonly couponId: CouponId | null
  readonly discount: Discount | null
  /** How many more cycle invoices it applies to; null for all, or when there is no discount. */
  readonly discountCyclesLeft: number | null
  readonly startOn: CalendarDate
  readonly trialEndsOn: CalendarDate | null
  /** The running period. Before the first cycle it has number -1 and is not paid for. */
  readonly period: BillingPeriod
  readonly metadata: Metadata
  /** The mandate of Pix Automático that is to be offered; null where there is none, or where it was. */
  readonly pixAutomatic: WantedMandate | null
}

/** A cycle of a plan: `number` counts from the anchor; days run from `start` to the day before `end`. */
export type BillingPeriod = {
  readonly number: number
  readonly anchorOn: CalendarDate
  readonly start: CalendarDate
  readonly end: CalendarDate
  /** The full value after discount, which a plan change credits in part. */
  readonly valueCents: Cents
  /** Its invoice; null when none was issued. */
  readonly invoiceId: InvoiceId | null
}

/** A plan change that waits for the period to end. */
export type ScheduledChange = Pick<Subscription, 'planId' | 'plan'> & { readonly effectiveOn: CalendarDate }

/** A plan change that waits for its invoice to be paid. Its values were fixed when it was requested. */
export type PendingChange = Pick<Subscription, 'planId' | 'plan'> & {
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
  /** A new cycle began without it, so it no longer blocks the subscription. */
  readonly isLeft: boolean
}

/** The newest invoice as it is shown, with the data needed to pay it. */
export type LatestInvoice = {
  readonly id: InvoiceId
  readonly status: InvoiceStatus
  readonly totalCents: Cents
  readonly dueDate: CalendarDate
  readonly transactionId: TransactionId | null
  readonly payment: PaymentData | null
}

/** The members of an invoice that events show. */
export type InvoiceSummary = Pick<
  Invoice,
  'id' | 'number' | 'cycle' | 'totalCents' | 'periodStart' | 'periodEnd'
>

/** The members that facts other than billing change. */
export type SubscriptionChanges = Partial<
  Omit<
    Subscription,
    'id' | 'accountId' | 'timeZone' | 'customerId' | 'customer' | 'createdAtMs' | 'updatedAtMs'
  >
>

export type SubscriptionFact =
  | SubscriptionCreated
  | SubscriptionBilled
  | PaymentInstructionsIssued
  | PeriodStarted
  | SubscriptionPaid
  | SubscriptionPaymentFailed
  | SubscriptionChanged
  | PlanChangeApplied

type Fact<Type extends string> = ActorFact<'subscription', Type> & { readonly by: Initiator }

export type SubscriptionCreated = Fact<'SubscriptionCreated'> & { readonly subscription: NewSubscription }

/** An invoice was issued for the running cycle, or (`isAhead`) for the next one. */
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

/** A period began whose invoice was issued before or which is not paid for. */
export type PeriodStarted = Fact<'PeriodStarted'> & { readonly period: BillingPeriod }

export type SubscriptionPaid = Fact<'SubscriptionPaid'> & {
  readonly status: SubscriptionStatus
  readonly invoice: InvoiceSummary
  /** Null when there was nothing to pay. */
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
  /** No further attempt will be made. */
  readonly final: boolean
}

/** The rare facts: a name and the members that it changes. */
export type SubscriptionChanged = Fact<
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
  | 'MandateChanged'
> & { readonly changes: SubscriptionChanges }

/** The plan was replaced. The proration is null when the change waited for the period to end. */
export type PlanChangeApplied = Fact<'PlanChangeApplied'> & {
  readonly changes: SubscriptionChanges
  readonly proration: Proration | null
}

/** Whether an unpaid invoice still makes the subscription late. */
export const isLate = (unpaid: readonly UnpaidInvoice[]): boolean =>
  unpaid.some(({ status, isLeft }) => status !== 'OPEN' && !isLeft)

/** Whether a subscription is over for good: cancelled or completed. */
export const isFinal = ({ status }: Pick<Subscription, 'status'>): boolean =>
  status === 'CANCELLED' || status === 'COMPLETED'
