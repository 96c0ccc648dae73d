import type { Publishes } from '../kernel/event-types.ts'
import type { CheckoutSession, CheckoutSessionFact } from './session.ts'

declare module '../kernel/event-types.ts' {
  interface EventSubjects {
    readonly checkoutSession: { readonly object: 'checkout_session'; readonly session: CheckoutSession }
  }
}

/** The events of sessions. A payment has those of its transaction: these say only what became of the page. */
export const checkoutSessionEvents: Publishes<CheckoutSession, CheckoutSessionFact> = {
  SessionOpened: null,
  SessionDiscounted: null,
  TryStarted: null,
  CardBlocked: null,
  SessionMandateOffered: null,
  TryEnded: null,
  SessionCompleted: ({ atMs }, session) => [
    { type: 'checkout.completed', atMs, subject: { object: 'checkout_session', session } },
  ],
  SessionOver: null,
  SessionProlonged: null,
  SessionExpired: ({ atMs }, session) => [
    { type: 'checkout.expired', atMs, subject: { object: 'checkout_session', session } },
  ],
  SessionCleared: null,
}
