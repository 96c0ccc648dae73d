import { isEnrolled, type Person } from '../../../engine/people/person.ts'
import {
  countsFor,
  type Session,
  type SessionChanges,
  type SessionFact,
} from '../../../engine/people/session.ts'
import { newId, type PersonId, type SessionId } from '../../../engine/shared/ids.ts'
import { limits } from '../../base/limits.ts'
import type { Asker } from '../../identity/asked.ts'
import { setCookieOf, tokenHash } from '../../identity/session-cookie.ts'
import { refuseAs } from '../../problems/refusal.ts'
import { sessionResource } from '../../resources/people/session.ts'
import type { PeopleOptions } from './people-options.ts'

/** The answer of an operation that gives the browser a session, with the cookie for it. */
export type WithCookie = { readonly setCookie: string; readonly body: object }

/** How sessions are opened, renewed and ended; each answers facts to be recorded. */
export type SessionsOf = {
  /** Takes the person as it was when its credentials were proved: if they have changed since, the session is void from the start. */
  readonly open: (person: Person, stage: Session['stage'], by: Asker) => Opened
  /** A new secret for a session: at the factor, at a step-up, at a new password. */
  readonly renew: (session: Session, changes: SessionChanges) => Opened
  readonly ofPerson: (personId: PersonId) => readonly Session[]
  /** The session of the asker. Throws `UNAUTHORIZED` if it has ended since the request was let in. */
  readonly current: (by: Asker) => Session
  readonly person: (by: Asker) => Person
  readonly answer: (opened: Opened) => WithCookie
  /** Throws `STEP_UP_REQUIRED` unless the factor is fresh; a person without one has none to give. */
  readonly requireFresh: (by: Asker) => void
}

export type Opened = {
  readonly session: Session
  readonly secret: string
  readonly facts: readonly SessionFact[]
}

/** Opens the sessions of people. */
export const openSessionsOf = (options: PeopleOptions): SessionsOf => {
  const { directory, sessions, keys, realNow, entropy, randomBytes, personal } = options

  const newSecret = (): string => randomBytes(32).toString('base64url')

  const counts = (session: Session): boolean => {
    const person = directory.people.persons.get(session.personId)
    return person !== undefined && countsFor(person, session)
  }

  const ofPerson = (personId: PersonId): readonly Session[] =>
    [...sessions.byId.values()].filter(
      (session) => session.personId === personId && session.endsAtMs > realNow() && counts(session),
    )

  const current = ({ sessionId }: Asker): Session => {
    const session = sessions.byId.get(sessionId as SessionId)
    return session !== undefined && counts(session) ? session : refuseAs('UNAUTHORIZED')
  }

  const person = (by: Asker): Person => directory.people.persons.get(by.personId!) ?? refuseAs('UNAUTHORIZED')

  return {
    open: (person, stage, { ip, userAgent }) => {
      const secret = newSecret()
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
        endsAtMs: atMs + (stage === 'SECOND_FACTOR' ? limits.halfSessionMs : limits.sessionMs),
      }
      const before = ofPerson(person.id)
      const tooMany = before
        .toSorted((a, b) => a.createdAtMs - b.createdAtMs)
        .slice(0, Math.max(0, before.length + 1 - limits.sessionsOfPersonMax))
      const ended: SessionFact[] =
        tooMany.length === 0 ? [] : [{ type: 'SessionsEnded', ids: tooMany.map(({ id }) => id) }]
      return { session, secret, facts: [...ended, { type: 'SessionOpened', session }] }
    },
    renew: (session, changes) => {
      const secret = newSecret()
      const renewed = { ...changes, secretHash: tokenHash(secret) }
      return {
        session: { ...session, ...renewed },
        secret,
        facts: [{ type: 'SessionChanged', id: session.id, changes: renewed }],
      }
    },
    ofPerson,
    current,
    person,
    answer: ({ session, secret }) => ({
      setCookie: setCookieOf(secret, realNow(), keys),
      body: sessionResource.view(session, { directory, keys, nowMs: realNow() }),
    }),
    requireFresh: (by) => {
      const { factorAtMs } = current(by)
      if (!isEnrolled(person(by))) return
      if (factorAtMs === null || realNow() - factorAtMs > limits.factorFreshMs) refuseAs('STEP_UP_REQUIRED')
    },
  }
}
