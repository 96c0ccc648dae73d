import type { Answerers } from '../kernel/reader.ts'
import { entrySequenceOf } from '../shared/ids.ts'
import type { Delivery } from './delivery.ts'
import { readEndpointHealth } from './health.ts'
import { labelFits, labelOfDelivery } from './label.ts'
import type { FindDelivery, ListDeliveries, ReadEndpointHealth } from './queries.ts'

/** Answers about deliveries. */
export const deliveryAnswers: Answerers<FindDelivery | ListDeliveries | ReadEndpointHealth> = {
  FindDelivery: ({ deliveryId }, { find }) => find('delivery', deliveryId),
  ListDeliveries: function* (query, { list, listByKey, result }) {
    const fits = labelFits(query)
    const { objectId = null } = query
    if (objectId !== null)
      return result(listByKey('delivery', objectId, query, (delivery) => fits(labelOfDelivery(delivery))))
    const upTo = query.upTo ?? null
    const isEarly = ({ eventId }: Delivery): boolean => entrySequenceOf(eventId) <= upTo!
    return result(yield* list('delivery', query, fits, upTo === null ? null : isEarly))
  },
  ReadEndpointHealth: readEndpointHealth,
}
