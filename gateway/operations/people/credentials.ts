import type { Person, PersonChanges } from '../../../engine/people/person.ts'
import { countsFor, type Session } from '../../../engine/people/session.ts'
import type { Asker } from '../../identity/asked.ts'
import type { FactorChange } from '../../mail/texts.ts'
import { refuseAs } from '../../problems/refusal.ts'
import type { PeopleOptions } from './people-options.ts'
import { askingPerson, currentSession, type Opened } from './sessions-of.ts'
import { voided } from './void.ts'

/**
 * Changes password or factors. All that depends on the former ones becomes void, except the asker's own session,
 * which `renew` renews; a mail informs the person.
 */
export const changeCredentials = async (
  options: PeopleOptions,
  by: Asker,
  what: FactorChange,
  changes: (present: Person) => PersonChanges,
  renew: (session: Session) => Opened,
): Promise<Opened> => {
  const { sessions, realNow } = options
  const session = currentSession(options, by)
  await options.commit(() => {
    const present = askingPerson(options, by)
    // A concurrent change came first, and has made this session void.
    if (!countsFor(present, session)) refuseAs('INVALID_STATE')
    return {
      type: 'PersonChanged',
      id: present.id,
      changes: changes(present),
      beginsGeneration: true,
      atMs: realNow(),
    }
  }, by)
  const { id, email, language, credentialGeneration } = askingPerson(options, by)
  const opened = renew({ ...session, credentialGeneration })
  await options.record(() => [
    ...voided(sessions, id, session.id),
    ...opened.facts,
    { type: 'SessionChanged', id: session.id, changes: { credentialGeneration } },
    options.mail(email, language, { kind: 'FACTOR_CHANGED', what }),
  ])
  return opened
}

/** Changes what the asker's own entry says. */
export const changeAskingPerson = async (
  options: PeopleOptions,
  by: Asker,
  person: Person,
  changes: (present: Person) => PersonChanges,
): Promise<Person> => {
  const { directory, realNow } = options
  await options.commit(() => {
    const present = directory.people.persons.get(person.id) ?? refuseAs('UNAUTHORIZED')
    return { type: 'PersonChanged', id: person.id, changes: changes(present), atMs: realNow() }
  }, by)
  return directory.people.persons.get(person.id)!
}
