import { membersOf, type Person } from '../../../engine/people/person.ts'
import { bounds } from '../../base/bounds.ts'
import type { Asker } from '../../identity/asked.ts'
import { absent, refuse, refuseAs } from '../../problems/refusal.ts'
import type { Input } from '../input.ts'
import { memberAt, requireMayGive, teamCompanyOf } from './members.ts'
import type { PeopleOptions } from './people-options.ts'
import { voided } from './void.ts'

/** The person whose factor may be reset: never the asker, and no member of another company as well. */
export const resettablePerson = (options: PeopleOptions, input: Input, by: Asker): Person => {
  const { people } = options.directory
  const companyId = teamCompanyOf(options, input)
  const member = memberAt(options, input, companyId)
  if (member.personId === by.personId) refuseAs('OWN_REQUEST')
  requireMayGive(options, by, companyId, member.roles, null)
  const isElsewhere = [...people.memberships.values()].some(
    ({ personId, companyId: other, removedAtMs }) =>
      personId === member.personId && other !== companyId && removedAtMs === null,
  )
  if (isElsewhere) refuse((say) => say.operations.worksElsewhere())
  return people.persons.get(member.personId)!
}

/** Removes all factors of a person who has lost them; every owner of the person's companies gets a mail. */
export const resetFactor = async (options: PeopleOptions, person: Person, by: Asker): Promise<object> => {
  const { directory, sessions, realNow } = options
  const atMs = realNow()
  await options.commit(() => {
    if (!directory.people.persons.has(person.id)) absent(`there is no person ${person.id}`)
    return {
      type: 'PersonChanged',
      id: person.id,
      changes: {
        sealedTotpSecret: null,
        passkeys: [],
        recoveryCodeHashes: [],
        factorFrozenUntilMs: atMs + bounds.factorFrozenMs,
      },
      beginsGeneration: true,
      atMs,
    }
  }, by)
  const mails = ownersBeside(options, person).map(({ owner, company }) =>
    options.mail(owner.email, owner.language, { kind: 'FACTOR_RESET', person: person.name, company }),
  )
  await options.record(() => {
    const facts = [...voided(sessions, person.id, null), ...mails]
    return facts.length === 0 ? null : facts
  })
  return { done: true }
}

const ownersBeside = (
  { directory: { people, companies } }: PeopleOptions,
  { id }: Person,
): readonly { readonly owner: Person; readonly company: string }[] =>
  [...people.memberships.values()]
    .filter(({ personId, removedAtMs }) => personId === id && removedAtMs === null)
    .flatMap(({ companyId }) =>
      membersOf(people, companyId)
        .filter(({ roles }) => roles.PRODUCTION === 'OWNER')
        .map(({ personId }) => ({
          owner: people.persons.get(personId)!,
          company: companies.get(companyId)!.name,
        })),
    )
