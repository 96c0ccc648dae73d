import type { Environment } from '../shared/ids.ts'

/** Permissions that an API key can have. People can have them, too. */
export const scopes = [
  'charges.create',
  'charges.read',
  'subscriptions.read',
  'subscriptions.manage',
  'transactions.read',
  'transactions.export',
  'refunds.create',
  'marketplace.manage',
  'balance.read',
] as const
export type Scope = (typeof scopes)[number]

/** Permissions for people in the dashboard only (payments-api, Authentication; dashboard, section 1.6). */
const reserved = [
  'disputes.manage',
  'transfers.create',
  'transfers.approve',
  'beneficiaries.manage',
  'crypto.convert',
  'crypto.withdraw',
  'limits.manage',
  'keys.read',
  'keys.manage',
  'webhooks.read',
  'webhooks.manage',
  'support.read',
  'support.manage',
  'team.read',
  'team.manage',
  'company.read',
  'company.manage',
  'audit.read',
] as const

export const permissions = [...scopes, ...reserved] as const
export type Permission = (typeof permissions)[number]

export const roles = ['OWNER', 'ADMIN', 'FINANCE', 'DEVELOPER', 'SUPPORT', 'VIEWER'] as const
export type MemberRole = (typeof roles)[number]

/** The role of a member in each environment; null where there is none. */
export type Roles = Readonly<Record<Environment, MemberRole | null>>

/** Whether an API key can have this permission. */
export const isScope = (permission: string): permission is Scope =>
  (scopes as readonly string[]).includes(permission)

/**
 * What a member may do in an environment. Permissions about the whole company follow from the role in Production.
 */
export const permissionsOf = (held: Roles, environment: Environment): ReadonlySet<Permission> => {
  const key = `${held.SANDBOX}/${held.PRODUCTION}/${environment}`
  let found = known.get(key)
  if (found === undefined) {
    found = new Set(permissions.filter((permission) => isGranted(permission, held, environment)))
    known.set(key, found)
  }
  return found
}

const known = new Map<string, ReadonlySet<Permission>>()

const isGranted = (permission: Permission, held: Roles, environment: Environment): boolean => {
  const place = companyWide.has(permission) ? 'PRODUCTION' : environment
  const role = held[place]
  if (role === null) return false
  const letters = grants[permission]
  return letters.includes(role[0]!) || (role === 'DEVELOPER' && place === 'SANDBOX' && letters.includes('d'))
}

const companyWide: ReadonlySet<Permission> = new Set([
  'team.read',
  'team.manage',
  'company.read',
  'company.manage',
  'audit.read',
])

/** The roles that have each permission, by their first letters; `d` is a developer in the Sandbox only. */
const grants: Readonly<Record<Permission, string>> = {
  'charges.read': 'OAFDSV',
  'transactions.read': 'OAFDSV',
  'subscriptions.read': 'OAFDSV',
  'team.read': 'OAFDSV',
  'company.read': 'OAFDSV',
  'support.read': 'OAFDSV',
  'charges.create': 'OAFdS',
  'subscriptions.manage': 'OAFdS',
  'disputes.manage': 'OAFdS',
  'refunds.create': 'OAFd',
  'transactions.export': 'OAFd',
  'marketplace.manage': 'OAFd',
  'transfers.create': 'OAFd',
  'transfers.approve': 'OAFd',
  'beneficiaries.manage': 'OAFd',
  'crypto.convert': 'OAFd',
  'crypto.withdraw': 'OAFd',
  'balance.read': 'OAFdV',
  'keys.read': 'OADV',
  'webhooks.read': 'OADV',
  'keys.manage': 'OAD',
  'webhooks.manage': 'OAD',
  'support.manage': 'OAFDS',
  'team.manage': 'OA',
  'company.manage': 'OA',
  'limits.manage': 'OA',
  'audit.read': 'OA',
}
