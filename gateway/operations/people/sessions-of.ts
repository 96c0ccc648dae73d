import { isEnrolled, type Person } from '../../../engine/people/person.ts'
import {
  countsFor,
  type Session,
  type SessionChanges,
  type SessionFact,
} from '../../../engine/people/session.ts'
import { newId, type PersonId, type SessionId } from '../../../engine/shared/ids.ts'
import { bounds } from '../../base/bounds.ts'
import type { Asker } from '../../identity/asked.ts'
import { csrfTokenOf, setCookieOf, tokenHash } from '../../identity/session-cookie.ts'
import { factorMethodsOf } from '../../identity/session-gate.ts'
import { refuseAs } from '../../problems/refusal.ts'
import { sessionResource } from '../../resources/people/session.ts'
import type { PeopleOptions } from './people-options.ts'

/** The answer of an operation that gives the browser a session, with the cookie for it. */
export type WithCookie = { readonly setCookie: string; readonly body: object }

/** A session of the browser, with its secret and the facts that record it. */
export type Opened = {
  readonly session: Session
  readonly secret: string
  readonly facts: readonly SessionFact[]
}

/** Takes the person as it was when its credentials were proved: if they have changed since, the session is void from the start. */
export const openSession = (
  options: PeopleOptions,
  person: Person,
  stage: Session['stage'],
  { ip, userAgent }: Asker,
): Opened => {
  const { realNow, entropy, personal } = options
  const secret = newSessionSecret(options)
  const atMs = realNow()
  const session: Session = {
    id: newId('ses', atMs, entropy),
    personId: person.id,
    secretHash: tokenHash(secret),
    stage,
    factorAtMs: stage === 'FULL' ? atMs : null,
    sealedPendingTotp: null,
    pendingTotpStep: 0,
    credentialGeneration: person.credentialGeneration,
    ip: personal.seal(person.id, ip) ?? '',
    userAgent: personal.seal(person.id, userAgent.slice(0, 256)) ?? '',
    createdAtMs: atMs,
    endsAtMs: atMs + (stage === 'SECOND_FACTOR' ? bounds.halfSessionMs : bounds.sessionMs),
  }
  const before = sessionsOf(options, person.id)
  const tooMany = before
    .toSorted((a, b) => a.createdAtMs - b.createdAtMs)
    .slice(0, Math.max(0, before.length + 1 - bounds.sessionsOfPersonMax))
  const ended: SessionFact[] =
    tooMany.length === 0 ? [] : [{ type: 'SessionsEnded', ids: tooMany.map(({ id }) => id) }]
  return { session, secret, facts: [...ended, { type: 'SessionOpened', session }] }
}

/** A new secret for a session: at the factor, at a step-up, at a new password. */
export const renewSession = (options: PeopleOptions, session: Session, changes: SessionChanges): Opened => {
  const secret = newSessionSecret(options)
  const renewed = { ...changes, secretHash: tokenHash(secret) }
  return {
    session: { ...session, ...renewed },
    secret,
    facts: [{ type: 'SessionChanged', id: session.id, changes: renewed }],
  }
}

const newSessionSecret = ({ randomBytes }: PeopleOptions): string => randomBytes(32).toString('base64url')

/** The sessions of a person that have not ended. */
export const sessionsOf = (options: PeopleOptions, personId: PersonId): readonly Session[] => {
  const { sessions, realNow } = options
  return [...sessions.byId.values()].filter(
    (session) => session.personId === personId && session.endsAtMs > realNow() && counts(options, session),
  )
}

const counts = ({ directory }: PeopleOptions, session: Session): boolean => {
  const person = directory.people.persons.get(session.personId)
  return person !== undefined && countsFor(person, session)
}

/** The session of the asker. Throws `UNAUTHORIZED` if it has ended since the request was let in. */
export const currentSession = (options: PeopleOptions, { sessionId }: Asker): Session => {
  const session = options.sessions.byId.get(sessionId as SessionId)
  return session !== undefined && counts(options, session) ? session : refuseAs('UNAUTHORIZED')
}

/** The person who asks. */
export const askingPerson = ({ directory }: PeopleOptions, by: Asker): Person =>
  directory.people.persons.get(by.personId!) ?? refuseAs('UNAUTHORIZED')

/** The answer with a session as it is now. */
export const sessionAnswer = (
  { directory, keys, realNow, sendsMail }: PeopleOptions,
  { session, secret }: Opened,
): WithCookie => ({
  setCookie: setCookieOf(secret, realNow(), keys),
  body: sessionResource.view(session, { directory, keys, nowMs: realNow(), sendsMail }),
})

/** The answer with a session that was just opened, and what has to follow. */
export const signInAnswer = (
  { keys, realNow }: PeopleOptions,
  person: Person,
  { session, secret }: Opened,
): WithCookie => ({
  setCookie: setCookieOf(secret, realNow(), keys),
  body: {
    next: isEnrolled(person) ? 'SECOND_FACTOR' : 'ENROL',
    methods: factorMethodsOf(person),
    csrfToken: csrfTokenOf(session.id, keys),
  },
})
