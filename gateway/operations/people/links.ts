import type { Person } from '../../../engine/people/person.ts'
import { countsFor, type LinkPurpose, type SessionFact } from '../../../engine/people/session.ts'
import { bounds } from '../../base/bounds.ts'
import { tokenHash } from '../../identity/session-cookie.ts'
import { refuseAs } from '../../problems/refusal.ts'
import type { PeopleOptions } from './people-options.ts'
import { recorded } from './recording.ts'

/**
 * A new link to an address: its token, which only the mail contains, and the facts that record its hash and end
 * the person's earlier links for the same purpose. Call it in the decision that records these facts.
 */
export const newLink = (
  { sessions, personal, randomBytes, realNow }: PeopleOptions,
  { id: personId, credentialGeneration }: Person,
  purpose: LinkPurpose,
  to: string,
): { readonly token: string; readonly facts: readonly SessionFact[] } => {
  const token = randomBytes(32).toString('base64url')
  const link = {
    tokenHash: tokenHash(token),
    purpose,
    personId,
    email: personal.seal(personId, to),
    credentialGeneration,
    expiresAtMs: realNow() + bounds.mailLinkMs,
  }
  const earlier = [...sessions.links.values()].filter(
    (before) => before.personId === personId && before.purpose === purpose,
  )
  return {
    token,
    facts: [
      ...earlier.map(({ tokenHash }) => ({ type: 'LinkUsed', tokenHash }) as const),
      { type: 'LinkIssued', link },
    ],
  }
}

/** A valid link, its person, and the address that it went to. */
export type OpenLink = {
  readonly tokenHash: string
  readonly person: Person
  /** Null for links stored before they named their address. */
  readonly email: string | null
}

/** The link with this token. Throws `LINK_INVALID` for one that is unknown, used, replaced, expired, or older than the credentials. */
export const linkWith = async (
  options: PeopleOptions,
  token: string,
  purpose: LinkPurpose,
): Promise<OpenLink> => {
  const { directory, sessions, realNow, personal } = options
  const hash = tokenHash(token)
  const link = await recorded(options, () => ({ facts: [], outcome: sessions.links.get(hash) }))
  if (link === undefined || link.purpose !== purpose || link.expiresAtMs <= realNow())
    return refuseAs('LINK_INVALID')
  const person = directory.people.persons.get(link.personId)
  if (person === undefined || !countsFor(person, link)) return refuseAs('LINK_INVALID')
  return { tokenHash: hash, person, email: link.email === null ? null : personal.open(link.email) }
}

/** The person of a link as of now; throws `LINK_INVALID` if credentials or address were changed since it was opened. */
export const stillLinked = ({ directory }: PeopleOptions, { person }: OpenLink): Person => {
  const present = directory.people.persons.get(person.id)
  return present?.credentialGeneration === person.credentialGeneration && present.email === person.email
    ? present
    : refuseAs('LINK_INVALID')
}
