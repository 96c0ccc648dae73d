import type { Profile } from './account/account.ts'
import type { CalendarDate } from './calendar.ts'
import type { AttemptOutcome } from './delivery/delivery.ts'
import type { AccountId, DeliveryId, EndpointId, EventId, TransactionId } from './ids.ts'
import type { Cents } from './money.ts'
import type { Actor, Customer, Metadata, Origin, Payer } from './transaction/transaction.ts'

/** Every request that an account's actors can get. Plain data: it travels between threads and nodes. */
export type Command =
  | OpenAccount
  | CreateCharge
  | ReceivePix
  | ReceiveUnrequestedPix
  | CancelCharge
  | ExpireCharge
  | AdvanceClock
  | ResetClock
  | RequestSampleEvent
  | ClearSandbox
  | ScheduleDeliveries
  | RecordAttempt
  | CancelDelivery
  | ResendDelivery

type Request<Type extends string> = {
  readonly type: Type
  readonly accountId: AccountId
  readonly by: Actor
  readonly idempotency?: Idempotency
}

/** The merchant's key for this effect, and what the effect was. The same key with another fingerprint is refused. */
export type Idempotency = { readonly key: string; readonly fingerprint: string }

export type OpenAccount = Request<'OpenAccount'> & { readonly profile: Profile }

export type CreateCharge = Request<'CreateCharge'> & {
  readonly transactionId: TransactionId
  readonly origin: Origin
  readonly amountCents: Cents
  readonly description: string | null
  readonly reference: string | null
  readonly externalId: string | null
  readonly customer: Customer | null
  readonly metadata: Metadata
  readonly terms: PixTerms
}

/** How long a PIX charge can be paid (decisions, section 10, Validity). */
export type PixTerms = {
  readonly method: 'PIX'
  readonly expiresInSeconds: number | null
  /** A date, or an instant whose date in the company's zone is meant. */
  readonly due: { readonly date: CalendarDate } | { readonly instantMs: number } | null
}

/** A payment of the charge's QR code. */
export type ReceivePix = Request<'ReceivePix'> & {
  readonly transactionId: TransactionId
  readonly amountCents: Cents | null
  readonly payer: Payer | null
}

/** A PIX to the account's key that no charge asked for. */
export type ReceiveUnrequestedPix = Request<'ReceiveUnrequestedPix'> & {
  readonly transactionId: TransactionId
  readonly amountCents: Cents
  readonly payer: Payer | null
}

export type CancelCharge = Request<'CancelCharge'> & {
  readonly transactionId: TransactionId
  /** Which family of routes the id was looked up in; null accepts any. */
  readonly family: Origin | null
  readonly reason: string | null
}

export type ExpireCharge = Request<'ExpireCharge'> & { readonly transactionId: TransactionId }

/** To an instant, or by an ISO 8601 duration from what the clock shows. */
export type AdvanceClock = Request<'AdvanceClock'> & {
  readonly step: { readonly toMs: number } | { readonly by: string }
}
export type ResetClock = Request<'ResetClock'>
export type RequestSampleEvent = Request<'RequestSampleEvent'> & { readonly eventType: string }
export type ClearSandbox = Request<'ClearSandbox'>

export type ScheduleDeliveries = Request<'ScheduleDeliveries'> & {
  readonly eventId: EventId
  readonly eventType: string
  readonly objectId: string
  /** Rendered once; every attempt of every delivery sends these bytes. */
  readonly body: Uint8Array
  readonly endpointIds: readonly EndpointId[]
}

export type RecordAttempt = Request<'RecordAttempt'> & {
  readonly deliveryId: DeliveryId
  readonly outcome: AttemptOutcome
}

export type CancelDelivery = Request<'CancelDelivery'> & { readonly deliveryId: DeliveryId }
export type ResendDelivery = Request<'ResendDelivery'> & { readonly deliveryId: DeliveryId }
