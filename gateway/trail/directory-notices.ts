import type { Directory, DirectoryFact } from '../../engine/companies/directory.ts'
import type { NoticeKind } from '../../engine/notices/notice.ts'
import { confirmersOfChange, holdsMoney } from '../../engine/people/give-role.ts'
import { membersOf, type RoleChange } from '../../engine/people/person.ts'
import type { AuditAsker } from '../../engine/shared/audit.ts'
import {
  type AccountId,
  accountIdOf,
  type CompanyId,
  type InvitationId,
  type MembershipId,
  type PersonId,
} from '../../engine/shared/ids.ts'
import { hasFallenBackBy } from '../identity/passkeys.ts'
import type { Audited } from './audit-draft.ts'

/** A notice of an event outside an account's shard, with its account. */
export type ForeignNotice = {
  readonly accountId: AccountId
  readonly kind: NoticeKind
  readonly personId: PersonId | null
  readonly objectId: string | null
  readonly details: Readonly<Record<string, string | number | null>>
}

/** The notices of a change of the directory, with who made it. */
export const noticesOfFact = (
  { directory, personal }: Audited,
  fact: DirectoryFact,
  { actor, ip, userAgent }: AuditAsker,
): readonly ForeignNotice[] => {
  switch (fact.type) {
    case 'KeyCreated': {
      const { id, companyId, environment, name, last4 } = fact.key
      const accountId = accountIdOf(companyId, environment)
      const details = { name, last4, by: actor.name }
      return [{ accountId, kind: 'KEY_CREATED', personId: null, objectId: id, details }]
    }
    case 'PersonChanged': {
      const { id, changes } = fact
      const person = directory.people.persons.get(id)
      const name = person === undefined ? null : personal.seal(id, person.name)
      const raised: ForeignNotice[] = []
      for (const accountId of accountsOfPerson(directory, id)) {
        if (changes.factorFrozenUntilMs != null)
          raised.push({ accountId, kind: 'FACTOR_RESET', personId: null, objectId: id, details: { name } })
        for (const copied of changes.passkeys?.filter((passkey) => hasFallenBackBy(passkey, fact)) ?? [])
          raised.push({
            accountId,
            kind: 'PASSKEY_COUNTER',
            personId: id,
            objectId: copied.id,
            details: { name: personal.seal(id, copied.name), ip, userAgent },
          })
        if (changes.browsers !== undefined)
          raised.push({
            accountId,
            kind: 'NEW_SIGN_IN',
            personId: id,
            objectId: null,
            details: { ip, userAgent },
          })
      }
      return raised
    }
    case 'InvitationCreated':
    case 'InvitationResent': {
      const id = fact.type === 'InvitationCreated' ? fact.invitation.id : fact.id
      return [
        ...ofWaiting({ directory, personal }, fact.change, actor),
        ...ofOperator({ directory, personal }, { membershipId: null, invitationId: id }, actor),
      ]
    }
    case 'InvitationAccepted':
    case 'RoleChangeRequested':
      return ofWaiting({ directory, personal }, fact.change, actor)
    case 'MembershipChanged':
      return ofOperator({ directory, personal }, { membershipId: fact.id, invitationId: null }, actor)
    default:
      return []
  }
}

/** Each member who can confirm a role gets a notice. */
const ofWaiting = (
  audited: Audited,
  change: RoleChange | null | undefined,
  { name: by }: AuditAsker['actor'],
): readonly ForeignNotice[] => {
  if (change == null) return []
  const { companyId, roles } = change
  const details = { name: receiverOf(audited, change).name, role: roles.PRODUCTION, by }
  const accountId = accountIdOf(companyId, 'PRODUCTION')
  return confirmersOfChange(audited.directory.people, change).map(({ personId }) => ({
    accountId,
    kind: 'ROLE_PENDING',
    personId,
    objectId: change.id,
    details,
  }))
}

/** An operator's roles count without a second person, so people get a notice; a first owner is no news. */
const ofOperator = (
  audited: Audited,
  given: Pick<RoleChange, 'membershipId' | 'invitationId'>,
  { kind }: AuditAsker['actor'],
): readonly ForeignNotice[] => {
  const { companyId, role, name } = receiverOf(audited, given)
  const isNews = holdsMoney(role) && membersOf(audited.directory.people, companyId).length > 0
  if (kind !== 'OPERATOR' || !isNews) return []
  const accountId = accountIdOf(companyId, 'PRODUCTION')
  const objectId = given.membershipId ?? given.invitationId
  return [{ accountId, kind: 'ROLE_BY_OPERATOR', personId: null, objectId, details: { name, role } }]
}

/** The sealed name of the person who gets a role. */
const receiverOf = (
  { directory: { people }, personal }: Audited,
  { membershipId, invitationId }: Pick<RoleChange, 'membershipId' | 'invitationId'>,
) => {
  if (membershipId === null) {
    const { companyId, roles, email } = people.invitations.get(invitationId as InvitationId)!
    return { companyId, role: roles.PRODUCTION, name: personal.seal(invitationId as InvitationId, email) }
  }
  const { companyId, roles, personId } = people.memberships.get(membershipId as MembershipId)!
  const { name } = people.persons.get(personId)!
  return { companyId, role: roles.PRODUCTION, name: personal.seal(personId, name) }
}

/** The Production account of each company, or the Sandbox's for a person without a role in Production. */
const accountsOfPerson = ({ people }: Directory, id: PersonId): readonly AccountId[] =>
  (people.byPerson.get(id) ?? []).map((membershipId) => {
    const { companyId, roles } = people.memberships.get(membershipId)!
    return accountIdOf(companyId as CompanyId, roles.PRODUCTION === null ? 'SANDBOX' : 'PRODUCTION')
  })
