import type { EventId } from '../shared/ids.ts'

/** The event types of the specification (payments-api, Event types). */
export const specifiedEventTypes = [
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

/**
 * Those beyond it: only endpoints that ask for extra events hear them, so that no receiver meets a type that it does not know
 * (decisions, section 28).
 */
export const extraEventTypes = [
  'payment.refund_failed',
  'checkout.completed',
  'checkout.expired',
  'transfer.returned',
] as const

/** Every event type that a merchant can receive. */
export const eventTypes = [...specifiedEventTypes, ...extraEventTypes] as const
export type EventType = (typeof eventTypes)[number]

/** Whether a receiver that names no types hears this one. */
export const heardByDefault = (type: string, extraEvents: boolean): boolean =>
  extraEvents || !(extraEventTypes as readonly string[]).includes(type)

/** The subjects of public events, by the folder that publishes them. */
export interface EventSubjects {}
export type Subject = EventSubjects[keyof EventSubjects]

/** What a merchant receives, with the state at that moment. The gateway gives it its wire form. */
export type PublicEvent = {
  readonly id: EventId
  readonly type: EventType
  /** Environment time. */
  readonly atMs: number
  readonly subject: Subject
}

/** An event without its id, which follows from the position of its fact in the journal. */
export type DraftPublicEvent = Omit<PublicEvent, 'id'>

/** The public events of an actor's facts, in order, by fact type; null for a fact that publishes nothing. */
export type Publishes<State, Fact extends { readonly type: string }> = {
  readonly [Type in Fact['type']]:
    | ((fact: Extract<Fact, { readonly type: Type }>, after: State) => readonly DraftPublicEvent[])
    | null
}
