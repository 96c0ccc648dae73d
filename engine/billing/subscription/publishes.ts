import type { DraftPublicEvent, EventType, Publishes } from '../../kernel/event-types.ts'
import type {
  Subscription,
  SubscriptionFact,
  SubscriptionPaid,
  SubscriptionPaymentFailed,
} from './subscription.ts'

declare module '../../kernel/event-types.ts' {
  interface EventSubjects {
    /** A created subscription, or the outcome of an invoice. */
    readonly billing: {
      readonly object: 'subscription'
      readonly subscription: Subscription
      readonly outcome: SubscriptionPaid | SubscriptionPaymentFailed | null
    }
  }
}

/** The public events of a subscription. */
export const subscriptionEvents: Publishes<Subscription, SubscriptionFact> = {
  SubscriptionCreated: ({ atMs }, after) => [draftEvent('subscription.created', atMs, after, null)],
  SubscriptionPaid: (fact, after) => [draftEvent('subscription.paid', fact.atMs, after, fact)],
  SubscriptionPaymentFailed: (fact, after) => [draftEvent('subscription.failed', fact.atMs, after, fact)],
  SubscriptionResumed: null,
  SubscriptionSuspended: null,
  TrialStarted: null,
  SubscriptionBilled: null,
  SubscriptionCancelled: null,
  SubscriptionCompleted: null,
  SubscriptionPaused: null,
  PlanChangeApplied: null,
  PlanChangeAwaited: null,
  PlanChangeDropped: null,
  PlanChangeScheduled: null,
  PaymentAwaited: null,
  PaymentInstructionsIssued: null,
  PaymentMeansChanged: null,
  PeriodStarted: null,
  CancellationScheduled: null,
  CollectionStopped: null,
  CreditGranted: null,
  InvoiceWithdrawn: null,
  MandateChanged: null,
}

const draftEvent = (
  type: EventType,
  atMs: number,
  subscription: Subscription,
  outcome: SubscriptionPaid | SubscriptionPaymentFailed | null,
): DraftPublicEvent => ({ type, atMs, subject: { object: 'subscription', subscription, outcome } })
