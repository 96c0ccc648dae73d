import type { CompanyId, PersonId } from '../shared/ids.ts'
import { type MemberRole, permissionsOf, type Roles } from './permission.ts'
import {
  type CompanyMembership,
  everMembersOf,
  type Invitation,
  membershipIn,
  membersOf,
  type People,
  type RoleChange,
} from './person.ts'
import { isMissed, mayApprove, standingFor } from './standing.ts'

/** A request to give roles to a person. */
export type RoleRequest = {
  readonly companyId: CompanyId
  /** Null for an operator. */
  readonly requestedBy: PersonId | null
  /** Null for an invited person who has not accepted. */
  readonly recipient: PersonId | null
  readonly before: Roles | null
  readonly after: Roles
}

/** Whether a role can send money, or give roles that can. */
export const holdsMoney = (role: MemberRole | null): boolean => rankOf(role) > 0

/**
 * Whether roles wait for a second person before they count: every road to a role that holds money asks this
 * (dashboard, section 2.3). For roles that an operator gives, the operator is the second person. A member who
 * could confirm until a day ago still makes them wait.
 */
export const waitsForSecondPerson = (
  people: People,
  { companyId, requestedBy, recipient, before, after }: RoleRequest,
  nowMs: number,
): boolean =>
  requestedBy !== null &&
  rankOf(after.PRODUCTION) > rankOf(before?.PRODUCTION ?? null) &&
  everMembersOf(people, companyId).some(
    (member) =>
      member.personId !== requestedBy &&
      member.personId !== recipient &&
      confirming.some((permission) => isMissed(member, 'PRODUCTION', permission, nowMs)),
  )

/** The permissions that let a person confirm a role: managing the team, or else approving money. */
const confirming = ['team.manage', 'transfers.approve'] as const

/** The roles that count until a second person has confirmed all of them. */
export const rolesMeanwhile = (after: Roles): Roles => ({ ...after, PRODUCTION: null })

/**
 * The members who can confirm roles requested at `waitsSinceMs`: the other people who manage the team or, if there
 * are none, the other people who approve money. Neither the requester nor the recipient is among them.
 */
export const confirmersOf = (
  people: People,
  {
    companyId,
    requestedBy,
    recipient,
    waitsSinceMs,
  }: Pick<RoleRequest, 'companyId' | 'requestedBy' | 'recipient'> & { readonly waitsSinceMs: number },
): readonly CompanyMembership[] => {
  const others = membersOf(people, companyId).filter(
    ({ personId }) => personId !== requestedBy && personId !== recipient,
  )
  const whoMay = (permission: 'team.manage' | 'transfers.approve') =>
    others.filter((member) => {
      const standing = standingFor(member, 'PRODUCTION', permission)
      return standing !== null && mayApprove(standing, waitsSinceMs)
    })
  const managers = whoMay('team.manage')
  return managers.length > 0 ? managers : whoMay('transfers.approve')
}

/** Who can confirm a change of roles. */
export const confirmersOfChange = (people: People, change: RoleChange): readonly CompanyMembership[] =>
  confirmersOf(people, {
    companyId: change.companyId,
    requestedBy: change.requestedBy,
    recipient: recipientOf(people, change),
    waitsSinceMs: change.requestedAtMs,
  })

/** The person whose roles change; null until the invitation is accepted. */
export const recipientOf = ({ memberships }: People, { membershipId }: RoleChange): PersonId | null =>
  membershipId === null ? null : memberships.get(membershipId)!.personId

/** Whether a person may give roles, and take them away: only owners make, change and remove owners. */
export const mayGive = (
  people: People,
  personId: PersonId | null,
  companyId: CompanyId,
  concerned: readonly (Roles | null)[],
): boolean => {
  const held = personId === null ? null : (membershipIn(people, personId, companyId)?.roles ?? null)
  if (held === null || !permissionsOf(held, 'PRODUCTION').has('team.manage')) return false
  return held.PRODUCTION === 'OWNER' || !concerned.some((roles) => concernsOwner(roles))
}

/** Whether an invitation can be accepted. It ends with the power of the person who sent it. */
export const isOpen = (people: People, invitation: Invitation, nowMs: number): boolean => {
  const { status, expiresAtMs, invitedBy, companyId, roles } = invitation
  if (status !== 'OPEN' || expiresAtMs <= nowMs) return false
  return invitedBy === null || mayGive(people, invitedBy, companyId, [roles])
}

/** Whether a change of roles still waits: its target exists, and the requester may still give these roles. */
export const isWaiting = (people: People, change: RoleChange, nowMs: number): boolean => {
  const { companyId, membershipId, invitationId, requestedBy, roles } = change
  if (membershipId === null) {
    const invitation = people.invitations.get(invitationId!)
    return invitation !== undefined && isOpen(people, invitation, nowMs)
  }
  const member = people.memberships.get(membershipId)!
  return member.removedAtMs === null && mayGive(people, requestedBy, companyId, [member.roles, roles])
}

/** Owners and admins have the same permissions, but owners make owners. */
const rankOf = (role: MemberRole | null): number => ['FINANCE', 'ADMIN', 'OWNER'].indexOf(role ?? '') + 1

const concernsOwner = (roles: Roles | null): boolean =>
  roles?.PRODUCTION === 'OWNER' || roles?.SANDBOX === 'OWNER'
