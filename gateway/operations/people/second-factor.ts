import type { DirectoryFact } from '../../../engine/companies/directory.ts'
import type { Passkey, Person } from '../../../engine/people/person.ts'
import type { ChallengeUse, SessionFact } from '../../../engine/people/session.ts'
import { factorSubject, factorThrottle, secondsToWait, withFailure } from '../../../engine/people/throttle.ts'
import type { PersonId } from '../../../engine/shared/ids.ts'
import { bounds } from '../../base/bounds.ts'
import { unseal } from '../../base/seal.ts'
import type { Asker } from '../../identity/asked.ts'
import { hasFallenBack, readAssertion, type Signed } from '../../identity/passkeys.ts'
import { factorMethodsOf } from '../../identity/session-gate.ts'
import { stepOf } from '../../identity/totp.ts'
import type { Text } from '../../problems/messages/text.ts'
import { OperationRefusal, refuseAs } from '../../problems/refusal.ts'
import { spendChallenge } from './challenges.ts'
import type { PeopleOptions } from './people-options.ts'
import { type Decided, recorded } from './recording.ts'

/** A code of the authenticator app, or a browser's answer to a challenge. */
export type GivenFactor =
  | { readonly kind: 'totp'; readonly code: string }
  | { readonly kind: 'passkey'; readonly response: object }

/** Why a factor is refused. USED: it was used before, or is too old. */
type FactorRefusal = 'WRONG' | 'USED' | 'OTHER_OPERATION' | 'PASSKEY_COUNTER'

/** The outcome of a factor. A number is the seconds to wait: no code was checked. */
type Taken = 'TAKEN' | FactorRefusal | number

/**
 * Takes a factor of the asking person and records, with its use, what follows from it. A passkey has to answer a challenge for exactly
 * this use. Throws `SECOND_FACTOR_INVALID` with the reason, or `TOO_MANY_ATTEMPTS`; wrong codes are counted.
 */
export const takeFactor = async (
  options: PeopleOptions,
  by: Asker,
  person: Person,
  given: GivenFactor,
  use: ChallengeUse,
  follows: () => readonly SessionFact[],
): Promise<void> => {
  const outcome =
    given.kind === 'totp'
      ? await recorded(options, () => takeCode(options, person.id, given.code, follows))
      : await takeAssertion(options, by, person, given.response, use, follows)
  if (typeof outcome === 'number') throw tooManyAttempts(outcome)
  if (outcome !== 'TAKEN') throw invalidFactor(outcome)
}

const takeCode = (
  options: PeopleOptions,
  personId: PersonId,
  code: string,
  follows: () => readonly SessionFact[],
): Decided<Taken> => {
  const { directory, sessions, realNow, masterKey } = options
  const nowMs = realNow()
  const subject = factorSubject(personId)
  const attempts = sessions.attempts.get(subject)
  const wait = secondsToWait(attempts, nowMs)
  if (wait > 0) return { facts: [], outcome: wait }
  const { sealedTotpSecret } = directory.people.persons.get(personId)!
  const lastStep = sessions.spentSteps.get(personId) ?? 0
  const step =
    sealedTotpSecret === null
      ? null
      : stepOf(totpSecretOf(sealedTotpSecret, personId, masterKey), code, nowMs, lastStep)
  // A used code was known and not guessed, so it counts as no failure.
  if (step === 'USED') return { facts: [], outcome: 'USED' }
  if (step === null) return { facts: countFailedFactor(options, personId), outcome: 'WRONG' }
  const spent: SessionFact[] = [{ type: 'CodeSpent', personId, step }]
  if (attempts !== undefined) spent.push({ type: 'AttemptsChanged', subject, attempts: null, atMs: nowMs })
  return { facts: [...spent, ...follows()], outcome: 'TAKEN' }
}

/** Counts a code that was wrong, of whichever kind; the tenth in a row locks them all. */
export const countFailedFactor = (options: PeopleOptions, personId: PersonId): readonly SessionFact[] => {
  const { directory, sessions, realNow } = options
  const subject = factorSubject(personId)
  const atMs = realNow()
  const attempts = withFailure(sessions.attempts.get(subject), atMs, factorThrottle)
  const counted: SessionFact[] = [{ type: 'AttemptsChanged', subject, attempts, atMs }]
  if (factorThrottle.pauseMs(attempts.inRow) === 0) return counted
  const { email, language } = directory.people.persons.get(personId)!
  return [...counted, options.mail(email, language, { kind: 'CODES_LOCKED' })]
}

