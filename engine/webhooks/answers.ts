import type { Answerers } from '../kernel/reader.ts'
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
    return result(yield* list('delivery', query, fits, null, query.scheduledBeforeMs))
  },
}
