import type { AccountId } from '../../engine/shared/ids.ts'
import type { Router } from '../router.ts'
import type { Pool } from './pool.ts'

/** How many deliveries are not finished, by what they wait for. */
export type Unfinished = {
  /** Their attempt is due and waits for a slot. */
  readonly waiting: number
  /** A first attempt that waits for the one before it about the same object. */
  readonly held: number
  readonly in_flight: number
  /** The attempt has ended; its outcome is on its way to the disk. */
  readonly unrecorded: number
  /** They failed and wait for their next time. */
  readonly retrying: number
}

/** Of a worker: what its pool has, and what waits in its shards. A shard that recovers is left out. */
export const countUnfinished = async (
  pool: Pool,
  accountIds: readonly AccountId[],
  query: Router['query'],
): Promise<Unfinished> => {
  let retrying = 0
  for (let first = 0; first < accountIds.length; first += accountsAtOnce) {
    const counts = accountIds
      .slice(first, first + accountsAtOnce)
      .map((accountId) => query({ ...allRetrying, accountId }).catch(() => ({ total: 0 })))
    for (const { total } of await Promise.all(counts)) retrying += total
  }
  return {
    waiting: pool.queued(),
    held: pool.held(),
    in_flight: pool.inFlight(),
    unrecorded: pool.unrecorded(),
    retrying: Math.max(0, retrying - pool.retries()),
  }
}

/** Answers wait for the disk, so several wait together; all at once would hold up requests. */
const accountsAtOnce = 100

const allRetrying = {
  type: 'ListDeliveries',
  endpointId: null,
  statuses: ['RETRYING'],
  page: 1,
  pageSize: 0,
  asOf: null,
  from: null,
  to: null,
} as const
