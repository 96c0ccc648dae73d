import type { Directory, DirectoryEvent } from '../../engine/directory/directory.ts'
import type { NoticeKind } from '../../engine/notices/notice.ts'
import type { AuditAsker } from '../../engine/shared/audit.ts'
import { type AccountId, accountIdOf, type CompanyId, type PersonId } from '../../engine/shared/ids.ts'
import type { Audited } from '../admin/audit-draft.ts'
import { hasFallenBackBy } from '../people/passkeys.ts'

/** A notice of what happened outside of an account's shard, and whose it is. */
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
  fact: DirectoryEvent,
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
      const told: ForeignNotice[] = []
      for (const accountId of accountsOfPerson(directory, id)) {
        if (changes.factorFrozenUntilMs != null)
          told.push({ accountId, kind: 'FACTOR_RESET', personId: null, objectId: id, details: { name } })
        for (const copied of changes.passkeys?.filter((passkey) => hasFallenBackBy(passkey, fact)) ?? [])
          told.push({
            accountId,
            kind: 'PASSKEY_COUNTER',
            personId: id,
            objectId: copied.id,
            details: { name: personal.seal(id, copied.name), ip, userAgent },
          })
        if (changes.browsers !== undefined)
          told.push({
            accountId,
            kind: 'NEW_SIGN_IN',
            personId: id,
            objectId: null,
            details: { ip, userAgent },
          })
      }
      return told
    }
    default:
      return []
  }
}

/** Each company of a person: what concerns it as a whole is told in Production, to those without a role there in the Sandbox. */
const accountsOfPerson = ({ people }: Directory, id: PersonId): readonly AccountId[] =>
  (people.byPerson.get(id) ?? []).map((membershipId) => {
    const { companyId, roles } = people.memberships.get(membershipId)!
    return accountIdOf(companyId as CompanyId, roles.PRODUCTION === null ? 'SANDBOX' : 'PRODUCTION')
  })
