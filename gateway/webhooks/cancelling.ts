import type { Directory, DirectoryEvent, Endpoint } from '../../engine/directory/directory.ts'
import { ShardUnavailable } from '../../engine/kernel/unavailable.ts'
import type { EndpointId } from '../../engine/shared/ids.ts'
import type { Delivery } from '../../engine/webhooks/delivery.ts'
import { limits } from '../limits.ts'
import { type Shards, shardOf } from '../router.ts'
import { accountOfEndpoint } from './endpoints.ts'

/**
 * Cancels what waits for endpoints that were disabled or deleted. That is two facts, one of the directory and then those of
 * the deliveries in their shard: whoever comes to lead a shard looks for what a crash has left between them.
 */
export type Cancelling = {
  /** This worker leads the shard from now on. */
  readonly onLead: (shard: number, isLeading: () => boolean) => void
  /** A fact that the directory has by now. */
  readonly apply: (event: DirectoryEvent) => void
}

export const openCancelling = (options: {
  readonly directory: Directory
  readonly shards: number
  /** A shard that this worker hosts. */
  readonly host: (shard: number) => Shards
  readonly pause: () => Promise<void>
  readonly onTrouble: (error: unknown) => void
}): Cancelling => {
  const { directory, shards } = options
  const leading = new Map<number, () => boolean>()

  const cancel = async (id: EndpointId): Promise<void> => {
    const shard = shardOf(accountOfEndpoint(directory.endpoints.get(id)!), shards)
    // As long as this lead lasts: a later one begins anew.
    const isLeading = leading.get(shard)
    while (isLeading?.()) {
      try {
        // It may be enabled again meanwhile: then what it hears from now on stays.
        while (await cancelSome(directory.endpoints.get(id)!, options.host(shard)));
        return
      } catch (error) {
        if (!(error instanceof ShardUnavailable)) return options.onTrouble(error)
        await options.pause()
      }
    }
  }

  const cancelIn = async (shard: number): Promise<void> => {
    // Not while the shard is being opened.
    await options.pause()
    for (const endpoint of directory.endpoints.values())
      if (wasSilenced(endpoint) && shardOf(accountOfEndpoint(endpoint), shards) === shard)
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
  }
}

const wasSilenced = ({ hearsFromMs, createdAtMs }: Endpoint): boolean => hearsFromMs !== createdAtMs

/**
 * Of an endpoint that hears nothing everything is cancelled that waits, of one that hears again what was scheduled before.
 * Answers whether there may be more.
 */
const cancelSome = async (endpoint: Endpoint, shard: Shards): Promise<boolean> => {
  const accountId = accountOfEndpoint(endpoint)
  const { rows, total } = await shard.query({
    type: 'ListDeliveries',
    accountId,
    endpointId: endpoint.id,
    statuses: ['PENDING', 'RETRYING'],
    scheduledBeforeMs: endpoint.hearsFromMs,
    page: 1,
    pageSize: limits.cancelledAtOnce,
    asOf: null,
    from: null,
    to: null,
  })
  const cancel = ({ id }: Delivery) =>
    shard.execute({ type: 'CancelDelivery', accountId, by: operator, deliveryId: id })
  await Promise.all(rows.map(cancel))
  return total > rows.length
}

const operator = { kind: 'OPERATOR', id: null } as const
