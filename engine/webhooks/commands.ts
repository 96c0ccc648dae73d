import type { Request } from '../kernel/command.ts'
import type { DeliveryId, EndpointId, EventId } from '../shared/ids.ts'
import type { AttemptOutcome } from './delivery.ts'

declare module '../kernel/registry.ts' {
  interface FolderCommands {
    readonly webhooks: DeliveryCommand
  }
}

/** Schedules the deliveries of events that were published together, in one entry. */
export type ScheduleDeliveries = Request<'ScheduleDeliveries'> & {
  readonly events: readonly EventToDeliver[]
}

/** An event and the endpoints that it goes to. */
export type EventToDeliver = {
  readonly eventId: EventId
  readonly eventType: string
  readonly objectId: string
  /** Rendered once: every attempt of every delivery sends these bytes. */
  readonly body: Uint8Array
  readonly endpointIds: readonly EndpointId[]
}

/** Records attempts that ended together, in one entry. An attempt whose delivery is gone is skipped. */
export type RecordAttempts = Request<'RecordAttempts'> & { readonly attempts: readonly EndedAttempt[] }

export type EndedAttempt = { readonly deliveryId: DeliveryId; readonly outcome: AttemptOutcome }

export type CancelDelivery = Request<'CancelDelivery'> & { readonly deliveryId: DeliveryId }

export type ResendDelivery = Request<'ResendDelivery'> & {
  readonly deliveryId: DeliveryId
  /** When it is due, if not at once. */
  readonly firstAttemptAtMs?: number
}

/** Makes the next attempt of a delivery due at once. */
export type AttemptNow = Request<'AttemptNow'> & { readonly deliveryId: DeliveryId }

/** Sends events to a single endpoint, again or for the first time. */
export type ReplayEvents = Request<'ReplayEvents'> & {
  readonly endpointId: EndpointId
  readonly events: readonly (Pick<EventToDeliver, 'eventId' | 'eventType' | 'objectId' | 'body'> &
    Pick<ResendDelivery, 'firstAttemptAtMs'>)[]
}

/** Commands about deliveries and their attempts. */
export type DeliveryCommand =
  | ScheduleDeliveries
  | RecordAttempts
  | CancelDelivery
  | ResendDelivery
  | AttemptNow
  | ReplayEvents
