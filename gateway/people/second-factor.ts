import type { Passkey, Person } from '../../engine/people/person.ts'
import type { SessionFact } from '../../engine/people/session.ts'
import { factorThrottle, secondsToWait, withFailure } from '../../engine/people/throttle.ts'
import type { PersonId } from '../../engine/shared/ids.ts'
import { OperationRefusal, refuseAs } from '../admin/refusal.ts'
import { unseal } from '../seal.ts'
import type { Asker } from './asked.ts'
import { readAssertion } from './passkeys.ts'
import type { PeopleOptions } from './people-options.ts'
import { type Decided, recorded } from './recording.ts'
import { factorMethodsOf } from './session-gate.ts'
import { stepOf } from './totp.ts'

/** A code of the authenticator app, or what a browser answered to a challenge. */
export type GivenFactor =
  | { readonly kind: 'totp'; readonly code: string }
  | { readonly kind: 'passkey'; readonly response: object }

export type SecondFactor = {
  /**
   * Takes a factor of a person and records, with its use, what follows from it. Throws `SECOND_FACTOR_INVALID`, or `TOO_MANY_ATTEMPTS`, and
   * counts the failure. A passkey has to sign `challenge`, where one is given.
   */
  readonly take: (
    person: Person,
    given: GivenFactor,
    follows: () => readonly SessionFact[],
    challenge?: string,
  ) => Promise<void>
  /** Counts a code that was wrong, of whichever kind; the tenth in a row locks them all. */
  readonly failed: (personId: PersonId) => readonly SessionFact[]
  /** Throws unless the request carries a factor for this very operation, which is then used up. */
  readonly confirm: (by: Asker) => Promise<void>
}

