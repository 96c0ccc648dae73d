import type { ActorFact } from '../kernel/fact.ts'
import type { AccountId, DeliveryId, EndpointId, EventId } from '../shared/ids.ts'
import type { Traceparent } from '../shared/traceparent.ts'

declare module '../kernel/registry.ts' {
  interface ActorStates {
    readonly delivery: Delivery
  }
  interface ActorFacts {
    readonly delivery: DeliveryFact
  }
}

export const deliveryStatuses = ['PENDING', 'RETRYING', 'SUCCEEDED', 'EXHAUSTED', 'CANCELLED'] as const
export type DeliveryStatus = (typeof deliveryStatuses)[number]

/** One public event on its way to one endpoint, with every attempt. All times are real. */
export type Delivery = NewDelivery & {
  readonly id: DeliveryId
  readonly status: DeliveryStatus
  readonly attempts: readonly Attempt[]
  readonly nextAttemptAtMs: number | null
  readonly createdAtMs: number
}

/** The terms that a delivery is scheduled with. */
export type NewDelivery = {
  readonly accountId: AccountId
  readonly eventId: EventId
  readonly eventType: string
  /** The event's object, such as a transaction: its first attempts go out in event order. */
  readonly objectId: string
  readonly endpointId: EndpointId
  readonly resendOf: DeliveryId | null
  /** The bytes that every attempt sends. */
  readonly body: Uint8Array
  /** The trace of the command behind the event. */
  readonly traceparent?: Traceparent
  /** When the first attempt is due, if not at once: bulk resends are spread over time. */
  readonly firstAttemptAtMs?: number
}

/** What a body is read as that was forgotten with its payer. */
export const forgottenBody: Uint8Array = new TextEncoder().encode('{"object":"forgotten"}')

/** Whether what was sent is forgotten, so that it cannot be sent again. */
export const isBodyForgotten = ({ body }: Pick<NewDelivery, 'body'>): boolean =>
  body.length === forgottenBody.length && body.every((byte, n) => byte === forgottenBody[n])

export const attemptErrors = ['TIMEOUT', 'CONNECTION', 'TLS', 'DNS', 'REDIRECT', 'BLOCKED_ADDRESS'] as const
export type AttemptError = (typeof attemptErrors)[number]

/** Classes of HTTP statuses (RFC 9110, section 15). */
export const statusClasses = ['1xx', '2xx', '3xx', '4xx', '5xx'] as const
export type StatusClass = (typeof statusClasses)[number]

/** The outcome of one HTTP attempt. */
export type AttemptOutcome = {
  /** Where it was sent; the endpoint's URL may have changed since. Empty if not recorded. */
  readonly url: string
  readonly startedAtMs: number
  readonly latencyMs: number
  readonly statusCode: number | null
  readonly error: AttemptError | null
  /** At most 1 KiB of the response, for people to read. */
  readonly responseSnippet: string
  /** The signature header that was sent. Missing where nothing was sent, and in attempts of before it was kept. */
  readonly signature?: string
}

/** One attempt; numbers count from 1. */
export type Attempt = AttemptOutcome & { readonly number: number }

export type DeliveryFact =
  | (ActorFact<'delivery', 'DeliveryScheduled'> & { readonly delivery: NewDelivery })
  | (TimelessFact<'AttemptRecorded'> &
      Pick<Delivery, 'status' | 'nextAttemptAtMs'> & {
        readonly outcome: AttemptOutcome
      })
  | TimelessFact<'DeliveryCancelled'>
  /** A person had the next attempt made earlier than planned. */
  | (TimelessFact<'AttemptBroughtForward'> & { readonly nextAttemptAtMs: number })

type TimelessFact<Type extends string> = Omit<ActorFact<'delivery', Type>, 'atMs'>
