import type { ClientId, CompanyId, EndpointId, Environment, KeyId } from '../ids.ts'

/** Who may call, for whom, and who wants to hear: companies, keys and endpoints. Every worker holds a copy. */
export type Directory = {
  readonly companies: ReadonlyMap<CompanyId, Company>
  readonly keys: ReadonlyMap<KeyId, Key>
  readonly endpoints: ReadonlyMap<EndpointId, Endpoint>
  /** Companies whose accounts are known to be open; only a cluster writes that down. */
  readonly opened: ReadonlySet<CompanyId>
  /** Shards that operators have given to a node, by number. */
  readonly pins: ReadonlyMap<number, string>
}

export const products = ['PIX', 'CARD', 'BOLETO', 'RECURRING', 'SPLIT'] as const
export type Product = (typeof products)[number]
export type ProductState = 'ACTIVE' | 'PENDING' | 'DISABLED'

export const scopes = [
  'charges.create',
  'charges.read',
  'subscriptions.read',
  'subscriptions.manage',
  'transactions.read',
  'transactions.export',
  'refunds.create',
  'marketplace.manage',
] as const
export type Scope = (typeof scopes)[number]

/** What a key gets that was created without scopes: money out, exports and splits only when marked (decisions, section 2). */
export const defaultScopes: readonly Scope[] = [
  'charges.create',
  'charges.read',
  'transactions.read',
  'subscriptions.read',
  'subscriptions.manage',
]

export type Company = {
  readonly id: CompanyId
  readonly name: string
  readonly document: string
  readonly city: string
  /** IANA name. */
  readonly timeZone: string
  readonly products: Readonly<Record<Environment, Readonly<Record<Product, ProductState>>>>
  readonly createdAtMs: number
}

export type Key = {
  readonly id: KeyId
  readonly companyId: CompanyId
  readonly environment: Environment
  /** The user name of HTTP Basic. */
  readonly clientId: ClientId
  /** SHA-256 of the whole secret, in base64url: the secret itself is nowhere. */
  readonly secretHash: string
  readonly last4: string
  readonly scopes: readonly Scope[]
  readonly createdAtMs: number
  readonly revokedAtMs: number | null
}

/** A merchant's webhook URL. */
export type Endpoint = {
  readonly id: EndpointId
  readonly companyId: CompanyId
  readonly environment: Environment
  readonly url: string
  /** Event types; empty means every one. */
  readonly eventTypes: readonly string[]
  /** The signing secret, encrypted: unlike a key's it has to be read again to sign. */
  readonly sealedSecret: string
  readonly createdAtMs: number
}

export type DirectoryEvent =
  | { readonly type: 'CompanyCreated'; readonly company: Company }
  | { readonly type: 'KeyCreated'; readonly key: Key }
  | { readonly type: 'KeyRevoked'; readonly id: KeyId; readonly atMs: number }
  | { readonly type: 'EndpointCreated'; readonly endpoint: Endpoint }
  | ClusterFact

/** What nodes of a cluster have to agree on. */
export type ClusterFact =
  | ClusterFormed
  /** The shards of the company own its accounts now. */
  | { readonly type: 'AccountsOpened'; readonly companyId: CompanyId }
  /** Rebalancing leaves the shard with this node; null takes that back. */
  | { readonly type: 'ShardPinned'; readonly shard: number; readonly node: string | null }

/** The first fact of a cluster: what can never change afterwards. */
export type ClusterFormed = {
  readonly type: 'ClusterFormed'
  readonly shards: number
  /** Tells whether a node has the cluster's master key; it does not tell the key. */
  readonly masterKeyCheck: string
  /** What the records of its logs look like. */
  readonly format: number
}

/** In Production a product has to be active, in Sandbox only not disabled (payments-api, General facts). */
export const isActive = (company: Company, environment: Environment, product: Product): boolean => {
  const state = company.products[environment][product]
  return environment === 'PRODUCTION' ? state === 'ACTIVE' : state !== 'DISABLED'
}
