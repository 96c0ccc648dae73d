import type { ToldStep } from '../../audit/told-steps.ts'
import type { Listed, Paging, Question } from '../../kernel/query.ts'
import type { CustomerId, InvoiceId, PlanId, SubscriptionId } from '../../shared/ids.ts'
import type { BillingMethod } from '../catalog/plan.ts'
import type { RecurringFigures, RecurringOverview } from '../figures/figures.ts'
import type { Invoice, InvoiceStatus } from '../invoice/invoice.ts'
import type { Subscriber, SubscriberStatus } from '../subscriber/subscriber.ts'
import type { Subscription, SubscriptionFact, SubscriptionStatus } from './subscription.ts'

declare module '../../kernel/registry.ts' {
  interface FolderQueries {
    readonly billing: SubscriptionQuery
  }
  interface Answers {
    readonly FindSubscription: ToldSubscription | null
    readonly ListSubscriptions: Listed<Subscription>
    readonly FindInvoice: ToldInvoice | null
    readonly ListInvoices: Listed<Invoice>
    readonly ListSubscribers: Listed<Subscriber>
    readonly OverviewRecurring: ToldOverview
  }
}

export type SubscriptionQuery =
  | FindSubscription
  | ListSubscriptions
  | FindInvoice
  | ListInvoices
  | ListSubscribers
  | OverviewRecurring

export type FindSubscription = Question<'FindSubscription'> & { readonly subscriptionId: SubscriptionId }

export const subscriptionDateFields = ['createdAt', 'cancelledAt'] as const
export type SubscriptionDateField = (typeof subscriptionDateFields)[number]

/** An empty list and null mean any. */
export type ListSubscriptions = Question<'ListSubscriptions'> &
  Paging & {
    /** What the days of the list are about: creation, or cancellation. */
    readonly dateField: SubscriptionDateField
    readonly statuses: readonly SubscriptionStatus[]
    readonly methods: readonly BillingMethod[]
    readonly planId: PlanId | null
    readonly customerId: CustomerId | null
    /** An id or document exactly, or part of the customer's name or e-mail. */
    readonly search: string | null
  }

export type FindInvoice = Question<'FindInvoice'> & { readonly invoiceId: InvoiceId }

export type ListInvoices = Question<'ListInvoices'> &
  Paging & {
    readonly statuses: readonly InvoiceStatus[]
    readonly subscriptionId: SubscriptionId | null
    readonly customerId: CustomerId | null
    /** An id, or an invoice number as people write it. */
    readonly search: string | null
  }

export type ListSubscribers = Question<'ListSubscribers'> &
  Paging & { readonly statuses: readonly SubscriberStatus[]; readonly search: string | null }

export type OverviewRecurring = Question<'OverviewRecurring'>

export type ToldOverview = RecurringOverview & {
  readonly figures: RecurringFigures
  /** Environment time. */
  readonly nowMs: number
}

/** A subscription with what happened to it. */
export type ToldSubscription = {
  readonly subscription: Subscription
  readonly steps: readonly ToldStep<SubscriptionFact>[]
}

/** An invoice with the next attempt, which depends on the clock. */
export type ToldInvoice = {
  readonly invoice: Invoice
  /** Environment time. */
  readonly nowMs: number
}
