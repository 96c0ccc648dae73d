import { isEnrolled, type Person, personByEmail } from '../../../engine/people/person.ts'
import type { ChallengeUse, SessionFact } from '../../../engine/people/session.ts'
import { linkThrottle, secondsToWait, withFailure } from '../../../engine/people/throttle.ts'
import { isoInstant } from '../../../engine/shared/calendar.ts'
import { limits } from '../../base/limits.ts'
import type { Asker, Confirmable } from '../../identity/asked.ts'
import { readAssertion } from '../../identity/passkeys.ts'
import { clearedCookie, csrfTokenOf, setCookieOf, tokenHash } from '../../identity/session-cookie.ts'
import { factorMethodsOf } from '../../identity/session-gate.ts'
import { refuseAs } from '../../problems/refusal.ts'
import { sessionResource, sessionRow } from '../../resources/people/session.ts'
import { type Input, type Operations, readText } from '../input.ts'
import type { AddressThrottle } from './address-throttle.ts'
import { type Challenges, signInUse, stepUpUse } from './challenges.ts'
import { knownNames } from './known-names.ts'
import { linkWith, newLink, stillLinked } from './links.ts'
import { type PasswordCheck, passwordSubject } from './password-check.ts'
import { passwordLinkTo } from './password-link.ts'
import { requireGoodPassword } from './password-rules.ts'
import type { PeopleOptions } from './people-options.ts'
import { recorded } from './recording.ts'
import { type GivenFactor, type SecondFactor, tooManyAttempts } from './second-factor.ts'
import type { Opened, SessionsOf, WithCookie } from './sessions-of.ts'
import { voided } from './void.ts'

type Parts = {
  readonly options: PeopleOptions
  readonly sessionsOf: SessionsOf
  readonly secondFactor: SecondFactor
  readonly challenges: Challenges
  readonly addresses: AddressThrottle
  readonly checkPassword: PasswordCheck
}

