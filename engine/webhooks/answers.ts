import type { Answerers } from '../kernel/reader.ts'
import { entrySequenceOf } from '../shared/ids.ts'
import type { Delivery } from './delivery.ts'
import type { FindDelivery, ListDeliveries } from './queries.ts'

/** Answers about deliveries. */
export const deliveryAnswers: Answerers<FindDelivery | ListDeliveries> = {
  FindDelivery: ({ deliveryId }, { find }) => find('delivery', deliveryId),
  ListDeliveries: function* (query, { list, result }) {
    const statuses = new Set<string>(query.statuses)
    const fits = (label: string): boolean => {
      const [endpointId, status] = label.split(' ')
      if (query.endpointId !== null && query.endpointId !== endpointId) return false
      return statuses.size === 0 || statuses.has(status!)
    }
    const upTo = query.upTo ?? null
    const isEarly = ({ eventId }: Delivery): boolean => entrySequenceOf(eventId) <= upTo!
    return result(yield* list('delivery', query, fits, upTo === null ? null : isEarly))
  },
}
