import type { Answers, Command, Query } from '../engine/kernel/registry.ts'
import type { Reply } from '../engine/kernel/reply.ts'
import { fnv1a } from '../engine/shared/hash.ts'
import type { AccountId } from '../engine/shared/ids.ts'
import type { RelayedRequest, RelayedResponse } from './http/relay.ts'

/** Company to shard: callers cannot tell whether the owner is this worker, a sibling, or another node. */
export type Router = Shards & {
  /** Hands a whole request towards the thread that owns the account's shard; null where this one does. */
  readonly relayTo: (accountId: AccountId) => Relay | null
  /** Only the shards that this thread owns: of others it rejects with `ShardMoved`, and nothing was done. */
  readonly here: Shards
}

export type Shards = {
  readonly execute: (command: Command) => Promise<Reply>
  readonly query: <Asked extends Query>(query: Asked) => Promise<Answers[Asked['type']]>
}

export type Relay = (request: RelayedRequest) => Promise<RelayedResponse>

/** The shard of an account: FNV-1a over its id, which spreads ULIDs of one moment evenly. */
export const shardOf = (accountId: AccountId, shards: number): number => {
  let hash = fnv1a(accountId)
  hash ^= hash >>> 15
  return (Math.imul(hash, 0x2c1b3c6d) >>> 0) % shards
}