/** Signing in and out, new passwords, and stepping up (dashboard, sections 1.2 to 1.5, 2.2). */
export const signInOperations = ({
  options,
  sessionsOf,
  secondFactor,
  challenges,
  addresses,
  checkPassword,
}: Parts): Operations => {
  const { directory, sessions, keys, realNow } = options

  /** Wrong passwords and unknown people are told apart by nothing: not by status, text or time. */
  const signIn = async (input: Input, by: Asker): Promise<object> => {
    const email = readText(input, 'email').trim().toLowerCase()
    const password = readText(input, 'password')
    const person = await checkPassword(by, { email, password, refusal: 'UNAUTHORIZED' })
    const opened = await recorded(options, () => {
      const opened = sessionsOf.open(person, isEnrolled(person) ? 'SECOND_FACTOR' : 'ENROL', by)
      return { facts: opened.facts, outcome: opened }
    })
    return {
      setCookie: setCookieOf(opened.secret, realNow(), keys),
      body: {
        next: isEnrolled(person) ? 'SECOND_FACTOR' : 'ENROL',
        methods: factorMethodsOf(person),
        csrfToken: csrfTokenOf(opened.session.id, keys),
      },
    } satisfies WithCookie
  }

  const changePerson = (by: Asker, { id }: Person, changes: Partial<Person>): Promise<void> =>
    options.commit(() => {
      if (!directory.people.persons.has(id)) refuseAs('UNAUTHORIZED')
      return { type: 'PersonChanged', id, changes, atMs: realNow() }
    }, by)

  /** What follows a factor at the sign-in: a whole session, and a mail where the browser is new. */
  const whole = (by: Asker, person: Person, opened: Opened): readonly SessionFact[] => [
    ...opened.facts,
    ...options.act(by, person.id),
    ...(isKnownBrowser(person, by)
      ? []
      : [
          options.mail(person.email, person.language, {
            kind: 'NEW_SIGN_IN',
            ip: by.ip,
            userAgent: by.userAgent.slice(0, 256),
            at: isoInstant(realNow()),
          }),
        ]),
  ]

  const isKnownBrowser = ({ browsers }: Person, { userAgent }: Asker): boolean =>
    browsers.includes(browserOf(userAgent))

  const rememberBrowser = async (by: Asker, person: Person): Promise<void> => {
    if (isKnownBrowser(person, by)) return
    const browsers = [...person.browsers, browserOf(by.userAgent)].slice(-browsersMax)
    await changePerson(by, person, { browsers })
  }

  const giveFactor = async (input: Input, by: Asker): Promise<object> => {
    const person = sessionsOf.person(by)
    const half = sessionsOf.current(by)
    if (half.stage !== 'SECOND_FACTOR') refuseAs('INVALID_STATE')
    const isByRecoveryCode = typeof input.recoveryCode === 'string'
    const opened = sessionsOf.renew(half, {
      stage: 'FULL',
      factorAtMs: isByRecoveryCode ? null : realNow(),
      endsAtMs: realNow() + limits.sessionMs,
    })
    const follows = () => whole(by, person, opened)
    if (isByRecoveryCode) await useRecoveryCode(by, person, input.recoveryCode as string, follows)
    else await secondFactor.take(by, person, givenBy(input), signInUse(person.id), follows)
    await rememberBrowser(by, person)
    return sessionsOf.answer(opened)
  }

  /** A wrong code is counted as it is looked at, so that many at once get no more tries than one after the other. */
  const lookAtRecoveryCode = async (personId: Person['id'], hash: string): Promise<void> => {
    const outcome = await recorded<'KNOWN' | 'INVALID' | number>(options, () => {
      const wait = secondsToWait(sessions.attempts.get(`factor ${personId}`), realNow())
      if (wait > 0) return { facts: [], outcome: wait }
      const isKnown = directory.people.persons.get(personId)?.recoveryCodeHashes.includes(hash) === true
      return isKnown
        ? { facts: [], outcome: 'KNOWN' }
        : { facts: secondFactor.failed(personId), outcome: 'INVALID' }
    })
    if (outcome === 'INVALID') refuseAs('SECOND_FACTOR_INVALID')
    if (outcome !== 'KNOWN') throw tooManyAttempts(outcome)
  }

  /** Each code counts once: the directory decides between two that come at the same time. */
  const useRecoveryCode = async (
    by: Asker,
    person: Person,
    code: string,
    follows: () => readonly SessionFact[],
  ): Promise<void> => {
    const used = tokenHash(code.replace(/[\s-]/g, '').toUpperCase())
    await lookAtRecoveryCode(person.id, used)
    let left = -1
    await options.commit(() => {
      const { recoveryCodeHashes } = directory.people.persons.get(person.id)!
      const others = recoveryCodeHashes.filter((hash) => hash !== used)
      left = others.length === recoveryCodeHashes.length ? -1 : others.length
      if (left < 0) return null
      return {
        type: 'PersonChanged',
        id: person.id,
        changes: { recoveryCodeHashes: others },
        atMs: realNow(),
      }
    }, by)
    if (left < 0) {
      await recorded(options, () => ({ facts: secondFactor.failed(person.id), outcome: null }))
      refuseAs('SECOND_FACTOR_INVALID')
    }
    const mail = options.mail(person.email, person.language, { kind: 'RECOVERY_CODE_USED', left })
    const subject = `factor ${person.id}`
    await options.record(() => [
      ...(sessions.attempts.has(subject)
        ? [{ type: 'AttemptsChanged', subject, attempts: null, atMs: realNow() } as const]
        : []),
      ...follows(),
      mail,
    ])
  }

  const passkeyOptions = async (_: Input, by: Asker): Promise<object> => {
    addresses.take(by.ip)
    if (!options.passkeys.areOffered()) refuseAs('INVALID_STATE')
    return options.passkeys.assertionOptions(await challenges.issue(signInUse(null)), null)
  }

  const signInWithPasskey = async (input: Input, by: Asker): Promise<object> => {
    addresses.take(by.ip)
    const credentialId = readAssertion(input.assertion)?.credentialId
    const person = [...directory.people.persons.values()].find(({ passkeys }) =>
      passkeys.some((passkey) => passkey.credentialId === credentialId),
    )
    if (person === undefined) return refuseAs('UNAUTHORIZED')
    const opened = sessionsOf.open(person, 'FULL', by)
    const given = { kind: 'passkey', response: input.assertion as object } as const
    await secondFactor.take(by, person, given, signInUse(person.id), () => whole(by, person, opened))
    await rememberBrowser(by, person)
    return sessionsOf.answer(opened)
  }

  const showSession = async (_: Input, by: Asker): Promise<object> =>
    sessionResource.view(sessionsOf.current(by), { directory, keys, nowMs: realNow() })

  const signOut = async (_: Input, by: Asker): Promise<object> => {
    await options.record(() => [
      { type: 'SessionsEnded', ids: [by.sessionId!] },
      ...options.act(by, by.personId!),
    ])
    return { setCookie: clearedCookie, body: { done: true } } satisfies WithCookie
  }

  const stepUp = async (input: Input, by: Asker): Promise<object> => {
    const person = sessionsOf.person(by)
    // One whose enrolment a crash has cut off is whole with it, too.
    const opened = sessionsOf.renew(sessionsOf.current(by), { stage: 'FULL', factorAtMs: realNow() })
    const use = stepUpUse(person.id, opened.session.id)
    await secondFactor.take(by, person, givenBy(input), use, () => opened.facts)
    return sessionsOf.answer(opened)
  }

  /** A challenge for a step-up, or for exactly the request that is to be confirmed. */
  const challenge = async (input: Input, by: Asker): Promise<object> => {
    const person = sessionsOf.person(by)
    const { id: sessionId } = sessionsOf.current(by)
    const operation = input.operation as Confirmable | undefined
    const use: ChallengeUse =
      operation === undefined
        ? stepUpUse(person.id, sessionId)
        : { purpose: 'OPERATION', personId: person.id, sessionId, ...operation }
    return options.passkeys.assertionOptions(await challenges.issue(use), person)
  }

  /** Answers alike for every address, and as fast: the mail is made after the answer. */
  const forgot = async (input: Input, by: Asker): Promise<object> => {
    addresses.take(by.ip)
    const email = readText(input, 'email').trim().toLowerCase()
    // Without mail a link would not arrive, and would end the one that an operator has handed out.
    if (!options.sendsMail) return { done: true }
    setImmediate(() => {
      const person = personByEmail(directory.people, email)
      if (person !== null) sendResetLink(person).catch(() => undefined)
    })
    return { done: true }
  }

  const sendResetLink = (person: Person): Promise<void> =>
    options.record(() => {
      const subject = `link ${person.id}`
      const before = sessions.attempts.get(subject)
      const atMs = realNow()
      if (secondsToWait(before, atMs) > 0) return null
      const { token, facts } = newLink(options, person, 'PASSWORD_RESET', person.email)
      const link = passwordLinkTo(options, token)
      return [
        ...facts,
        { type: 'AttemptsChanged', subject, attempts: withFailure(before, atMs, linkThrottle), atMs },
        options.mail(person.email, person.language, { kind: 'PASSWORD_RESET', link }),
      ]
    })

  /**
   * Sets a password and ends all sessions, and whatever else hangs on the old one. The second factor stays, and is asked at the next
   * sign-in. The link is used up first: a crash before the password is set costs a link, and leaves nothing that works.
   */
  const reset = async (input: Input, by: Asker): Promise<object> => {
    addresses.take(by.ip)
    const password = readText(input, 'password')
    const link = await linkWith(options, readText(input, 'token'), 'PASSWORD_RESET')
    const { person, email } = link
    // It went to an address that is another's by now.
    if (email !== null && email !== person.email) refuseAs('LINK_INVALID')
    await requireGoodPassword(password, knownNames(directory, person))
    const passwordHash = await options.hasher.hash(password)
    await options.record(() => {
      if (!sessions.links.has(link.tokenHash)) refuseAs('LINK_INVALID')
      return [
        ...voided(sessions, person.id, null),
        {
          type: 'AttemptsChanged',
          subject: passwordSubject(person.email),
          attempts: null,
          atMs: realNow(),
        },
        options.mail(person.email, person.language, { kind: 'FACTOR_CHANGED', what: 'PASSWORD' }),
      ]
    })
    await options.commit(() => {
      const { id } = stillLinked(options, link)
      return {
        type: 'PersonChanged',
        id,
        changes: { passwordHash },
        beginsGeneration: true,
        atMs: realNow(),
      }
    }, by)
    return { done: true }
  }

  const listSessions = async (_: Input, by: Asker): Promise<object> => ({
    object: 'list',
    data: sessionsOf
      .ofPerson(by.personId!)
      .filter(({ stage }) => stage !== 'SECOND_FACTOR')
      .toSorted((a, b) => b.createdAtMs - a.createdAtMs)
      .map((session) => sessionRow.view(session, by.sessionId!, options.personal.open)),
  })

  const endSession = async (input: Input, by: Asker): Promise<object> => {
    const ended = sessionsOf.ofPerson(by.personId!).find(({ id }) => id === input.id)
    if (ended === undefined) refuseAs('NOT_FOUND', { resource: 'session' })
    await options.record(() => [
      { type: 'SessionsEnded', ids: [ended!.id] },
      ...options.act(by, by.personId!),
    ])
    return { done: true }
  }

  const endOthers = async (_: Input, by: Asker): Promise<object> => {
    await options.record(() => [
      ...voided(sessions, by.personId!, by.sessionId),
      ...options.act(by, by.personId!),
    ])
    return { done: true }
  }

  return {
    'session sign-in': signIn,
    'session factor': giveFactor,
    'session passkey-options': passkeyOptions,
    'session passkey': signInWithPasskey,
    'session show': showSession,
    'session end': signOut,
    'session step-up': stepUp,
    'session challenge': challenge,
    'session catch-up': async () => {
      await options.catchUp()
      return { done: true }
    },
    'session confirm': async (_, by) => {
      await secondFactor.confirm(by)
      return { done: true }
    },
    'password forgot': forgot,
    'password reset': reset,
    'me sessions': listSessions,
    'me end-session': endSession,
    'me end-others': endOthers,
  }
}

/** The factor in a body, which has exactly one. */
const givenBy = ({ totp, assertion }: Input): GivenFactor => {
  if (typeof totp === 'string') return { kind: 'totp', code: totp }
  return { kind: 'passkey', response: assertion as object }
}

/** A browser without its version, which changes every month. */
const browserOf = (userAgent: string): string => tokenHash(userAgent.replace(/[\d._]+/g, '')).slice(0, 22)

const browsersMax = 20
