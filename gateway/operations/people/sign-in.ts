import { isEnrolled, type Person } from '../../../engine/people/person.ts'
import type { ChallengeUse, SessionFact } from '../../../engine/people/session.ts'
import { factorSubject, secondsToWait } from '../../../engine/people/throttle.ts'
import { isoInstant } from '../../../engine/shared/calendar.ts'
import { bounds } from '../../base/bounds.ts'
import { withAsciiDomain } from '../../base/emails.ts'
import type { Asker, Confirmable } from '../../identity/asked.ts'
import { readAssertion } from '../../identity/passkeys.ts'
import { tokenHash } from '../../identity/session-cookie.ts'
import { refuseAs } from '../../problems/refusal.ts'
import { type Input, type Operations, operationsOn, readText } from '../input.ts'
import { issueChallenge, signInUse, stepUpUse } from './challenges.ts'
import type { PeopleContext } from './people-context.ts'
import type { PeopleOptions } from './people-options.ts'
import { recorded } from './recording.ts'
import {
  confirmByFactor,
  countFailedFactor,
  type GivenFactor,
  takeFactor,
  tooManyAttempts,
} from './second-factor.ts'
import {
  askingPerson,
  currentSession,
  type Opened,
  openSession,
  renewSession,
  sessionAnswer,
  signInAnswer,
} from './sessions-of.ts'

/** Signing in, and giving a second factor once more (dashboard, sections 1.2 to 1.5). */
export const signInOperations = (context: PeopleContext): Operations =>
  operationsOn(context, {
    'session sign-in': signIn,
    'session factor': giveFactor,
    'session passkey-options': passkeySignInOptions,
    'session passkey': signInWithPasskey,
    'session step-up': stepUp,
    'session challenge': challenge,
    'session confirm': async (options, _, by) => {
      await confirmByFactor(options, by)
      return { done: true }
    },
  })

/** Treats wrong passwords and unknown people alike in status, text and time. */
const signIn = async (context: PeopleContext, input: Input, by: Asker): Promise<object> => {
  const email = withAsciiDomain(readText(input, 'email')).trim().toLowerCase()
  const password = readText(input, 'password')
  const person = await context.checkPassword(by, { email, password, refusal: 'UNAUTHORIZED' })
  const opened = await recorded(context, () => {
    const opened = openSession(context, person, isEnrolled(person) ? 'SECOND_FACTOR' : 'ENROL', by)
    return { facts: opened.facts, outcome: opened }
  })
  return signInAnswer(context, person, opened)
}

const giveFactor = async (context: PeopleContext, input: Input, by: Asker): Promise<object> => {
  const { realNow } = context
  const person = askingPerson(context, by)
  const half = currentSession(context, by)
  if (half.stage !== 'SECOND_FACTOR') refuseAs('INVALID_STATE')
  const isByRecoveryCode = typeof input.recoveryCode === 'string'
  const opened = renewSession(context, half, {
    stage: 'FULL',
    factorAtMs: isByRecoveryCode ? null : realNow(),
    endsAtMs: realNow() + bounds.sessionMs,
  })
  const follows = () => signedIn(context, by, person, opened)
  if (isByRecoveryCode) await useRecoveryCode(context, by, person, input.recoveryCode as string, follows)
  else await takeFactor(context, by, person, givenBy(input), signInUse(person.id), follows)
  await rememberBrowser(context, by, person)
  return sessionAnswer(context, opened)
}

/** The facts that complete a sign-in: a full session, an act, and a mail if the browser is new. */
const signedIn = (
  { act, mail, realNow }: PeopleOptions,
  by: Asker,
  person: Person,
  opened: Opened,
): readonly SessionFact[] => [
  ...opened.facts,
  ...act(by, person.id),
  ...(isKnownBrowser(person, by)
    ? []
    : [
        mail(person.email, person.language, {
          kind: 'NEW_SIGN_IN',
          ip: by.ip,
          userAgent: by.userAgent.slice(0, 256),
          at: isoInstant(realNow()),
        }),
      ]),
]

const isKnownBrowser = ({ browsers }: Person, { userAgent }: Asker): boolean =>
  browsers.includes(browserOf(userAgent))

const rememberBrowser = async (options: PeopleOptions, by: Asker, person: Person): Promise<void> => {
  if (isKnownBrowser(person, by)) return
  const { directory, realNow } = options
  const { id } = person
  const browsers = [...person.browsers, browserOf(by.userAgent)].slice(-browsersMax)
  await options.commit(() => {
    if (!directory.people.persons.has(id)) refuseAs('UNAUTHORIZED')
    return { type: 'PersonChanged', id, changes: { browsers }, atMs: realNow() }
  }, by)
}

