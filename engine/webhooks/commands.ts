import type { Request } from '../kernel/command.ts'
import type { DeliveryId, EndpointId, EventId } from '../shared/ids.ts'
import type { AttemptOutcome } from './delivery.ts'

declare module '../kernel/registry.ts' {
  interface FolderCommands {
    readonly webhooks: DeliveryCommand
  }
}

/** Events of one moment: one entry is for all of them. */
export type ScheduleDeliveries = Request<'ScheduleDeliveries'> & {
  readonly events: readonly EventToDeliver[]
}

/** An event, and where it goes. */
export type EventToDeliver = {
  readonly eventId: EventId
  readonly eventType: string
  readonly objectId: string
  /** Rendered once: every attempt of every delivery sends these bytes. */
  readonly body: Uint8Array
  readonly endpointIds: readonly EndpointId[]
}

/** Attempts that ended in one moment. One of a delivery that is gone is passed over. */
export type RecordAttempts = Request<'RecordAttempts'> & { readonly attempts: readonly EndedAttempt[] }

export type EndedAttempt = { readonly deliveryId: DeliveryId; readonly outcome: AttemptOutcome }

export type CancelDelivery = Request<'CancelDelivery'> & { readonly deliveryId: DeliveryId }

export type ResendDelivery = Request<'ResendDelivery'> & {
  readonly deliveryId: DeliveryId
  /** When it is due, if not at once. */
  readonly firstAttemptAtMs?: number
}

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
  | ReplayEvents
