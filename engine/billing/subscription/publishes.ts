import type { DraftPublicEvent, EventType, Publishes } from '../../kernel/public-event.ts'
import type {
  Subscription,
  SubscriptionEvent,
  SubscriptionPaid,
  SubscriptionPaymentFailed,
} from './subscription.ts'

declare module '../../kernel/public-event.ts' {
  interface EventSubjects {
    /** Created; or the outcome of an invoice, with what is told of it. */
    readonly billing: {
      readonly object: 'subscription'
      readonly subscription: Subscription
      readonly outcome: SubscriptionPaid | SubscriptionPaymentFailed | null
    }
  }
}

/** What is told of a subscription. */
export const subscriptionEvents: Publishes<Subscription, SubscriptionEvent> = {
  SubscriptionCreated: ({ atMs }, after) => [told('subscription.created', atMs, after, null)],
  SubscriptionPaid: (fact, after) => [told('subscription.paid', fact.atMs, after, fact)],
  SubscriptionPaymentFailed: (fact, after) => [told('subscription.failed', fact.atMs, after, fact)],
}

const told = (
  type: EventType,
  atMs: number,
  subscription: Subscription,
  outcome: SubscriptionPaid | SubscriptionPaymentFailed | null,
): DraftPublicEvent => ({ type, atMs, subject: { object: 'subscription', subscription, outcome } })
