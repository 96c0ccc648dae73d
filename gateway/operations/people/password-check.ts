import { type Person, personByEmail } from '../../../engine/people/person.ts'
import type { FailedAttempts, SessionFact } from '../../../engine/people/session.ts'
import { passwordThrottle, secondsToWait, withFailure } from '../../../engine/people/throttle.ts'
import type { Asker } from '../../identity/asked.ts'
import type { PasswordHasher } from '../../identity/password-hash.ts'
import { tokenHash } from '../../identity/session-cookie.ts'
import { OperationRefusal, refuseAs } from '../../problems/refusal.ts'
import type { AddressThrottle } from './address-throttle.ts'
import type { PeopleOptions } from './people-options.ts'
import { recorded } from './recording.ts'
import { tooManyAttempts } from './second-factor.ts'

/**
 * Resolves to the person whose password it is, as that person was when it was compared. Throws `TOO_MANY_ATTEMPTS`, or `refusal` for a wrong
 * password and for an unknown address, which are told apart by nothing: not by status, text or time.
 */
export type PasswordCheck = (
  by: Asker,
  given: {
    readonly email: string
    readonly password: string
    readonly refusal: 'UNAUTHORIZED' | 'PASSWORD_WRONG'
  },
) => Promise<Person>

type Checking = {
  readonly options: PeopleOptions
  readonly hasher: PasswordHasher
  readonly addresses: AddressThrottle
  /** Has the tries at one address done one after the other. */
  readonly inTurn: ReturnType<typeof turnsByName>
}

/**
 * Opens the only check of a person's password (dashboard, section 1.4). Wherever one is asked, the same count slows down the next try, by
 * account and by address, and a failure is in the audit log: a guesser has no door that is not watched.
 */
export const openPasswordCheck = (parts: Omit<Checking, 'inTurn'>): PasswordCheck => {
  const checking = { ...parts, inTurn: turnsByName() }
  return async (by, { email, password, refusal }) => {
    try {
      checking.addresses.take(by.ip)
      const person = await checking.inTurn(email, () => compare(checking, email, password))
      if (person === null) return refuseAs(refusal)
      await rehash(checking, by, person, password)
      return person
    } catch (error) {
      await recordRefusal(checking.options, by, email, error)
      throw error
    }
  }
}

const compare = async (
  { options, hasher }: Checking,
  email: string,
  password: string,
): Promise<Person | null> => {
  const { directory, realNow } = options
  const changed = (attempts: FailedAttempts | null): SessionFact => ({
    type: 'AttemptsChanged',
    subject,
    attempts,
    atMs: realNow(),
  })
  const subject = passwordSubject(email)
  const before = await countTry(options, subject)
  const person = personByEmail(directory.people, email)
  let isRight = false
  try {
    isRight = await hasher.isRight(password, person?.passwordHash ?? null)
  } catch (error) {
    // It was not compared: too many others wait.
    await options.record(() => [changed(before)])
    throw error
  }
  if (isRight) await options.record(() => [changed(forgiven(before))])
  return isRight ? person : null
}

/** Counts a try as a failure before it is compared, so that many at once get no more tries than one after the other. */
const countTry = (options: PeopleOptions, subject: string): Promise<FailedAttempts | null> =>
  recorded(options, () => {
    const nowMs = options.realNow()
    const before = options.sessions.attempts.get(subject)
    const wait = secondsToWait(before, nowMs)
    if (wait > 0) throw tooManyAttempts(wait)
    const attempts = withFailure(before, nowMs, passwordThrottle)
    return {
      facts: [{ type: 'AttemptsChanged', subject, attempts, atMs: nowMs }],
      outcome: before ?? null,
    }
  })

/** Failures in a row end; those of the last hour still count, without the one that was none. */
const forgiven = (before: FailedAttempts | null): FailedAttempts | null =>
  before === null || before.recentMs.length === 0 ? null : { ...before, inRow: 0, blockedUntilMs: 0 }

const rehash = async (
  { options, hasher }: Checking,
  by: Asker,
  { id, passwordHash }: Person,
  password: string,
): Promise<void> => {
  const { directory, realNow } = options
  if (passwordHash === null || !hasher.isOutdated(passwordHash)) return
  const rehashed = await hasher.hash(password)
  await options.commit(() => {
    // Not over a password that was set meanwhile.
    if (directory.people.persons.get(id)?.passwordHash !== passwordHash) return null
    return { type: 'PersonChanged', id, changes: { passwordHash: rehashed }, atMs: realNow() }
  }, by)
}

const recordRefusal = async (
  { directory, refused }: PeopleOptions,
  by: Asker,
  email: string,
  error: unknown,
): Promise<void> => {
  const person = personByEmail(directory.people, email)
  if (person === null || !(error instanceof OperationRefusal)) return
  const recording = refused(by, person.id, error.code)
  // Strangers must not see by the time whether a person is known.
  if (by.kind !== 'STRANGER') await recording
}

/** Under which wrong passwords of an address are counted, whether a person has it or not. */
export const passwordSubject = (email: string): string => `password ${tokenHash(email)}`

/** Has the work under each name done one after the other. */
const turnsByName = () => {
  const last = new Map<string, Promise<unknown>>()
  return async <Done>(name: string, work: () => Promise<Done>): Promise<Done> => {
    const mine = (last.get(name) ?? Promise.resolve()).then(work)
    const ended = mine.catch(() => undefined)
    last.set(name, ended)
    try {
      return await mine
    } finally {
      if (last.get(name) === ended) last.delete(name)
    }
  }
}
