import type { Static } from 'typebox'
import type { CompanyMembership, Invitation, People, RoleChange } from '../../engine/people/person.ts'
import { isoInstant } from '../../engine/shared/calendar.ts'
import { described, namedObject } from '../http/named-schema.ts'
import { factorMethodsOf } from '../people/session-gate.ts'
import { createdAt, enumeration, identity, instant, listOf, nullable, text, textOf } from './fields.ts'
import { factorMethods, memberPermissions, memberRoles, permissionsView } from './session.ts'

/** A change of roles that waits for another person. */
export const roleChange = namedObject('RoleChange', 'A change of roles that waits for another person.', {
  ...identity('chg', 'role_change'),
  memberId: textOf('The membership that it changes.'),
  roles: memberRoles,
  requestedBy: textOf('The person who asked for it.'),
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
  roles: memberRoles,
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

/** A member for the team. */
export const memberView = (
  people: People,
  { id, personId, roles, createdAtMs }: CompanyMembership,
  lastSeenAtMs: number | null,
): Static<typeof member> => {
  const person = people.persons.get(personId)!
  const factors = factorMethodsOf(person)
  const change = [...people.roleChanges.values()].find(({ membershipId }) => membershipId === id)
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
    pendingChange: change === undefined ? null : roleChangeView(change),
    createdAt: isoInstant(createdAtMs),
  }
}

const roleChangeView = (change: RoleChange): Static<typeof roleChange> => ({
  id: change.id,
  object: 'role_change',
  memberId: change.membershipId,
  roles: change.roles,
  requestedBy: change.requestedBy,
  createdAt: isoInstant(change.requestedAtMs),
})

/** An invitation, with its link where that has to be handed over. */
export const invitationView = (
  invitation: Invitation,
  link: string | null,
): Static<typeof invitationResource> => ({
  id: invitation.id,
  object: 'invitation',
  email: invitation.email,
  name: invitation.name,
  roles: invitation.roles,
  invitedBy: invitation.invitedBy,
  expiresAt: isoInstant(invitation.expiresAtMs),
  link,
  createdAt: isoInstant(invitation.createdAtMs),
})
