import type { Listed, Paging, Question } from '../kernel/query.ts'
import type { DeliveryId, EndpointId } from '../shared/ids.ts'
import type { AttemptError, Delivery, DeliveryStatus, StatusClass } from './delivery.ts'

declare module '../kernel/registry.ts' {
  interface FolderQueries {
    readonly webhooks: FindDelivery | ListDeliveries | ReadEndpointHealth
  }
  interface Answers {
    readonly FindDelivery: Delivery | null
    readonly ListDeliveries: Listed<Delivery>
    readonly ReadEndpointHealth: EndpointHealth
  }
}

export type FindDelivery = Question<'FindDelivery'> & { readonly deliveryId: DeliveryId }

/** A filter for deliveries; an empty or missing list means all. */
export type DeliveryFilter = {
  readonly endpointId: EndpointId | null
  readonly statuses: readonly DeliveryStatus[]
  readonly eventTypes?: readonly string[]
  /** Those of one object, such as a transaction. */
  readonly objectId?: string | null
  /** The class of the last response, or the error that prevented one. */
  readonly statusClasses?: readonly StatusClass[]
  readonly errors?: readonly AttemptError[]
}

export type ListDeliveries = Question<'ListDeliveries'> &
  Paging &
  DeliveryFilter & {
    /** Only deliveries of events up to this entry of the shard. */
    readonly upTo?: number | null
  }

/** Reads how an endpoint's deliveries went in the last 24 hours. */
export type ReadEndpointHealth = Question<'ReadEndpointHealth'> & { readonly endpointId: EndpointId }

/** How an endpoint's deliveries went in the last 24 hours, and which are still open, however old. */
export type EndpointHealth = {
  /** Deliveries of that time that were attempted, and those that the receiver accepted, without cancelled ones. */
  readonly attempted: number
  readonly accepted: number
  /** The 95th percentile over the attempts of the newest deliveries; null if there was no attempt. */
  readonly p95LatencyMs: number | null
  readonly open: number
  /** When the oldest open delivery was created; null if none is open. */
  readonly oldestOpenAtMs: number | null
}
