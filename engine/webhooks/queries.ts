import type { Listed, Paging, Question } from '../kernel/query.ts'
import type { DeliveryId, EndpointId } from '../shared/ids.ts'
import type { Delivery, DeliveryStatus } from './delivery.ts'

declare module '../kernel/registry.ts' {
  interface FolderQueries {
    readonly webhooks: FindDelivery | ListDeliveries
  }
  interface Answers {
    readonly FindDelivery: Delivery | null
    readonly ListDeliveries: Listed<Delivery>
  }
}

export type FindDelivery = Question<'FindDelivery'> & { readonly deliveryId: DeliveryId }

export type ListDeliveries = Question<'ListDeliveries'> &
  Paging & {
    readonly endpointId: EndpointId | null
    readonly statuses: readonly DeliveryStatus[]
    /** Only deliveries of events up to this entry of the shard. */
    readonly upTo?: number | null
  }
