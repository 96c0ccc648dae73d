import Type from 'typebox'
import { operationRoute } from '../../api/route.ts'
import { booleanOf, listOf, nullableText, textOf } from '../../resources/fields.ts'
import { invitationResource, memberResource, roleDecision, team } from '../../resources/people/member.ts'
import { doneResource, memberRoles, signInStep } from '../../resources/people/session.ts'
import { described, namedObject } from '../../schema/named-schema.ts'
import { choice } from '../../schema/schema.ts'
import { secretText, withCookie } from './session.ts'

const ofTeam = { tag: 'Team', product: null } as const
const managing = { ...ofTeam, permission: 'team.manage', factor: 'SESSION' } as const

export const getTeamRoute = operationRoute({
  ...ofTeam,
  verb: 'GET',
  path: '/v1/team',
  operationId: 'getTeam',
  summary: 'Get the team',
  description: 'The members of the company, and the invitations that are open.',
  permission: 'team.read',
  operation: 'team show',
  answer: team,
})

export const inviteMemberRoute = operationRoute({
  ...managing,
  verb: 'POST',
  path: '/v1/team/invitations',
  operationId: 'inviteMember',
  summary: 'Invite a person',
  description:
    'Sends a link by mail that works for 72 hours, once. Only owners invite owners. OWNER, ADMIN or FINANCE in Production counts once another person has confirmed it, where there is one who can: the invitation can be accepted meanwhile, with the role in the Sandbox.',
  status: 201,
  refusals: [403, 409],
  body: Type.Object({
    email: Type.String({ format: 'e-mail', description: 'To whom the link goes.' }),
    name: Type.Optional(
      Type.String({ minLength: 1, maxLength: 120, format: 'text', description: 'The name of the person.' }),
    ),
    roles: memberRoles,
  }),
  operation: 'team invite',
  answer: invitationResource.schema,
})

export const resendInvitationRoute = operationRoute({
  ...managing,
  verb: 'POST',
  path: '/v1/team/invitations/:id/resend',
  operationId: 'resendInvitation',
  summary: 'Send an invitation once more',
  description:
    'With a new link, good for 72 hours; the former one no longer works. It is an invitation of yours from now on: what another person had confirmed is confirmed anew.',
  refusals: [403, 404, 410],
  operation: 'team resend',
  answer: invitationResource.schema,
})

export const revokeInvitationRoute = operationRoute({
  ...managing,
  verb: 'DELETE',
  path: '/v1/team/invitations/:id',
  operationId: 'revokeInvitation',
  summary: 'Revoke an invitation',
  description: 'Its link no longer works.',
  refusals: [403, 404],
  operation: 'team revoke',
  answer: doneResource,
})

export const changeMemberRoute = operationRoute({
  ...managing,
  verb: 'PATCH',
  path: '/v1/team/:id',
  operationId: 'changeMember',
  summary: 'Change the roles of a member',
  description:
    'OWNER, ADMIN or FINANCE in Production waits for the approval of another person who may manage the team, or where there is none, of another who may approve money; with nobody else it counts at once. A lower role needs nobody. Nobody changes their own role, and the last owner stays.',
  refusals: [403, 404, 409],
  body: Type.Object({ roles: memberRoles }),
  operation: 'team change',
  answer: memberResource.schema,
})

export const removeMemberRoute = operationRoute({
  ...managing,
  verb: 'DELETE',
  path: '/v1/team/:id',
  operationId: 'removeMember',
  summary: 'Remove a member',
  description:
    'From the next request on. What the person asked for and waits for approval is cancelled, what they have scheduled alone waits for the approval of another. The answer lists the API keys that the person made: they go on working.',
  refusals: [403, 404, 409],
  operation: 'team remove',
  answer: namedObject('MemberRemoved', 'A member was removed.', {
    done: booleanOf('Always true.'),
    keys: listOf(Type.String(), 'The keys that the person made.'),
  }),
})

export const approveRoleChangeRoute = operationRoute({
  ...ofTeam,
  // Where no other person manages the team, people who approve money confirm roles: the operation checks who may.
  permission: 'team.read',
  factor: 'OPERATION',
  verb: 'POST',
  path: '/v1/team/changes/:id/approve',
  operationId: 'approveRoleChange',
  summary: 'Approve a change of roles',
  description:
    'By another person than the one who asked and the one whom it is about: by one who may manage the team, or where there is none, by one who may approve money in Production.',
  refusals: [403, 404],
  operation: 'team approve',
  answer: roleDecision,
})

export const rejectRoleChangeRoute = operationRoute({
  ...ofTeam,
  permission: 'team.read',
  factor: 'SESSION',
  verb: 'POST',
  path: '/v1/team/changes/:id/reject',
  operationId: 'rejectRoleChange',
  summary: 'Reject a change of roles',
  description:
    'The roles stay as they are, and an invitation that was not accepted is revoked. Who asked may also take it back.',
  refusals: [403, 404],
  operation: 'team reject',
  answer: roleDecision,
})

export const resetMemberFactorRoute = operationRoute({
  ...managing,
  verb: 'POST',
  path: '/v1/team/:id/reset-second-factor',
  operationId: 'resetMemberFactor',
  summary: 'Reset the second factor of a member',
  description:
    'For a person who has lost it, and who works for no other company. Their sessions end, owners are told by mail, and for 24 hours the person confirms no operation.',
  refusals: [403, 404, 409],
  operation: 'team reset-second-factor',
  answer: doneResource,
})

export const endMemberSessionsRoute = operationRoute({
  ...managing,
  verb: 'POST',
  path: '/v1/team/:id/end-sessions',
  operationId: 'endMemberSessions',
  summary: 'Sign a member out everywhere',
  description: 'Every browser of that person is signed out at once.',
  refusals: [403, 404],
  operation: 'team end-sessions',
  answer: doneResource,
})

export const readInvitationRoute = operationRoute({
  ...ofTeam,
  permission: 'OPEN',
  verb: 'POST',
  path: '/v1/invitations/read',
  operationId: 'readInvitation',
  summary: 'Read an invitation',
  description: 'What a link invites to.',
  refusals: [410],
  body: Type.Object({ token: secretText('What stands behind # in the link.') }),
  operation: 'invitations read',
  answer: namedObject('InvitationRead', 'What a link invites to.', {
    companyName: textOf('The company.'),
    logo: described(nullableText, 'Its logo, a data URI.'),
    inviter: described(nullableText, 'Who invited; null for the operator of the service.'),
    email: textOf('The address that was invited.'),
    name: textOf('The name that the inviter gave.'),
    roles: memberRoles,
    isKnown: booleanOf('Whether the address is of a person who has a password already.'),
  }),
})

export const acceptInvitationRoute = operationRoute({
  ...ofTeam,
  permission: 'OPEN',
  verb: 'POST',
  path: '/v1/invitations/accept',
  operationId: 'acceptInvitation',
  summary: 'Accept an invitation',
  description:
    'A new person chooses name and password, and then adds a second factor. One who is known proves the password, and then gives the factor.',
  refusals: [410, 422, 429],
  body: Type.Object({
    token: secretText('What stands behind # in the link.'),
    name: Type.Optional(
      Type.String({ minLength: 1, maxLength: 120, format: 'text', description: 'Of a new person.' }),
    ),
    password: secretText('The new password, of 12 to 128 characters; or the present one.'),
    language: Type.Optional(described(choice('pt', 'en'), 'Of a new person.')),
  }),
  operation: 'invitations accept',
  answer: signInStep,
  view: withCookie,
})
