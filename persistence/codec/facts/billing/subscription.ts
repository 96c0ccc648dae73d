import type {
  BillingPeriod,
  InvoiceSummary,
  SubscriptionChanges,
} from '../../../../engine/billing/subscription/subscription.ts'
import type { SubscriptionId } from '../../../../engine/shared/ids.ts'
import { bool, enumeration, json, nullable, number, record, repeatedText, text } from '../../layout.ts'
import type { FactLayouts } from '../fact-layouts.ts'
import {
  dateLayout,
  failureReasonLayout,
  initiator,
  paymentData,
  subscriptionStatusLayout,
} from '../shared.ts'

const head = { id: repeatedText<SubscriptionId>(), by: initiator, atMs: number() }

const period = record<BillingPeriod>({
  number: number(),
  anchorOn: dateLayout,
  start: dateLayout,
  end: dateLayout,
  valueCents: number(),
  invoiceId: nullable(text()),
})

const invoice = record<InvoiceSummary>({
  id: text(),
  number: number(),
  cycle: number(),
  totalCents: number(),
  periodStart: dateLayout,
  periodEnd: dateLayout,
})

/** Rare facts, each changing different members: JSON is small enough for them. */
const changed = { ...head, changes: json<SubscriptionChanges>() }

export const subscriptionFacts = {
  SubscriptionCreated: [1, { ...head, subscription: json() }],
  SubscriptionBilled: [
    2,
    {
      ...head,
      status: subscriptionStatusLayout,
      invoiceId: text(),
      totalCents: number(),
      dueDate: dateLayout,
      period,
      isAhead: bool,
      cyclesBilled: number(),
      discountCyclesLeft: nullable(number()),
      creditCents: number(),
    },
  ],
  PaymentInstructionsIssued: [3, { ...head, invoiceId: text(), transactionId: text(), payment: paymentData }],
  PeriodStarted: [4, { ...head, period }],
  SubscriptionPaid: [
    5,
    {
      ...head,
      status: subscriptionStatusLayout,
      invoice,
      transactionId: nullable(text()),
      amountCents: number(),
    },
  ],
  SubscriptionPaymentFailed: [
    6,
    {
      ...head,
      status: subscriptionStatusLayout,
      invoiceStatus: enumeration({ OPEN: 1, PAST_DUE: 2, UNCOLLECTIBLE: 3 }),
      invoice,
      transactionId: nullable(text()),
      amountCents: number(),
      failureReason: failureReasonLayout,
      retryable: bool,
      attemptNumber: number(),
      nextAttemptAtMs: nullable(number()),
      final: bool,
    },
  ],
  PlanChangeApplied: [7, { ...changed, proration: json() }],
  TrialStarted: [8, changed],
  SubscriptionPaused: [9, changed],
  SubscriptionResumed: [10, changed],
  SubscriptionSuspended: [11, changed],
  SubscriptionCancelled: [12, changed],
  SubscriptionCompleted: [13, changed],
  CancellationScheduled: [14, changed],
  PaymentAwaited: [15, changed],
  CollectionStopped: [16, changed],
  InvoiceWithdrawn: [17, changed],
  CreditGranted: [18, changed],
  PaymentMeansChanged: [19, changed],
  PlanChangeScheduled: [20, changed],
  PlanChangeAwaited: [21, changed],
  PlanChangeDropped: [22, changed],
  MandateChanged: [23, changed, { since: 14 }],
} satisfies FactLayouts<'subscription'>
