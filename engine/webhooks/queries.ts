import type { Paging, Question } from '../kernel/query.ts'
import type { DeliveryId, EndpointId } from '../shared/ids.ts'
import type { DeliveryStatus } from './delivery.ts'

export type FindDelivery = Question<'FindDelivery'> & { readonly deliveryId: DeliveryId }
export type ListDeliveries = Question<'ListDeliveries'> &
  Paging & {
    readonly endpointId: EndpointId | null
    readonly statuses: readonly DeliveryStatus[]
    /** Only those scheduled before this instant of real time. */
    readonly scheduledBeforeMs?: number | null
  }
