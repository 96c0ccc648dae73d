import type { Environment } from '../shared/ids.ts'
import { type Permission, permissionsOf, type Roles } from './permission.ts'

/** Roles of a member, since when, and whether they were given by more than one person. */
export type RoleGrant = { readonly roles: Roles; readonly atMs: number; readonly isConfirmed: boolean }

/** Since when a person has a permission, on the real clock, and whether a second person has confirmed it. */
export type Standing = { readonly sinceMs: number; readonly isConfirmed: boolean }

/** The standing of a member for a permission, without a break up to now; null for one who does not have it. The grants are in order. */
export const standingFor = (
  { grants }: { readonly grants: readonly RoleGrant[] },
  environment: Environment,
  permission: Permission,
): Standing | null => {
  const without = grants.findLastIndex(({ roles }) => !permissionsOf(roles, environment).has(permission))
  const held = grants.slice(without + 1)
  return held.length === 0
    ? null
    : { sinceMs: held[0]!.atMs, isConfirmed: held.some(({ isConfirmed }) => isConfirmed) }
}

/**
 * Whether a person with this standing may approve a request that waits since a time. One person alone must not
 * make an approver for a request that already waits (dashboard, section 2.3).
 */
export const mayApprove = ({ sinceMs, isConfirmed }: Standing, waitsSinceMs: number): boolean =>
  isConfirmed || sinceMs <= waitsSinceMs

/** How long a person who lost a permission counts as an approver: as long as a raised limit takes to count. */
const missedMs = 24 * 3_600_000

/**
 * Whether a member, present or former, has the permission or had it until less than a day ago. Otherwise one
 * manager could remove the other, and a minute later do alone what takes two.
 */
export const isMissed = (
  { grants, removedAtMs }: { readonly grants: readonly RoleGrant[]; readonly removedAtMs: number | null },
  environment: Environment,
  permission: Permission,
  nowMs: number,
): boolean =>
  grants.some(({ roles }, n) => {
    const endedAtMs = grants[n + 1]?.atMs ?? removedAtMs ?? nowMs
    return permissionsOf(roles, environment).has(permission) && endedAtMs > nowMs - missedMs
  })
