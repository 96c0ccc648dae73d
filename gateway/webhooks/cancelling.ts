import type { Directory, DirectoryFact } from '../../engine/companies/directory.ts'
import type { Endpoint } from '../../engine/companies/endpoint.ts'
import type { Handler } from '../../engine/kernel/handler.ts'
import type { FlushedEntry } from '../../engine/kernel/step.ts'
import { ShardUnavailable } from '../../engine/kernel/unavailable.ts'
import type { EndpointId } from '../../engine/shared/ids.ts'
import { byOperator } from '../../engine/shared/initiator.ts'
import type { Delivery } from '../../engine/webhooks/delivery.ts'
import { bounds } from '../base/bounds.ts'
import { shardOf } from '../link/router.ts'
import { accountOfEndpoint } from './endpoints.ts'

/**
 * Cancels pending deliveries of endpoints that were disabled or deleted. These are two facts, one in the directory and one per
 * delivery in its shard. A crash can fall between them, so a worker checks for such deliveries when it starts to lead a shard.
 */
export type Cancelling = {
  /** Called when this worker starts to lead the shard, which lasts while `isLeading` returns true. */
  readonly onLead: (shard: number, isLeading: () => boolean) => void
  /** Reacts to a fact that is already in the directory. */
  readonly apply: (event: DirectoryFact) => void
  /** Cancels deliveries in an entry on disk that were on their way to the shard when the endpoint was silenced. */
  readonly onFlushed: (entry: FlushedEntry) => void
}

/** Opens the canceller of a worker. While a shard is unavailable it retries; other errors go to `onTrouble`. */
export const openCancelling = (options: {
  readonly directory: Directory
  readonly shards: number
  /** A shard that this worker hosts. */
  readonly host: (shard: number) => Handler
  readonly pause: () => Promise<void>
  readonly onTrouble: (error: unknown) => void
}): Cancelling => {
  const { directory, shards } = options
  const leading = new Map<number, () => boolean>()

  const cancel = async (id: EndpointId): Promise<void> => {
    const shard = shardOf(accountOfEndpoint(directory.endpoints.get(id)!), shards)
    // Works only during this leadership: the next one starts over.
    const isLeading = leading.get(shard)
    while (isLeading?.()) {
      try {
        // The endpoint may be enabled again meanwhile; events from then on stay.
        while (await cancelSome(directory.endpoints.get(id)!, options.host(shard)));
        return
      } catch (error) {
        if (!(error instanceof ShardUnavailable)) return options.onTrouble(error)
        await options.pause()
      }
    }
  }

  const cancelIn = async (shard: number): Promise<void> => {
    // The shard is still being opened at this moment.
    await options.pause()
    for (const endpoint of directory.endpoints.values())
      if (endpoint.wasSilenced && shardOf(accountOfEndpoint(endpoint), shards) === shard)
        await cancel(endpoint.id)
  }

  return {
    onLead: (shard, isLeading) => {
      leading.set(shard, isLeading)
      void cancelIn(shard)
    },
    apply: (event) => {
      if (event.type === 'EndpointDisabled' || event.type === 'EndpointDeleted') void cancel(event.id)
    },
    onFlushed: ({ steps }) => {
      const silenced = new Set<EndpointId>()
      for (const { event } of steps)
        if (
          event.type === 'DeliveryScheduled' &&
          directory.endpoints.get(event.delivery.endpointId)?.hearsAfter === null
        )
          silenced.add(event.delivery.endpointId)
      for (const id of silenced) void cancel(id)
    },
  }
}

/**
 * Cancels one batch: everything pending if the endpoint is silenced, or the events from before it was enabled again. Resolves
 * to whether there may be more.
 */
const cancelSome = async (endpoint: Endpoint, shard: Handler): Promise<boolean> => {
  const accountId = accountOfEndpoint(endpoint)
  const { rows, total } = await shard.query({
    type: 'ListDeliveries',
    accountId,
    endpointId: endpoint.id,
    statuses: ['PENDING', 'RETRYING'],
    upTo: endpoint.hearsAfter,
    page: 1,
    pageSize: bounds.cancelledAtOnce,
    asOf: null,
    from: null,
    to: null,
  })
  const cancel = ({ id }: Delivery) =>
    shard.execute({ type: 'CancelDelivery', accountId, by: byOperator, deliveryId: id })
  await Promise.all(rows.map(cancel))
  return total > rows.length
}
