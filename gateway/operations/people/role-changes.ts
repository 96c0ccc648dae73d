import type { DirectoryFact } from '../../../engine/companies/directory.ts'
import {
  confirmersOfChange,
  isOpen,
  isWaiting,
  mayGive,
  type RoleRequest,
  recipientOf,
  waitsForSecondPerson,
} from '../../../engine/people/give-role.ts'
import { permissionsOf } from '../../../engine/people/permission.ts'
import {
  type CompanyMembership,
  membershipIn,
  type People,
  type RoleChange,
} from '../../../engine/people/person.ts'
import { type ChangeId, type CompanyId, type InvitationId, newId } from '../../../engine/shared/ids.ts'
import type { Asker } from '../../identity/asked.ts'
import { refuseAs } from '../../problems/refusal.ts'
import type { Input, OperationOn } from '../input.ts'
import {
  memberAt,
  requireMayGive,
  requireOwnerLeft,
  rolesOf,
  showInvitation,
  showMember,
  teamCompanyOf,
} from './members.ts'
import type { PeopleOptions } from './people-options.ts'
import { confirmByFactor } from './second-factor.ts'

/** The change that a second person must confirm; null if it counts at once. Every way to give roles asks here. */
export const waitingChange = (
  { directory, realNow }: PeopleOptions,
  id: ChangeId,
  request: RoleRequest,
  place: Pick<RoleChange, 'membershipId' | 'invitationId'>,
): RoleChange | null =>
  waitsForSecondPerson(directory.people, request, realNow())
    ? {
        id,
        companyId: request.companyId,
        ...place,
        roles: request.after,
        requestedBy: request.requestedBy!,
        requestedAtMs: realNow(),
      }
    : null

/** Gives a member other roles, or asks a second person to confirm them. */
export const changeRoles = async (options: PeopleOptions, input: Input, by: Asker): Promise<object> => {
  const { directory, realNow, entropy } = options
  const companyId = teamCompanyOf(options, input)
  const roles = rolesOf(input)
  const { id, personId } = memberAt(options, input, companyId)
  if (personId === by.personId) refuseAs('OWN_REQUEST')
  const atMs = realNow()
  const changeId = newId('chg', atMs, entropy)
  await options.commit(() => {
    const member = memberAt(options, input, companyId)
    requireMayGive(options, by, companyId, member.roles, roles)
    if (roles.PRODUCTION !== 'OWNER') requireOwnerLeft(directory.people, member)
    const pending = pendingOf(options, member)
    if (pending !== null) refuseAs('CHANGE_PENDING', { existingId: pending.id })
    const change = waitingChange(
      options,
      changeId,
      { companyId, requestedBy: by.personId, recipient: personId, before: member.roles, after: roles },
      { membershipId: id, invitationId: null },
    )
    return change === null
      ? { type: 'MembershipChanged', id, roles, isConfirmed: by.kind === 'OPERATOR', atMs }
      : { type: 'RoleChangeRequested', change, atMs }
  }, by)
  return showMember(options, memberAt(options, input, companyId), by)
}

const pendingOf = ({ directory, realNow }: PeopleOptions, { id }: CompanyMembership): RoleChange | null => {
  const { people } = directory
  return (
    [...people.roleChanges.values()].find(
      (change) => change.membershipId === id && isWaiting(people, change, realNow()),
    ) ?? null
  )
}

/** Approves or rejects a change of roles that waits. */
export const decideChange =
  (isApproved: boolean): OperationOn<PeopleOptions> =>
  async (options, input, by) => {
    const { directory, realNow } = options
    const companyId = teamCompanyOf(options, input)
    requireMightDecide(directory.people, companyId, by)
    const decide = (): DirectoryFact => {
      const change = changeAt(options, input, companyId)
      requireMayDecide(directory.people, change, isApproved, by)
      const { id, membershipId } = change
      const about = { id, membershipId, companyId }
      return { type: 'RoleChangeDecided', ...about, isApproved, by: by.personId!, atMs: realNow() }
    }
    decide()
    const change = changeAt(options, input, companyId)
    if (isApproved) await confirmByFactor(options, by)
    await options.commit(decide, by)
    return {
      object: 'role_decision',
      approved: isApproved,
      ...showDecided(options, change, by),
    }
  }

const changeAt = ({ directory, realNow }: PeopleOptions, { id }: Input, companyId: CompanyId): RoleChange => {
  const { people } = directory
  const found = people.roleChanges.get(id as ChangeId)
  if (found === undefined || found.companyId !== companyId || !isWaiting(people, found, realNow()))
    return refuseAs('NOT_FOUND', { resource: 'change' })
  return found
}

const showDecided = (
  options: PeopleOptions,
  { membershipId, invitationId }: RoleChange,
  by: Asker,
): { readonly member: object | null; readonly invitation: object | null } => {
  const { people } = options.directory
  const member = membershipId === null ? undefined : people.memberships.get(membershipId)
  if (member !== undefined) return { member: showMember(options, member, by), invitation: null }
  const invitation = people.invitations.get(invitationId as InvitationId)
  const isInvited = invitation !== undefined && isOpen(people, invitation, options.realNow())
  return { member: null, invitation: isInvited ? showInvitation(options, invitation, null, by) : null }
}

/** Members who could never decide a change must not see which changes exist. */
const requireMightDecide = (people: People, companyId: CompanyId, { kind, personId }: Asker): void => {
  const held = personId === null ? null : (membershipIn(people, personId, companyId)?.roles ?? null)
  const may = held === null ? null : permissionsOf(held, 'PRODUCTION')
  if (kind === 'OPERATOR' || may?.has('team.manage') || may?.has('transfers.approve')) return
  refuseAs('NO_PERMISSION', { requiredPermission: 'team.manage' })
}

/** Confirmers and all who manage the team may reject a change; the person who asked for it may withdraw it. */
const requireMayDecide = (
  people: People,
  change: RoleChange,
  isApproved: boolean,
  { kind, personId }: Asker,
): void => {
  if (kind === 'OPERATOR') return
  if (confirmersOfChange(people, change).some((member) => member.personId === personId)) return
  const isParty = personId === change.requestedBy || personId === recipientOf(people, change)
  if (isApproved && isParty) refuseAs('OWN_REQUEST')
  if (!isApproved && mayGive(people, personId, change.companyId, [])) return
  refuseAs('NO_PERMISSION', { requiredPermission: 'team.manage' })
}
