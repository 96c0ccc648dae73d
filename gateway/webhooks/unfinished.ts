import type { AccountId } from '../../engine/shared/ids.ts'
import type { Router } from '../link/router.ts'
import type { Pool } from './pool.ts'

/** How many deliveries are unfinished, by what they wait for. */
export type Unfinished = {
  /** An attempt is due and waits for a slot. */
  readonly waiting: number
  /** A first attempt waits for an earlier one about the same object. */
  readonly held: number
  readonly in_flight: number
  /** The attempt has ended, but its outcome is not on disk yet. */
  readonly unrecorded: number
  /** An attempt failed, and the next one is not due yet. */
  readonly retrying: number
}

/**
 * Counts the unfinished deliveries of one worker: those in its pool, and those waiting in its shards. Shards that are recovering
 * are left out.
 */
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

/** Each query waits for the disk, so accounts are queried in batches; all at once would hold up requests. */
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
