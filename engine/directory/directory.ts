import { heardByDefault } from '../kernel/public-event.ts'
import type { Fees } from '../ledger/fees.ts'
import { products } from '../payments/methods/index.ts'
import type { Scope } from '../people/permission.ts'
import type { People, PeopleFact } from '../people/person.ts'
import type { BankAccount } from '../recipients/recipient.ts'
import type { PostalAddress } from '../shared/address.ts'
import type { AuditDraft } from '../shared/audit.ts'
import type { BankAccountType } from '../shared/bank-account-type.ts'
import type { ClientId, CompanyId, EndpointId, Environment, KeyId, PersonId } from '../shared/ids.ts'
import type { Product } from '../shared/product.ts'

/** Companies, keys, endpoints and people: who may call, for whom, and who receives events. Every worker holds a copy. */
export type Directory = {
  readonly companies: ReadonlyMap<CompanyId, Company>
  readonly keys: ReadonlyMap<KeyId, Key>
  readonly endpoints: ReadonlyMap<EndpointId, Endpoint>
  readonly people: People
  /** Companies whose accounts are known to be open, with the company revision that the accounts hold. */
  readonly opened: ReadonlyMap<CompanyId, number>
  /** Shards that operators have pinned to a node, by number. */
  readonly pins: ReadonlyMap<number, string>
}

export const productStates = ['ACTIVE', 'PENDING', 'DISABLED'] as const
export type ProductState = (typeof productStates)[number]

/**
 * The scopes of a key created without any. Payouts, exports and splits must be granted explicitly (decisions, section
 * 2).
 */
export const defaultScopes: readonly Scope[] = [
  'charges.create',
  'charges.read',
  'transactions.read',
  'subscriptions.read',
  'subscriptions.manage',
]

/**
 * The state of a product in a new company, unless set at its creation. Stablecoins are foreign exchange, so
 * operators switch them on by hand in Production.
 */
const initialState = (product: Product, environment: Environment): ProductState =>
  product === 'CRYPTO' && environment === 'PRODUCTION' ? 'DISABLED' : 'ACTIVE'

/** The states of all products in a new company, unless set at its creation. */
export const initialStates = (environment: Environment): ProductStates =>
  Object.fromEntries(
    products.map((product) => [product, initialState(product, environment)]),
  ) as ProductStates

export type ProductStates = Readonly<Record<Product, ProductState>>

export type Company = {
  readonly id: CompanyId
  /** The legal name. */
  readonly name: string
  /** The name that it trades under; null if it has none. */
  readonly tradeName: string | null
  readonly document: string
  readonly companyType: CompanyType
  readonly email: string | null
  readonly phone: string | null
  readonly website: string | null
  /** The text that payers read on their card statements. */
  readonly statementDescriptor: string | null
  readonly logo: Logo | null
  /** The bank account that its money is paid out to. */
  readonly bankAccount: CompanyBankAccount | null
  /** Changes that count later: a thief who redirects the money must not have it at once. Null for none. */
  readonly pendingBankAccount: Pending<CompanyBankAccount | null> | null
  readonly pendingTimeZone: Pending<string> | null
  /** The city that QR codes show. */
  readonly city: string
  readonly address: PostalAddress | null
  /** IANA name. */
  readonly timeZone: string
  readonly products: Readonly<Record<Environment, ProductStates>>
  /** Fees for charges created from now on. */
  readonly fees: Fees
  /** Grows with every change, so that an account never replaces a newer profile by an older one. */
  readonly revision: number
  /** While suspended, its keys are answered 401 and due work continues. Null otherwise. */
  readonly suspendedAtMs: number | null
  readonly createdAtMs: number
  readonly updatedAtMs: number
}

export const companyTypes = ['MEI', 'OTHER'] as const
export type CompanyType = (typeof companyTypes)[number]

/** An account in the company's own name. */
export type CompanyBankAccount = BankAccount & { readonly accountType: BankAccountType }

/** A small picture, as base64. */
export type Logo = {
  readonly mediaType: 'image/png' | 'image/jpeg'
  readonly base64: string
  readonly width: number
  readonly height: number
}

/** A value that takes the place of the present one at this time. */
export type Pending<Value> = { readonly value: Value; readonly effectiveAtMs: number }

/** What can be changed about a company. The document is its identity and never changes. */
export type CompanyChanges = Partial<
  Pick<
    Company,
    | 'name'
    | 'tradeName'
    | 'companyType'
    | 'email'
    | 'phone'
    | 'website'
    | 'statementDescriptor'
    | 'logo'
    | 'bankAccount'
    | 'pendingBankAccount'
    | 'timeZone'
    | 'pendingTimeZone'
    | 'city'
    | 'address'
    | 'products'
    | 'fees'
  >
>

