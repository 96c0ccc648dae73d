import { isOpen } from '../../../engine/people/give-role.ts'
import { membersOf, type Person } from '../../../engine/people/person.ts'
import type { Asker } from '../../identity/asked.ts'
import { absent } from '../../problems/refusal.ts'
import { type Input, type Operations, operationsOn, taking } from '../input.ts'
import { erase } from './erase.ts'
import {
  memberAt,
  requireMayGive,
  requireOwnerLeft,
  showInvitation,
  showMember,
  teamCompanyOf,
} from './members.ts'
import { passwordLink } from './password-link.ts'
import type { PeopleContext } from './people-context.ts'
import type { PeopleOptions } from './people-options.ts'
import { resetFactor, resettablePerson } from './reset-factor.ts'
import { changeRoles, decideChange } from './role-changes.ts'
import { voided } from './void.ts'

/** The team of a company: members, roles, and lost factors (dashboard, sections 1.6 and 2.3). */
export const teamOperations = (context: PeopleContext): Operations =>
  operationsOn(context, {
    'team show': show,
    'team change': changeRoles,
    'team approve': decideChange(true),
    'team reject': decideChange(false),
    'team remove': remove,
    'team reset-second-factor': async (options, input, by) =>
      resetFactor(options, resettablePerson(options, input, by), by),
    'team end-sessions': endSessions,
    'people list': taking(['company'], list),
    'people erase': taking(['id'], erase),
    'people reset-password': taking(['id'], async (options, input, by) =>
      passwordLink(options, personAt(options, input), by),
    ),
    'people reset-second-factor': taking(['id'], async (options, input, by) =>
      resetFactor(options, personAt(options, input), by),
    ),
  })

const show = async (options: PeopleOptions, input: Input, by: Asker): Promise<object> => {
  const { people } = options.directory
  const companyId = teamCompanyOf(options, input)
  const open = [...people.invitations.values()].filter(
    (invitation) => invitation.companyId === companyId && isOpen(people, invitation, options.realNow()),
  )
  return {
    object: 'team',
    members: membersOf(people, companyId).map((member) => showMember(options, member, by)),
    invitations: open.map((invitation) => showInvitation(options, invitation, null, by)),
  }
}

const remove = async (options: PeopleOptions, input: Input, by: Asker): Promise<object> => {
  const { directory, realNow } = options
  const companyId = teamCompanyOf(options, input)
  const { id, personId } = memberAt(options, input, companyId)
  await options.commit(() => {
    const member = memberAt(options, input, companyId)
    requireMayGive(options, by, companyId, member.roles, null)
    requireOwnerLeft(directory.people, member)
    return { type: 'MembershipRemoved', id, atMs: realNow() }
  }, by)
  const keysMade = [...directory.keys.values()].filter(
    (key) => key.companyId === companyId && key.createdBy === personId && key.revokedAtMs === null,
  )
  return { done: true, keys: keysMade.map(({ id }) => id) }
}

const endSessions = async (options: PeopleOptions, input: Input, by: Asker): Promise<object> => {
  const companyId = teamCompanyOf(options, input)
  const member = memberAt(options, input, companyId)
  requireMayGive(options, by, companyId, member.roles, null)
  await options.record(() => {
    const object = { type: 'membership', id: member.id }
    return [
      ...voided(options.sessions, member.personId, null),
      ...options.act(by, by.personId!, { companyId, object }),
    ]
  })
  return { done: true }
}

/** The person that the command line names, by id or e-mail. */
const personAt = ({ directory }: PeopleOptions, input: Input): Person =>
  [...directory.people.persons.values()].find(({ id, email }) => input.id === id || input.id === email) ??
  absent(`there is no person ${String(input.id)}`)

const list = async (options: PeopleOptions, input: Input, by: Asker): Promise<object> => {
  const companyId = input.company === undefined ? null : teamCompanyOf(options, input)
  const rows = [...options.directory.people.memberships.values()].filter(
    (member) => member.removedAtMs === null && (companyId === null || member.companyId === companyId),
  )
  const { people } = options.directory
  const invited = [...people.invitations.values()].filter(
    (invitation) =>
      (companyId === null || invitation.companyId === companyId) &&
      isOpen(people, invitation, options.realNow()),
  )
  return {
    object: 'list',
    data: [
      ...rows.map((member) => ({ ...showMember(options, member, by), companyId: member.companyId })),
      ...invited.map((invitation) => ({
        ...showInvitation(options, invitation, null, by),
        companyId: invitation.companyId,
      })),
    ],
  }
}