/** A passkey is never locked: only its owner can sign, and a signature cannot be guessed. */
const takeAssertion = async (
  options: PeopleOptions,
  by: Asker,
  person: Person,
  response: object,
  use: ChallengeUse,
  follows: () => readonly SessionFact[],
): Promise<Taken> => {
  const read = readAssertion(response)
  const passkey = person.passkeys.find(({ credentialId }) => credentialId === read?.credentialId)
  if (read === null || passkey === undefined) return 'WRONG'
  const signed = await options.passkeys.verify(response, read.challenge, passkey)
  // Whether a key is synced never changes: one that says otherwise wants its count to be ignored.
  if (signed === null || (passkey.isSynced ?? signed.isSynced) !== signed.isSynced) return 'WRONG'
  const spent = await recorded(options, () => spendChallenge(options, read.challenge, use))
  if (spent === 'EXPIRED') return 'USED'
  // After the challenge, so that an answer which is sent twice is not taken for that of a copied key.
  if (!(await countSignature(options, by, person.id, passkey, signed))) return 'PASSKEY_COUNTER'
  if (spent === 'OTHER_USE') return 'OTHER_OPERATION'
  return recorded<Taken>(options, () => ({ facts: follows(), outcome: 'TAKEN' }))
}

/** Stores the authenticator's count; false if it fell back. The directory decides between two at once. */
const countSignature = async (
  options: PeopleOptions,
  by: Asker,
  personId: PersonId,
  { id, isSynced: isKnownSynced = false }: Passkey,
  signed: Signed,
): Promise<boolean> => {
  // A key known to be synced has no count to check, and most are: the directory is not asked.
  if (isKnownSynced) return true
  const { counter, isSynced } = signed
  let isCounted = true
  await options.commit(() =>
    passkeyChanged(options, personId, id, (before) => {
      isCounted = !hasFallenBack(signed, before.counter)
      const isKept = before.isSynced === isSynced && before.counter === counter
      return isCounted && !isKept ? { ...before, counter, isSynced } : before
    }),
  )
  if (isCounted) return true
  // An act of the person, so that the audit log and a notice name it.
  await options.commit(
    () =>
      passkeyChanged(options, personId, id, (before, atMs) => {
        const toldAtMs = before.counterFellBackAtMs ?? 0
        return atMs - toldAtMs < bounds.counterNoticeMs ? before : { ...before, counterFellBackAtMs: atMs }
      }),
    { ...by, personId },
  )
  return false
}

/** The fact that changes a passkey of a person; null where it stays as it is. */
const passkeyChanged = (
  { directory, realNow }: PeopleOptions,
  personId: PersonId,
  id: Passkey['id'],
  change: (before: Passkey, atMs: number) => Passkey,
): DirectoryFact | null => {
  const atMs = realNow()
  const { passkeys } = directory.people.persons.get(personId) ?? refuseAs('UNAUTHORIZED')
  const before = passkeys.find((passkey) => passkey.id === id)
  if (before === undefined) throw invalidFactor('WRONG')
  const after = change(before, atMs)
  if (after === before) return null
  const changed = passkeys.map((passkey) => (passkey === before ? after : passkey))
  return { type: 'PersonChanged', id: personId, changes: { passkeys: changed }, atMs }
}

/** Throws unless the request carries a factor for this very operation, which is then used up. An operator needs none. */
export const confirmByFactor = async (options: PeopleOptions, by: Asker): Promise<void> => {
  const { directory, realNow } = options
  const { kind, personId, sessionId, companyId, environment, secondFactor, digest } = by
  if (kind === 'OPERATOR') return
  const person = personId === null ? undefined : directory.people.persons.get(personId)
  if (person === undefined) refuseAs('DASHBOARD_ONLY')
  const { factorFrozenUntilMs } = person
  if (factorFrozenUntilMs !== null && factorFrozenUntilMs > realNow())
    refuseAs('FACTOR_FROZEN', { until: new Date(factorFrozenUntilMs).toISOString() })
  if (secondFactor === null) refuseAs('SECOND_FACTOR_REQUIRED', { methods: factorMethodsOf(person) })
  const given = readHeader(secondFactor)
  if (given === null) throw invalidFactor('WRONG')
  const use = { purpose: 'OPERATION', personId, sessionId, companyId, environment, digest } as const
  await takeFactor(options, by, person, given, use, () => [])
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

/** The owner and purpose under which the secret of an authenticator app is sealed. */
export const totpOwner = (personId: PersonId): string => `totp ${personId}`

/** 403, with what was wrong with the factor. */
export const invalidFactor = (reason: FactorRefusal) =>
  new OperationRefusal(whyInvalid[reason], 'SECOND_FACTOR_INVALID', { reason })

const whyInvalid: Readonly<Record<FactorRefusal, Text>> = {
  WRONG: (say) => say.operations.factorWrong(),
  USED: (say) => say.operations.factorUsed(),
  OTHER_OPERATION: (say) => say.operations.factorOfOther(),
  PASSKEY_COUNTER: (say) => say.operations.passkeyCounter(),
}

/** 429, until an attempt is taken again. */
export const tooManyAttempts = (retryAfterSeconds: number) =>
  new OperationRefusal('TOO_MANY_ATTEMPTS', 'TOO_MANY_ATTEMPTS', { retryAfterSeconds })
