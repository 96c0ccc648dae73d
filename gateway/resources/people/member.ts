import type { Static } from 'typebox'
import { confirmersOfChange, isWaiting } from '../../../engine/people/give-role.ts'
import type { CompanyMembership, Invitation, People, RoleChange } from '../../../engine/people/person.ts'
import { isoInstant } from '../../../engine/shared/calendar.ts'
import type { PersonId } from '../../../engine/shared/ids.ts'
import { factorMethodsOf } from '../../identity/session-gate.ts'
import { described, namedObject } from '../../schema/named-schema.ts'
import {
  booleanOf,
  createdAt,
  enumeration,
  identity,
  instant,
  listOf,
  nullable,
  objectName,
  text,
  textOf,
} from '../fields.ts'
import { factorMethods, memberPermissions, memberRoles, permissionsView } from './session.ts'

/** A change of roles that waits for another person. */
export const roleChange = namedObject('RoleChange', 'A change of roles that waits for another person.', {
  ...identity('chg', 'role_change'),
  memberId: described(text, 'The membership that it changes; null until the invitation is accepted.'),
  invitationId: described(text, 'The invitation that it came with, `ivt_…`; null for none.'),
  roles: memberRoles,
  requestedBy: textOf('The person who asked for it.'),
  mayApprove: booleanOf('Whether you are one of those who can approve it.'),
  createdAt,
})

/** A member of the team. */
export const member = namedObject('Member', 'A person who works for the company.', {
  ...identity('mbr', 'member'),
  personId: textOf('The person.'),
  name: textOf('Their name.'),
  email: textOf('Their address.'),
  roles: memberRoles,
  permissions: memberPermissions,
  factors: factorMethods,
  lastSeenAt: described(nullable(instant), 'The latest sign-in of the last days; null for none.'),
  status: described(
    enumeration('ACTIVE', 'NOT_ENROLLED'),
    'NOT_ENROLLED: the person has no second factor yet.',
  ),
  pendingChange: nullable(roleChange, 'A change of roles that waits for another person; null for none.'),
  createdAt,
})

/** An invitation that is open. */
export const invitationResource = namedObject('Invitation', 'A link with which a person joins the team.', {
  ...identity('ivt', 'invitation'),
  email: textOf('To whom it goes.'),
  name: textOf('The name of the person.'),
  roles: described(memberRoles, 'Those of whoever accepts it, once they count.'),
  pendingChange: nullable(
    roleChange,
    'The roles, if another person has to confirm them before that in Production counts; null if they need nobody, or are confirmed.',
  ),
  invitedBy: described(text, 'The person who invited; null for the operator.'),
  expiresAt: described(instant, 'When the link stops working.'),
  link: described(
    text,
    'The link, in the answer that makes it and only where the service sends no mail; hand it over yourself. Null otherwise.',
  ),
  createdAt,
})

/** The team of a company. */
export const team = namedObject('Team', 'The people of a company.', {
  object: described(enumeration('team'), 'What this is.'),
  members: listOf(member, 'In the order in which they joined.'),
  invitations: listOf(invitationResource, 'Those that are open.'),
})

/** What became of a change of roles. */
export const roleDecision = namedObject('RoleDecision', 'What became of a change of roles.', {
  object: objectName('role_decision'),
  approved: booleanOf('Whether it was approved.'),
  member: nullable(member, 'The member; null for one who has not accepted the invitation.'),
  invitation: nullable(invitationResource, 'The invitation while it is open; null otherwise.'),
})

/** Who looks, and when. */
type Asked = { readonly askedBy: PersonId | null; readonly nowMs: number }

/** A member for the team. */
export const memberView = (
  people: People,
  { id, personId, roles, createdAtMs }: CompanyMembership,
  { lastSeenAtMs, ...asked }: Asked & { readonly lastSeenAtMs: number | null },
): Static<typeof member> => {
  const person = people.persons.get(personId)!
  const factors = factorMethodsOf(person)
  return {
    id,
    object: 'member',
    personId,
    name: person.name,
    email: person.email,
    roles,
    permissions: permissionsView(roles),
    factors,
    lastSeenAt: lastSeenAtMs === null ? null : isoInstant(lastSeenAtMs),
    status: factors.length === 0 ? 'NOT_ENROLLED' : 'ACTIVE',
    pendingChange: pendingView(people, asked, ({ membershipId }) => membershipId === id),
    createdAt: isoInstant(createdAtMs),
  }
}

/** An invitation, with its link where that has to be handed over. */
export const invitationView = (
  people: People,
  invitation: Invitation,
  { link, ...asked }: Asked & { readonly link: string | null },
): Static<typeof invitationResource> => ({
  id: invitation.id,
  object: 'invitation',
  email: invitation.email,
  name: invitation.name,
  roles: invitation.roles,
  pendingChange: pendingView(people, asked, ({ invitationId }) => invitationId === invitation.id),
  invitedBy: invitation.invitedBy,
  expiresAt: isoInstant(invitation.expiresAtMs),
  link,
  createdAt: isoInstant(invitation.createdAtMs),
})

const pendingView = (
  people: People,
  { askedBy, nowMs }: Asked,
  isOf: (change: RoleChange) => boolean,
): Static<typeof roleChange> | null => {
  const change = [...people.roleChanges.values()].find((one) => isOf(one) && isWaiting(people, one, nowMs))
  if (change === undefined) return null
  return {
    id: change.id,
    object: 'role_change',
    memberId: change.membershipId,
    invitationId: change.invitationId,
    roles: change.roles,
    requestedBy: change.requestedBy,
    mayApprove: confirmersOfChange(people, change).some(({ personId }) => personId === askedBy),
    createdAt: isoInstant(change.requestedAtMs),
  }
}