export type Key = {
  readonly id: KeyId
  readonly companyId: CompanyId
  readonly environment: Environment
  /** A name by which people distinguish their keys. */
  readonly name: string
  /** The user name of HTTP Basic. */
  readonly clientId: ClientId
  /** SHA-256 of the whole secret, in base64url. The secret itself is stored nowhere. */
  readonly secretHash: string
  readonly last4: string
  readonly scopes: readonly Scope[]
  /** The networks that may use it, as CIDRs; empty for all. */
  readonly ipAllowList: readonly string[]
  /** Null for an operator. */
  readonly createdBy: PersonId | null
  readonly createdAtMs: number
  readonly revokedAtMs: number | null
  /** When it stops working, by its terms or because it was rolled; null for a key without an end. */
  readonly expiresAtMs: number | null
  /** The key that it was rolled into. */
  readonly rolledTo: KeyId | null
}

/** What can be changed about a key; its scopes only get fewer. */
export type KeyChanges = Partial<Pick<Key, 'name' | 'ipAllowList' | 'scopes'>>

/** A merchant's webhook URL. */
export type Endpoint = {
  readonly id: EndpointId
  readonly companyId: CompanyId
  readonly environment: Environment
  readonly url: string
  readonly description: string | null
  /** Event types; empty for all. */
  readonly eventTypes: readonly string[]
  /** Whether it hears types beyond the specification's list. */
  readonly extraEvents: boolean
  /** Headers of the receiver's own, which every attempt sends. Each value is sealed like the secret: it may be a password. */
  readonly headers: readonly EndpointHeader[]
  readonly signature: EndpointSignature
  /** The signing secret, encrypted and not hashed: signing needs to read it. */
  readonly sealedSecret: string
  /** The previous secret, which also signs until then; null for none. */
  readonly formerSecret: { readonly sealedSecret: string; readonly untilMs: number } | null
  /**
   * The endpoint receives the events of its shard's entries after this one, the last when it was created or
   * enabled. Null while it is disabled or deleted. A sequence, because the clocks of different nodes do not say
   * which came first.
   */
  readonly hearsAfter: number | null
  /** Whether it was ever disabled or deleted: deliveries planned until then may still have to be cancelled. */
  readonly wasSilenced: boolean
  readonly createdAtMs: number
  readonly updatedAtMs: number
  /** A deleted endpoint stays in the directory because its deliveries name it. */
  readonly deletedAtMs: number | null
}

export type EndpointHeader = { readonly name: string; readonly sealedValue: string }

/** How attempts are signed: as the specification says, or by the headers of Standard Webhooks 1.0 beside that. */
export const endpointSignatures = ['service', 'standard-webhooks'] as const
export type EndpointSignature = (typeof endpointSignatures)[number]

export type EndpointChanges = Partial<
  Pick<
    Endpoint,
    | 'url'
    | 'description'
    | 'eventTypes'
    | 'extraEvents'
    | 'headers'
    | 'signature'
    | 'sealedSecret'
    | 'formerSecret'
  >
>

/** A fact; one that an operation appends carries who did it, for the audit log of the account that it concerns. */
export type DirectoryEvent = DirectoryFact & { readonly audit?: AuditDraft }

type DirectoryFact =
  | { readonly type: 'CompanyCreated'; readonly company: Company }
  | (OfCompany<'CompanyChanged'> & { readonly changes: CompanyChanges })
  | OfCompany<'CompanySuspended'>
  | OfCompany<'CompanyResumed'>
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

/** The first fact of a cluster, fixed for its lifetime. */
export type ClusterFormed = {
  readonly type: 'ClusterFormed'
  readonly shards: number
  /** Proves that a node has the cluster's master key without revealing it. */
  readonly masterKeyCheck: string
  /** The format version of the records in its logs. */
  readonly format: number
}

/**
 * Appends a fact to the directory and resolves when it is on disk and every worker of this node knows it. No other fact
 * comes between the decision and its append, so `decide` may be called more than once. Null appends nothing; an error
 * thrown by `decide` rejects the promise.
 */
export type Commit = (decide: () => DirectoryEvent | null) => Promise<void>

/**
 * Whether a product can be used: in Production it must be active, in Sandbox only not disabled (payments-api, General
 * facts).
 */
export const isActive = (company: Company, environment: Environment, product: Product): boolean => {
  const state = company.products[environment][product]
  return environment === 'PRODUCTION' ? state === 'ACTIVE' : state !== 'DISABLED'
}

/** Whether the key may call: not revoked, not expired, and its company not suspended. */
export const isAdmitted = ({ companies }: Directory, key: Key, nowMs: number): boolean => {
  if (key.revokedAtMs !== null) return false
  if (key.expiresAtMs !== null && key.expiresAtMs <= nowMs) return false
  return companies.get(key.companyId)?.suspendedAtMs === null
}

/** Whether the key works, or will until its end, and was not replaced: these are counted. */
export const isLiving = ({ revokedAtMs, expiresAtMs, rolledTo }: Key, nowMs: number): boolean =>
  revokedAtMs === null && rolledTo === null && (expiresAtMs === null || expiresAtMs > nowMs)

/** Whether the endpoint receives the events of this entry of its shard. */
export const receives = ({ hearsAfter }: Endpoint, sequence: number): boolean =>
  hearsAfter !== null && hearsAfter < sequence

/** Whether the endpoint wants events of this type. */
export const subscribesTo = ({ eventTypes, extraEvents }: Endpoint, type: string): boolean =>
  heardByDefault(type, extraEvents) && (eventTypes.length === 0 || eventTypes.includes(type))
