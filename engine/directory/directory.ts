import type { Fees } from '../ledger/fees.ts'
import type { Address } from '../shared/address.ts'
import type { ClientId, CompanyId, EndpointId, Environment, KeyId } from '../shared/ids.ts'
import type { Product } from '../shared/product.ts'

/** Who may call, for whom, and who wants to hear: companies, keys and endpoints. Every worker holds a copy. */
export type Directory = {
  readonly companies: ReadonlyMap<CompanyId, Company>
  readonly keys: ReadonlyMap<KeyId, Key>
  readonly endpoints: ReadonlyMap<EndpointId, Endpoint>
  /** Companies whose accounts are known to be open, with the revision of the company that the accounts know. */
  readonly opened: ReadonlyMap<CompanyId, number>
  /** Shards that operators have given to a node, by number. */
  readonly pins: ReadonlyMap<number, string>
}

export const productStates = ['ACTIVE', 'PENDING', 'DISABLED'] as const
export type ProductState = (typeof productStates)[number]

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
  /** As QR codes show it. */
  readonly city: string
  readonly address: Address | null
  /** IANA name. */
  readonly timeZone: string
  readonly products: Readonly<Record<Environment, Readonly<Record<Product, ProductState>>>>
  /** What it pays for charges that are created from now on. */
  readonly fees: Fees
  /** Grows with every change, so that accounts tell a newer profile from an older one. */
  readonly revision: number
  /** Its keys are answered 401; what is due goes on. Null while it is not suspended. */
  readonly suspendedAtMs: number | null
  readonly createdAtMs: number
  readonly updatedAtMs: number
}

/** What an operator can change of a company. Its document is its identity. */
export type CompanyChanges = Partial<Pick<Company, 'name' | 'city' | 'address' | 'products' | 'fees'>>

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
  /** From here on it is refused: it was rolled. Null for a key that does not end by itself. */
  readonly expiresAtMs: number | null
  /** The key that it was rolled into. */
  readonly rolledTo: KeyId | null
}

/** A merchant's webhook URL. */
export type Endpoint = {
  readonly id: EndpointId
  readonly companyId: CompanyId
  readonly environment: Environment
  readonly url: string
  readonly description: string | null
  /** Event types; empty means every one. */
  readonly eventTypes: readonly string[]
  /** The signing secret, encrypted: unlike a key's it has to be read again to sign. */
  readonly sealedSecret: string
  /**
   * It hears what happens from here on: since it was created or enabled. Null while it is disabled, and once it is deleted.
   */
  readonly hearsFromMs: number | null
  readonly createdAtMs: number
  readonly updatedAtMs: number
  /** It stays in the directory, because its deliveries name it. */
  readonly deletedAtMs: number | null
}

export type EndpointChanges = Partial<Pick<Endpoint, 'url' | 'description' | 'eventTypes' | 'sealedSecret'>>

export type DirectoryEvent =
  | { readonly type: 'CompanyCreated'; readonly company: Company }
  | (OfCompany<'CompanyChanged'> & { readonly changes: CompanyChanges })
  | OfCompany<'CompanySuspended'>
  | OfCompany<'CompanyResumed'>
  /** The shards of the company own its accounts now, with the profile of this revision. */
  | { readonly type: 'AccountsOpened'; readonly companyId: CompanyId; readonly revision: number }
  | { readonly type: 'KeyCreated'; readonly key: Key }
  /** A key takes another's place, which ends at `expiresAtMs`. */
  | {
      readonly type: 'KeyRolled'
      readonly id: KeyId
      readonly key: Key
      readonly expiresAtMs: number
    }
  | { readonly type: 'KeyRevoked'; readonly id: KeyId; readonly atMs: number }
  | { readonly type: 'EndpointCreated'; readonly endpoint: Endpoint }
  | (OfEndpoint<'EndpointChanged'> & { readonly changes: EndpointChanges })
  | OfEndpoint<'EndpointDisabled'>
  | OfEndpoint<'EndpointEnabled'>
  | OfEndpoint<'EndpointDeleted'>
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

/** What nodes of a cluster have to agree on. */
export type ClusterFact =
  | ClusterFormed
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

/**
 * Appends a fact to the directory; resolves when it is on disk and every worker of this node knows it. What is decided on
 * is what the fact comes after: no other one comes in between. So `decide` may be asked more than once. Null leaves all as it
 * is; what it throws, whoever asked hears.
 */
export type Commit = (decide: () => DirectoryEvent | null) => Promise<void>

/** In Production a product has to be active, in Sandbox only not disabled (payments-api, General facts). */
export const isActive = (company: Company, environment: Environment, product: Product): boolean => {
  const state = company.products[environment][product]
  return environment === 'PRODUCTION' ? state === 'ACTIVE' : state !== 'DISABLED'
}

/** Whether requests with the key are let in: it was not revoked, has not ended, and its company is not suspended. */
export const isAdmitted = ({ companies }: Directory, key: Key, nowMs: number): boolean => {
  if (key.revokedAtMs !== null) return false
  if (key.expiresAtMs !== null && key.expiresAtMs <= nowMs) return false
  return companies.get(key.companyId)?.suspendedAtMs === null
}

/** Whether an event of a moment is one for the endpoint. */
export const hears = ({ hearsFromMs }: Endpoint, atMs: number): boolean =>
  hearsFromMs !== null && hearsFromMs <= atMs
