import type { Handler, Waiter } from '../../engine/kernel/handler.ts'
import { fnv1a } from '../../engine/shared/hash.ts'
import type { AccountId } from '../../engine/shared/ids.ts'
import type { RelayedRequest, RelayedResponse } from './relay.ts'

/**
 * Routes commands and queries to the shard of their company. Callers cannot tell whether its owner is this worker, a sibling, or
 * another node.
 */
export type Router = Handler & {
  /** Returns how to relay a whole request to the thread that owns the account's shard; null if this thread owns it. */
  readonly relayTo: (accountId: AccountId) => Relay | null
  /** Reaches only the shards that this thread owns. For other shards it rejects with `ShardMoved`, and nothing was done. */
  readonly here: Handler
}

export type Relay = (request: RelayedRequest, to: Waiter<RelayedResponse>) => void

/** The shard of an account: FNV-1a over its id, remixed so that ULIDs of one moment spread evenly. */
export const shardOf = (accountId: AccountId, shards: number): number => {
  let hash = fnv1a(accountId)
  hash ^= hash >>> 15
  return (Math.imul(hash, 0x2c1b3c6d) >>> 0) % shards
}
