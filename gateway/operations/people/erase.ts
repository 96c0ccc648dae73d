import {
  membershipsOf,
  type Person,
  type PersonErased,
  personByEmail,
} from '../../../engine/people/person.ts'
import type { SessionFact } from '../../../engine/people/session.ts'
import { factorSubject } from '../../../engine/people/throttle.ts'
import type { CompanyId, PersonId } from '../../../engine/shared/ids.ts'
import type { Asker } from '../../identity/asked.ts'
import { absent, OperationRefusal } from '../../problems/refusal.ts'
import { type Input, readText } from '../input.ts'
import { isLastOwner } from './last-owner.ts'
import { passwordSubject } from './password-check.ts'
import type { PeopleOptions } from './people-options.ts'
import { voided } from './void.ts'

/**
 * Erases a person, named by e-mail address, or by id where the address is no longer certain: the key, so that no
 * personal text ever recorded can be read; name, address and factors; memberships, invitations and sessions. A
 * person who was only invited is erased likewise. Only ids are left.
 */
export const erase = async (options: PeopleOptions, input: Input, by: Asker): Promise<object> => {
  const named = readText(input, 'id').trim()
  let erased!: Erased
  await options.commit(() => {
    erased = erasedBy(options, named)
    return erased.fact
  }, by)
  const { fact } = erased
  await options.record(() => {
    const facts = endings(options, named, erased)
    return facts.length === 0 ? null : facts
  })
  const keysMade = [...options.directory.keys.values()].filter(
    ({ createdBy, revokedAtMs }) => createdBy !== null && createdBy === fact.id && revokedAtMs === null,
  )
  return {
    object: 'erasure',
    personId: fact.id,
    invitations: fact.invitationIds.length,
    companies: fact.companyIds,
    // These keys go on working, because programs use them.
    keys: keysMade.map(({ id }) => id),
  }
}

/** The fact that erases a person; the person is null if only invited. */
type Erased = { readonly person: Person | null; readonly fact: PersonErased }

const erasedBy = ({ directory, realNow }: PeopleOptions, named: string): Erased => {
  const { people, companies } = directory
  const person = personByEmail(people, named) ?? people.persons.get(named as PersonId) ?? null
  const email = person?.email ?? named.toLowerCase()
  const invitations = [...people.invitations.values()].filter(
    (invitation) => invitation.email === email || (person !== null && invitation.acceptedBy === person.id),
  )
  if (person === null && invitations.length === 0) return absent(`there is no person ${named}`)
  const memberships = person === null ? [] : membershipsOf(people, person.id)
  for (const member of memberships)
    if (isLastOwner(people, member))
      throw new OperationRefusal(
        `${named} is the last owner of ${companies.get(member.companyId)!.name}: make another owner first`,
        'LAST_OWNER',
      )
  const companyIds = new Set<CompanyId>([
    ...memberships.map(({ companyId }) => companyId),
    ...invitations.map(({ companyId }) => companyId),
  ])
  return {
    person,
    fact: {
      type: 'PersonErased',
      id: person?.id ?? null,
      invitationIds: invitations.map(({ id }) => id),
      companyIds: [...companyIds],
      atMs: realNow(),
    },
  }
}

/** The facts that end sessions, links by mail and challenges, and reset the counts of failures. */
const endings = (
  { sessions }: PeopleOptions,
  named: string,
  { person, fact }: Erased,
): readonly SessionFact[] => {
  const subjects = [
    passwordSubject(person?.email ?? named.toLowerCase()),
    ...(fact.id === null ? [] : [factorSubject(fact.id), `link ${fact.id}`]),
  ].filter((subject) => sessions.attempts.has(subject))
  return [
    ...(fact.id === null ? [] : voided(sessions, fact.id, null)),
    ...subjects.map(
      (subject) => ({ type: 'AttemptsChanged', subject, attempts: null, atMs: fact.atMs }) as const,
    ),
  ]
}