/** A browser without its version, which changes every month. */
const browserOf = (userAgent: string): string => tokenHash(userAgent.replace(/[\d._]+/g, '')).slice(0, 22)

const browsersMax = 20

/** Each code counts once: the directory decides between two that come at the same time. */
const useRecoveryCode = async (
  options: PeopleOptions,
  by: Asker,
  person: Person,
  code: string,
  follows: () => readonly SessionFact[],
): Promise<void> => {
  const { directory, sessions, realNow } = options
  const used = tokenHash(code.replace(/[\s-]/g, '').toUpperCase())
  await lookAtRecoveryCode(options, person.id, used)
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
    await recorded(options, () => ({ facts: countFailedFactor(options, person.id), outcome: null }))
    refuseAs('SECOND_FACTOR_INVALID')
  }
  const mail = options.mail(person.email, person.language, { kind: 'RECOVERY_CODE_USED', left })
  const subject = factorSubject(person.id)
  await options.record(() => [
    ...(sessions.attempts.has(subject)
      ? [{ type: 'AttemptsChanged', subject, attempts: null, atMs: realNow() } as const]
      : []),
    ...follows(),
    mail,
  ])
}

/** A wrong code is counted as it is looked at, so that many at once get no more tries than one after the other. */
const lookAtRecoveryCode = async (
  options: PeopleOptions,
  personId: Person['id'],
  hash: string,
): Promise<void> => {
  const { directory, sessions, realNow } = options
  const outcome = await recorded<'KNOWN' | 'INVALID' | number>(options, () => {
    const wait = secondsToWait(sessions.attempts.get(factorSubject(personId)), realNow())
    if (wait > 0) return { facts: [], outcome: wait }
    const isKnown = directory.people.persons.get(personId)?.recoveryCodeHashes.includes(hash) === true
    return isKnown
      ? { facts: [], outcome: 'KNOWN' }
      : { facts: countFailedFactor(options, personId), outcome: 'INVALID' }
  })
  if (outcome === 'INVALID') refuseAs('SECOND_FACTOR_INVALID')
  if (outcome !== 'KNOWN') throw tooManyAttempts(outcome)
}

const passkeySignInOptions = async (context: PeopleContext, _: Input, by: Asker): Promise<object> => {
  context.addresses.take(by.ip)
  if (!context.passkeys.areOffered()) refuseAs('INVALID_STATE')
  return context.passkeys.assertionOptions(await issueChallenge(context, signInUse(null)), null)
}

const signInWithPasskey = async (context: PeopleContext, input: Input, by: Asker): Promise<object> => {
  context.addresses.take(by.ip)
  const credentialId = readAssertion(input.assertion)?.credentialId
  const person = [...context.directory.people.persons.values()].find(({ passkeys }) =>
    passkeys.some((passkey) => passkey.credentialId === credentialId),
  )
  if (person === undefined) return refuseAs('UNAUTHORIZED')
  const opened = openSession(context, person, 'FULL', by)
  const given = { kind: 'passkey', response: input.assertion as object } as const
  await takeFactor(context, by, person, given, signInUse(person.id), () =>
    signedIn(context, by, person, opened),
  )
  await rememberBrowser(context, by, person)
  return sessionAnswer(context, opened)
}

const stepUp = async (options: PeopleOptions, input: Input, by: Asker): Promise<object> => {
  const person = askingPerson(options, by)
  // This also completes a session whose enrolment a crash has cut off.
  const changes = { stage: 'FULL', factorAtMs: options.realNow() } as const
  const opened = renewSession(options, currentSession(options, by), changes)
  const use = stepUpUse(person.id, opened.session.id)
  await takeFactor(options, by, person, givenBy(input), use, () => opened.facts)
  return sessionAnswer(options, opened)
}

/** The factor in a body, which has exactly one. */
const givenBy = ({ totp, assertion }: Input): GivenFactor => {
  if (typeof totp === 'string') return { kind: 'totp', code: totp }
  return { kind: 'passkey', response: assertion as object }
}

/** A challenge for a step-up, or for exactly the request that is to be confirmed. */
const challenge = async (options: PeopleOptions, input: Input, by: Asker): Promise<object> => {
  const person = askingPerson(options, by)
  const { id: sessionId } = currentSession(options, by)
  const operation = input.operation as Confirmable | undefined
  const use: ChallengeUse =
    operation === undefined
      ? stepUpUse(person.id, sessionId)
      : { purpose: 'OPERATION', personId: person.id, sessionId, ...operation }
  return options.passkeys.assertionOptions(await issueChallenge(options, use), person)
}
