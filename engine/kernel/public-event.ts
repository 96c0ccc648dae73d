import type { EventId } from '../shared/ids.ts'

/** Every event type that a merchant can hear (payments-api, Event types). */
export const eventTypes = [
  'payment.created',
  'payment.pending',
  'payment.approved',
  'payment.failed',
  'payment.refunded',
  'payment.chargeback',
  'pix.received',
  'pix.med_opened',
  'pix.med_closed',
  'boleto.paid',
  'subscription.created',
  'subscription.paid',
  'subscription.failed',
  'settlement.processing',
  'settlement.completed',
  'crypto.received',
  'crypto.expired',
  'crypto.withdrawal_completed',
  'crypto.withdrawal_failed',
  'conversion.completed',
  'conversion.failed',
  'transfer.scheduled',
  'transfer.pending_approval',
  'transfer.completed',
  'transfer.failed',
] as const
export type EventType = (typeof eventTypes)[number]

/** What events tell of, by the folder that tells it. */
export interface EventSubjects {}
export type Subject = EventSubjects[keyof EventSubjects]

/** What a merchant is told, with the state as it was at that moment. The gateway gives it its wire form. */
export type PublicEvent = {
  readonly id: EventId
  readonly type: EventType
  /** Environment time. */
  readonly atMs: number
  readonly subject: Subject
}

/** One that has no id yet: it follows from the place of its fact in the journal. */
export type DraftPublicEvent = Omit<PublicEvent, 'id'>

/** What is told of the facts of an actor, in that order, by the type of the fact; of the others nothing. */
export type Publishes<State, Fact extends { readonly type: string }> = {
  readonly [Type in Fact['type']]?: (
    fact: Extract<Fact, { readonly type: Type }>,
    after: State,
  ) => readonly DraftPublicEvent[]
}
