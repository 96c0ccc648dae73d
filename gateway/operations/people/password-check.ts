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
 * Resolves to the person with this password, as stored when it was compared. Throws `TOO_MANY_ATTEMPTS`, or
 * `refusal`, which is the same for a wrong password and an unknown address in status, text and time.
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
  /** Runs the tries at one address one after the other. */
  readonly inTurn: ReturnType<typeof turnsByName>
}

/**
 * Opens the only check of a person's password (dashboard, section 1.4). Wherever a password is asked for, the same
 * count by account and address slows down the next try, and a failure is in the audit log: a guesser has no
 * unwatched door.
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
    // The password was not compared, because too many others wait.
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

/** Resets the failures in a row after a success; those of the last hour still count. */
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
    // A password set meanwhile must stay.
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
  // The response time must not reveal to strangers whether a person exists.
  if (by.kind !== 'STRANGER') await recording
}

/** The subject under which wrong passwords for an address are counted, whether a person has it or not. */
export const passwordSubject = (email: string): string => `password ${tokenHash(email)}`

/** Runs the work under each name one after the other. */
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
