import { mayGive } from '../../../engine/people/give-role.ts'
import { type Roles, roles as roleNames } from '../../../engine/people/permission.ts'
import {
  type CompanyMembership,
  type Invitation,
  membersOf,
  type People,
} from '../../../engine/people/person.ts'
import type { CompanyId, PersonId } from '../../../engine/shared/ids.ts'
import type { Asker } from '../../identity/asked.ts'
import { refuseAs, refuseInvalid } from '../../problems/refusal.ts'
import { invitationResource, memberResource } from '../../resources/people/member.ts'
import { companyAt } from '../account/company-operations.ts'
import { choiceOf, type Input } from '../input.ts'
import { isLastOwner } from './last-owner.ts'
import type { PeopleOptions } from './people-options.ts'
import { sessionsOf } from './sessions-of.ts'

/** The company whose team the input names. */
export const teamCompanyOf = ({ directory }: PeopleOptions, input: Input): CompanyId =>
  companyAt(directory, input, 'company').id

/** The member of a company that the input names. */
export const memberAt = (
  { directory }: PeopleOptions,
  input: Input,
  companyId: CompanyId,
): CompanyMembership =>
  membersOf(directory.people, companyId).find(({ id }) => id === input.id) ??
  refuseAs('NOT_FOUND', { resource: 'member' })

/** Roles of an invitation or a change: one for each environment, or at the command line one word for both. */
export const rolesOf = ({ roles, role }: Input): Roles => {
  if (role !== undefined) {
    const both = choiceOf(role, 'role', roleNames)
    return { SANDBOX: both, PRODUCTION: both }
  }
  const { SANDBOX = null, PRODUCTION = null } = (roles ?? {}) as Partial<Roles>
  if (SANDBOX === null && PRODUCTION === null) refuseInvalid((say) => say.operations.noRole())
  return { SANDBOX, PRODUCTION }
}

/** Only owners make owners, and change or remove them. */
export const requireMayGive = (
  { directory }: PeopleOptions,
  by: Asker,
  companyId: CompanyId,
  before: Roles | null,
  after: Roles | null,
): void => {
  const isAllowed =
    by.kind === 'OPERATOR' || mayGive(directory.people, by.personId, companyId, [before, after])
  if (!isAllowed) refuseAs('NO_PERMISSION')
}

/** Refuses a change after which a company would have no owner. */
export const requireOwnerLeft = (people: People, without: CompanyMembership): void => {
  if (isLastOwner(people, without)) refuseAs('LAST_OWNER')
}

/** Shows a member to the person who asks. */
export const showMember = (options: PeopleOptions, member: CompanyMembership, by: Asker): object =>
  memberResource.view(member, {
    people: options.directory.people,
    lastSeenAtMs: lastSeenMs(options, member.personId),
    askedBy: by.personId,
    nowMs: options.realNow(),
  })

const lastSeenMs = (options: PeopleOptions, personId: PersonId): number | null =>
  sessionsOf(options, personId)
    .filter(({ stage }) => stage === 'FULL')
    .reduce<number | null>((last, { createdAtMs }) => Math.max(last ?? 0, createdAtMs), null)

/** Shows an invitation to the person who asks, with its link where they hand it over. */
export const showInvitation = (
  { directory, realNow }: PeopleOptions,
  invitation: Invitation,
  link: string | null,
  by: Asker,
): object =>
  invitationResource.view(invitation, {
    people: directory.people,
    link,
    askedBy: by.personId,
    nowMs: realNow(),
  })
