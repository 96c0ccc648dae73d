import type { People, PeopleFact } from '../people/person.ts'
import type { AuditDraft } from '../shared/audit.ts'
import type { CompanyId, EndpointId, KeyId } from '../shared/ids.ts'
import type { Key, KeyChanges } from './api-key.ts'
import type { Company, CompanyChanges } from './company.ts'
import type { CompanyConnections, ConnectionFact } from './connection.ts'
import type { Endpoint, EndpointChanges } from './endpoint.ts'
import type { PayerKey, PayerKeys } from './payer-key.ts'

/** Companies, keys, endpoints and people: who may call, for whom, and who receives events. Every worker holds a copy. */
export type Directory = {
  readonly companies: ReadonlyMap<CompanyId, Company>
  readonly keys: ReadonlyMap<KeyId, Key>
  readonly endpoints: ReadonlyMap<EndpointId, Endpoint>
  readonly people: People
  /** The ways to banks and acquirers. */
  readonly connections: CompanyConnections
  /** Companies whose accounts are known to be open, with the company revision that the accounts hold. */
  readonly opened: ReadonlyMap<CompanyId, number>
  /** Shards that operators have pinned to a node, by number. */
  readonly pins: ReadonlyMap<number, string>
  /** The nodes that hold a copy of each shard, by number; every node holds those that are not here. */
  readonly copies: ReadonlyMap<number, ShardCopies>
  /** The nodes that shards were moved to because of their load. */
  readonly moves: ShardMoves
  /** The keys of what is recorded about payers, by number; a destroyed one stays, without the key. */
  readonly payerKeys: PayerKeys
  /** The version of what the nodes of a cluster write for each other; it never falls. */
  readonly writtenVersion: number
}

/** Who holds a copy of a shard. */
export type ShardCopies = {
  /** Counts the changes, from 1: two nodes with the same number know the same holders. */
  readonly number: number
  readonly nodes: readonly string[]
}

/** Where shards are owned because of their load. */
export type ShardMoves = {
  /** Counts the facts that say where a shard is owned, pins and moves: two nodes with the same number know the same. */
  readonly number: number
  /** The node of each shard that was moved, until it is pinned or moved elsewhere. */
  readonly nodes: ReadonlyMap<number, string>
}

/** What clusters write that were formed before they had a version. */
export const firstWrittenVersion = 13

/** A fact; one that an operation appends carries who did it, for the audit log of the account that it concerns. */
export type DirectoryFact = UnauditedFact & { readonly audit?: AuditDraft }

type UnauditedFact =
  | { readonly type: 'CompanyCreated'; readonly company: Company }
  | (OfCompany<'CompanyChanged'> & { readonly changes: CompanyChanges })
  | OfCompany<'CompanySuspended'>
  | OfCompany<'CompanyResumed'>
  | { readonly type: 'PayerKeyMade'; readonly key: Omit<PayerKey, 'madeAtMs'>; readonly atMs: number }
  | { readonly type: 'PayerKeyDestroyed'; readonly number: number; readonly atMs: number }
  /** The audit logs have every fact up to this one. */
  | { readonly type: 'AuditsTold'; readonly upTo: number }
  /** The company's accounts are open in their shards, with the profile of this revision. */
  | { readonly type: 'AccountsOpened'; readonly companyId: CompanyId; readonly revision: number }
  | { readonly type: 'KeyCreated'; readonly key: Key }
  /** A key replaces another, which stops working at `expiresAtMs`. */
  | {
      readonly type: 'KeyRolled'
      readonly id: KeyId
      readonly key: Key
      readonly expiresAtMs: number
    }
  | {
      readonly type: 'KeyChanged'
      readonly id: KeyId
      readonly changes: KeyChanges
      readonly atMs: number
    }
  | { readonly type: 'KeyRevoked'; readonly id: KeyId; readonly atMs: number }
  | { readonly type: 'EndpointCreated'; readonly endpoint: Endpoint }
  | (OfEndpoint<'EndpointChanged'> & { readonly changes: EndpointChanges })
  | OfEndpoint<'EndpointDisabled'>
  | (OfEndpoint<'EndpointEnabled'> & Pick<Endpoint, 'hearsAfter'>)
  | OfEndpoint<'EndpointDeleted'>
  | PeopleFact
  | ConnectionFact
  | ClusterFact

type OfCompany<Type extends string> = {
  readonly type: Type
  readonly id: CompanyId
  readonly atMs: number
}

type OfEndpoint<Type extends string> = {
  readonly type: Type
  readonly id: EndpointId
  readonly atMs: number
}

/** Facts that the nodes of a cluster agree on. */
export type ClusterFact =
  | ClusterFormed
  /** Pins a shard to this node, so that rebalancing leaves it there; null removes the pin. */
  | { readonly type: 'ShardPinned'; readonly shard: number; readonly node: string | null }
  /** This node should own the shard from now on, because the one that owns it is much busier. */
  | { readonly type: 'ShardBalanced'; readonly shard: number; readonly node: string }
  /** These nodes hold a copy of the shard from now on, and no others. */
  | { readonly type: 'CopiesPlaced'; readonly shard: number; readonly nodes: readonly string[] }
  /** Every node reads this version, and from now on writes it. */
  | { readonly type: 'VersionRaised'; readonly version: number; readonly atMs: number }

/** The first fact of a cluster, fixed for its lifetime. */
export type ClusterFormed = {
  readonly type: 'ClusterFormed'
  readonly shards: number
  /** Proves that a node has the cluster's master key without revealing it. */
  readonly masterKeyCheck: string
  /** The format version of the records in its logs. */
  readonly format: number
  /** What its nodes write at first; absent for `firstWrittenVersion`. */
  readonly version?: number
}

/**
 * Appends a fact to the directory and resolves when it is on disk and every worker of this node knows it. No other fact
 * comes between the decision and its append, so `decide` may be called more than once. Null appends nothing; an error
 * thrown by `decide` rejects the promise.
 */
export type Commit = (decide: () => DirectoryFact | null) => Promise<void>

/** Whether the key may call: not revoked, not expired, and its company not suspended. */
export const isAdmitted = ({ companies }: Directory, key: Key, nowMs: number): boolean => {
  if (key.revokedAtMs !== null) return false
  if (key.expiresAtMs !== null && key.expiresAtMs <= nowMs) return false
  return companies.get(key.companyId)?.suspendedAtMs === null
}

/**
 * The fact that has a node own a shard because of its load; null where it was decided on other pins and moves than there are: of two nodes that
 * decide at once, one comes too late.
 */
export const shardBalanced = (
  { moves }: Pick<Directory, 'moves'>,
  { shard, number, node }: { readonly shard: number; readonly number: number; readonly node: string },
): DirectoryFact | null => (moves.number === number ? { type: 'ShardBalanced', shard, node } : null)
