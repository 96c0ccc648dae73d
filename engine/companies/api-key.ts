import type { Scope } from '../people/permission.ts'
import type { ClientId, CompanyId, Environment, KeyId, PersonId } from '../shared/ids.ts'

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

/** Whether the key works, or will until its end, and was not replaced: these are counted. */
export const isLiving = ({ revokedAtMs, expiresAtMs, rolledTo }: Key, nowMs: number): boolean =>
  revokedAtMs === null && rolledTo === null && (expiresAtMs === null || expiresAtMs > nowMs)
