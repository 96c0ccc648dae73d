import { confirmersOfChange, isWaiting } from '../../../engine/people/give-role.ts'
import type {
  CompanyMembership,
  Invitation,
  People,
  Person,
  RoleChange,
} from '../../../engine/people/person.ts'
import { isoInstant } from '../../../engine/shared/calendar.ts'
import type { PersonId } from '../../../engine/shared/ids.ts'
import { shownEmail } from '../../base/emails.ts'
import { factorMethodsOf } from '../../identity/session-gate.ts'
import { described, namedObject } from '../../schema/named-schema.ts'
import { choice } from '../../schema/schema.ts'
import {
  booleanOf,
  createdAt,
  createdAtField,
  identityFields,
  instant,
  instantOrNull,
  listOf,
  nullableField,
  nullableText,
  objectName,
  textOf,
} from '../fields.ts'
import { resource, same } from '../resource.ts'
import { factorMethods, memberPermissions, memberRoles, permissionsView } from './session.ts'

/** Who looks at the team, and when. */
type Asked = { readonly people: People; readonly askedBy: PersonId | null; readonly nowMs: number }

/** A change of roles that waits for another person. */
export const roleChange = resource<RoleChange, [Asked]>(
  'RoleChange',
  'A change of roles that waits for another person.',
).with({
  ...identityFields('chg', 'role_change'),
  memberId: [
    described(nullableText, 'The membership that it changes; null until the invitation is accepted.'),
    ({ membershipId }) => membershipId,
  ],
  invitationId: [described(nullableText, 'The invitation that it came with, `ivt_…`; null for none.'), same],
  roles: [memberRoles, same],
  requestedBy: [textOf('The person who asked for it.'), same],
  mayApprove: [
    booleanOf('Whether you are one of those who can approve it.'),
    (change, { people, askedBy }) =>
      confirmersOfChange(people, change).some(({ personId }) => personId === askedBy),
  ],
  createdAt: [createdAt, ({ requestedAtMs }) => isoInstant(requestedAtMs)],
})

const pendingView = (asked: Asked, isOf: (change: RoleChange) => boolean) => {
  const { people, nowMs } = asked
  const change = [...people.roleChanges.values()].find((one) => isOf(one) && isWaiting(people, one, nowMs))
  return change === undefined ? null : roleChange.view(change, asked)
}

const personOf = ({ personId }: CompanyMembership, { people }: Asked): Person => people.persons.get(personId)!

/** A member of the team. */
export const memberResource = resource<CompanyMembership, [Asked & { readonly lastSeenAtMs: number | null }]>(
  'Member',
  'A person who works for the company.',
).with({
  ...identityFields('mbr', 'member'),
  personId: [textOf('The person.'), same],
  name: [textOf('Their name.'), (m, asked) => personOf(m, asked).name],
  email: [textOf('Their address.'), (m, asked) => shownEmail(personOf(m, asked).email)],
  roles: [memberRoles, same],
  permissions: [memberPermissions, ({ roles }) => permissionsView(roles)],
  factors: [factorMethods, (m, asked) => factorMethodsOf(personOf(m, asked))],
  lastSeenAt: [
    described(nullableField(instant), 'The latest sign-in of the last days; null for none.'),
    (_, { lastSeenAtMs }) => instantOrNull(lastSeenAtMs),
  ],
  status: [
    described(choice('ACTIVE', 'NOT_ENROLLED'), 'NOT_ENROLLED: the person has no second factor yet.'),
    (m, asked) => (factorMethodsOf(personOf(m, asked)).length === 0 ? 'NOT_ENROLLED' : 'ACTIVE'),
  ],
  pendingChange: [
    nullableField(roleChange.schema, 'A change of roles that waits for another person; null for none.'),
    ({ id }, asked) => pendingView(asked, ({ membershipId }) => membershipId === id),
  ],
  createdAt: createdAtField,
})

/** An invitation that is open, with its link where that has to be handed over. */
export const invitationResource = resource<Invitation, [Asked & { readonly link: string | null }]>(
  'Invitation',
  'A link with which a person joins the team.',
).with({
  ...identityFields('ivt', 'invitation'),
  email: [textOf('To whom it goes.'), ({ email }) => shownEmail(email)],
  name: [textOf('The name of the person.'), same],
  roles: [described(memberRoles, 'Those of whoever accepts it, once they count.'), same],
  pendingChange: [
    nullableField(
      roleChange.schema,
      'The roles, if another person has to confirm them before that in Production counts; null if they need nobody, or are confirmed.',
    ),
    ({ id }, asked) => pendingView(asked, ({ invitationId }) => invitationId === id),
  ],
  invitedBy: [described(nullableText, 'The person who invited; null for the operator.'), same],
  expiresAt: [described(instant, 'When the link stops working.'), (i) => isoInstant(i.expiresAtMs)],
  link: [
    described(
      nullableText,
      'The link, in the answer that makes it and only where the service sends no mail; hand it over yourself. Null otherwise.',
    ),
    (_, { link }) => link,
  ],
  createdAt: createdAtField,
})

/** The team of a company. */
export const team = namedObject('Team', 'The people of a company.', {
  object: described(choice('team'), 'What this is.'),
  members: listOf(memberResource.schema, 'In the order in which they joined.'),
  invitations: listOf(invitationResource.schema, 'Those that are open.'),
})

/** The outcome of a decision about a change of roles. */
export const roleDecision = namedObject('RoleDecision', 'What became of a change of roles.', {
  object: objectName('role_decision'),
  approved: booleanOf('Whether it was approved.'),
  member: nullableField(
    memberResource.schema,
    'The member; null for one who has not accepted the invitation.',
  ),
  invitation: nullableField(invitationResource.schema, 'The invitation while it is open; null otherwise.'),
})
