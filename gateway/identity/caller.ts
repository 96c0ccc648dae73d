import type { Key } from '../../engine/companies/api-key.ts'
import type { Permission } from '../../engine/people/permission.ts'
import type { Person } from '../../engine/people/person.ts'
import type { Session } from '../../engine/people/session.ts'
import type { AccountId, CompanyId, Environment } from '../../engine/shared/ids.ts'
import type { Initiator } from '../../engine/shared/initiator.ts'
import type { InNetworks } from '../base/networks.ts'

/** Who sent a request: a company's server with an API key, a person who is signed in, or a stranger at an open route. */
export type Caller = KnownKey | SignedIn | Stranger

/** A key with its account, and its ordinal in the order of creation, which is the same in every worker. */
export type KnownKey = {
  readonly kind: 'KEY'
  readonly key: Key
  readonly accountId: AccountId
  readonly companyId: CompanyId
  readonly environment: Environment
  readonly by: Initiator
  readonly ordinal: number
  /** The addresses that may use it; null for all. */
  readonly allows: InNetworks | null
}

/** A person's session. Account, company and environment are those that the request names; null if it is about the person alone. */
export type SignedIn = {
  readonly kind: 'PERSON'
  readonly session: Session
  readonly person: Person
  readonly accountId: AccountId | null
  readonly companyId: CompanyId | null
  readonly environment: Environment | null
  readonly permissions: ReadonlySet<Permission>
  /** When the session ends, unless it is used. */
  readonly endsAtMs: number
  readonly by: Initiator
}

export type Stranger = { readonly kind: 'STRANGER'; readonly accountId: null }

/** Whether a caller may do something, in the company and environment that the request is about. */
export const isAllowed = (caller: Caller, permission: Permission): boolean => {
  switch (caller.kind) {
    case 'KEY':
      return (caller.key.scopes as readonly Permission[]).includes(permission)
    case 'PERSON':
      return caller.permissions.has(permission)
    case 'STRANGER':
      return false
  }
}

export const stranger: Stranger = { kind: 'STRANGER', accountId: null }