/** Opens the second factors of people. */
export const openSecondFactor = (options: PeopleOptions): SecondFactor => {
  const { directory, sessions, realNow, masterKey } = options

  const take: SecondFactor['take'] = async (person, given, follows, challenge) => {
    const outcome =
      given.kind === 'totp'
        ? await recorded(options, () => takeCode(person.id, given.code, follows))
        : await takeAssertion(person, given.response, follows, challenge ?? null)
    if (outcome === 'INVALID') refuseAs('SECOND_FACTOR_INVALID')
    if (outcome !== 'TAKEN') throw tooManyAttempts(outcome)
  }

  /** Seconds to wait instead of an outcome: no code is looked at. */
  type Taken = 'TAKEN' | 'INVALID' | number

  const takeCode = (
    personId: PersonId,
    code: string,
    follows: () => readonly SessionFact[],
  ): Decided<Taken> => {
    const nowMs = realNow()
    const subject = `factor ${personId}`
    const attempts = sessions.attempts.get(subject)
    const wait = secondsToWait(attempts, nowMs)
    if (wait > 0) return { facts: [], outcome: wait }
    const person = directory.people.persons.get(personId)!
    const step =
      person.sealedTotpSecret === null
        ? null
        : stepOf(
            totpSecretOf(person.sealedTotpSecret, personId, masterKey),
            code,
            nowMs,
            lastStepOf(personId),
          )
    if (step !== null) {
      const spent: SessionFact[] = [{ type: 'CodeSpent', personId, step }]
      if (attempts !== undefined)
        spent.push({ type: 'AttemptsChanged', subject, attempts: null, atMs: nowMs })
      return { facts: [...spent, ...follows()], outcome: 'TAKEN' }
    }
    return { facts: failed(personId), outcome: 'INVALID' }
  }

  const failed: SecondFactor['failed'] = (personId) => {
    const subject = `factor ${personId}`
    const atMs = realNow()
    const attempts = withFailure(sessions.attempts.get(subject), atMs, factorThrottle)
    const counted: SessionFact[] = [{ type: 'AttemptsChanged', subject, attempts, atMs }]
    if (attempts.inRow % 10 > 0) return counted
    const { email, language } = directory.people.persons.get(personId)!
    return [...counted, options.mail(email, language, { kind: 'CODES_LOCKED' })]
  }

  const lastStepOf = (personId: PersonId): number => sessions.spentSteps.get(personId) ?? 0

  /** A passkey is never locked: who has it has signed, and who has not cannot guess. */
  const takeAssertion = async (
    person: Person,
    response: object,
    follows: () => readonly SessionFact[],
    challenge: string | null,
  ): Promise<Taken> => {
    const read = readAssertion(response)
    const passkey = person.passkeys.find(({ credentialId }) => credentialId === read?.credentialId)
    if (read === null || passkey === undefined) return 'INVALID'
    if (challenge !== null && read.challenge !== challenge) return 'INVALID'
    const counter = await options.passkeys.verify(response, read.challenge, passkey)
    if (counter === null) return 'INVALID'
    const outcome = await recorded<Taken>(options, () => {
      const issued = sessions.challenges.get(read.challenge)
      const isOurs = issued !== undefined && (issued.personId === null || issued.personId === person.id)
      if (!isOurs || issued.expiresAtMs <= realNow()) return { facts: [], outcome: 'INVALID' }
      return {
        facts: [{ type: 'ChallengeSpent', challenge: read.challenge }, ...follows()],
        outcome: 'TAKEN',
      }
    })
    if (outcome === 'TAKEN' && counter !== passkey.counter) await keepCounter(person.id, passkey, counter)
    return outcome
  }

  const keepCounter = (personId: PersonId, { id }: Passkey, counter: number): Promise<void> =>
    options.commit(() => {
      const { passkeys } = directory.people.persons.get(personId)!
      const counted = passkeys.map((passkey) => (passkey.id === id ? { ...passkey, counter } : passkey))
      return { type: 'PersonChanged', id: personId, changes: { passkeys: counted }, atMs: realNow() }
    })

  return {
    take,
    failed,
    confirm: async ({ kind, personId, secondFactor, digest }) => {
      if (kind === 'OPERATOR') return
      const person = personId === null ? undefined : directory.people.persons.get(personId)
      if (person === undefined) return refuseAs('DASHBOARD_ONLY')
      const { factorFrozenUntilMs } = person
      if (factorFrozenUntilMs !== null && factorFrozenUntilMs > realNow())
        refuseAs('FACTOR_FROZEN', { until: new Date(factorFrozenUntilMs).toISOString() })
      if (secondFactor === null) refuseAs('SECOND_FACTOR_REQUIRED', { methods: factorMethodsOf(person) })
      const given = readHeader(secondFactor)
      if (given === null) return refuseAs('SECOND_FACTOR_INVALID')
      await take(person, given, () => [], digest)
    },
  }
}

/** The header `Service-Second-Factor`: `totp 123456`, or `passkey` and the browser's answer as base64url of its JSON. */
const readHeader = (header: string): GivenFactor | null => {
  const [, code, assertion] = /^(?:totp (\d{6})|passkey ([\w-]+))$/.exec(header) ?? []
  if (code !== undefined) return { kind: 'totp', code }
  if (assertion === undefined) return null
  try {
    const response: unknown = JSON.parse(Buffer.from(assertion, 'base64url').toString('utf8'))
    return typeof response === 'object' && response !== null ? { kind: 'passkey', response } : null
  } catch {
    return null
  }
}

/** The secret of a person's authenticator app. */
export const totpSecretOf = (sealed: string, personId: PersonId, masterKey: Buffer): Buffer =>
  Buffer.from(unseal(sealed, masterKey, totpOwner(personId)), 'base64url')

/** For whom and what the secret of an authenticator app is sealed. */
export const totpOwner = (personId: PersonId): string => `totp ${personId}`

/** 429, until an attempt is taken again. */
export const tooManyAttempts = (retryAfterSeconds: number) =>
  new OperationRefusal('TOO_MANY_ATTEMPTS', 'TOO_MANY_ATTEMPTS', { retryAfterSeconds })
