import { isEnrolled, type Passkey, type Person } from '../../../engine/people/person.ts'
import type { Session } from '../../../engine/people/session.ts'
import { factorSubject, secondsToWait } from '../../../engine/people/throttle.ts'
import { newId } from '../../../engine/shared/ids.ts'
import { bounds } from '../../base/bounds.ts'
import { seal } from '../../base/seal.ts'
import { qrCodeDataUri } from '../../documents/qr-code/draw.ts'
import type { Asker } from '../../identity/asked.ts'
import { readAssertion } from '../../identity/passkeys.ts'
import { tokenHash } from '../../identity/session-cookie.ts'
import { factorMethodsOf } from '../../identity/session-gate.ts'
import { base32Of, stepOf, totpSecretBytes, totpUri } from '../../identity/totp.ts'
import { OperationRefusal, refuseAs } from '../../problems/refusal.ts'
import { personResource } from '../../resources/people/session.ts'
import { type Input, lineOf, type Operations, operationsOn, readText } from '../input.ts'
import { issueChallenge, registrationUse, spendChallenge } from './challenges.ts'
import { changeAskingPerson, changeCredentials } from './credentials.ts'
import type { PeopleContext } from './people-context.ts'
import type { PeopleOptions } from './people-options.ts'
import { recorded } from './recording.ts'
import {
  confirmByFactor,
  countFailedFactor,
  invalidFactor,
  tooManyAttempts,
  totpOwner,
  totpSecretOf,
} from './second-factor.ts'
import { askingPerson, currentSession, type Opened, renewSession, sessionAnswer } from './sessions-of.ts'

/** The second factors of a person: authenticator app, recovery codes and passkeys (dashboard, section 2.2). */
export const ownFactorOperations = (context: PeopleContext): Operations =>
  operationsOn(context, {
    'me totp': newTotp,
    'me totp-confirm': confirmTotp,
    'me recovery-codes': newRecoveryCodes,
    'me passkey-options': passkeyOptions,
    'me add-passkey': addPasskey,
    'me rename-passkey': renamePasskey,
    'me remove-passkey': removePasskey,
  })

/** The first factor needs no other; a further one is confirmed by one that the person has. */
const confirmIfEnrolled = async (options: PeopleOptions, person: Person, by: Asker): Promise<void> => {
  if (isEnrolled(person)) await confirmByFactor(options, by)
}

const newTotp = async (options: PeopleOptions, _: Input, by: Asker): Promise<object> => {
  const person = askingPerson(options, by)
  await confirmIfEnrolled(options, person, by)
  const secret = options.randomBytes(totpSecretBytes)
  const sealedPendingTotp = seal(secret.toString('base64url'), options.masterKey, totpOwner(person.id))
  const { id } = currentSession(options, by)
  await options.record(() => [
    { type: 'SessionChanged', id, changes: { sealedPendingTotp, pendingTotpStep: 0 } },
  ])
  const uri = totpUri(secret, person.email, new URL(options.origin()).hostname)
  return { secret: base32Of(secret), uri, qrCode: qrCodeDataUri(uri) }
}

const confirmTotp = async (options: PeopleOptions, input: Input, by: Asker): Promise<object> => {
  const sealedTotpSecret = await takeFirstCode(options, input, by)
  const { codes, hashes } = newCodes(options)
  const factorAtMs = options.realNow()
  const opened = await changeCredentials(
    options,
    by,
    'TOTP',
    () => ({ sealedTotpSecret, recoveryCodeHashes: hashes }),
    (session) => renewSession(options, session, { stage: 'FULL', factorAtMs, sealedPendingTotp: null }),
  )
  return { setCookie: sessionAnswer(options, opened).setCookie, body: { codes } }
}

/**
 * The first code proves that the app has the secret. It is spent like any other, before anything follows from it.
 * Resolves to the sealed secret.
 */
const takeFirstCode = async (options: PeopleOptions, input: Input, by: Asker): Promise<string> => {
  const { sessions, realNow, masterKey } = options
  const { id: personId } = askingPerson(options, by)
  const code = readText(input, 'code')
  const taken = await recorded<string | number | null>(options, () => {
    const { id, sealedPendingTotp, pendingTotpStep } = currentSession(options, by)
    if (sealedPendingTotp === null) return refuseAs('INVALID_STATE')
    const wait = secondsToWait(sessions.attempts.get(factorSubject(personId)), realNow())
    if (wait > 0) return { facts: [], outcome: wait }
    const secret = totpSecretOf(sealedPendingTotp, personId, masterKey)
    const step = stepOf(secret, code, realNow(), pendingTotpStep)
    if (step === 'USED') throw invalidFactor('USED')
    if (step === null) return { facts: countFailedFactor(options, personId), outcome: null }
    return {
      facts: [
        { type: 'CodeSpent', personId, step },
        { type: 'SessionChanged', id, changes: { pendingTotpStep: step } },
      ],
      outcome: sealedPendingTotp,
    }
  })
  if (typeof taken === 'number') throw tooManyAttempts(taken)
  if (taken === null) throw invalidFactor('WRONG')
  return taken
}

const newCodes = ({ randomBytes }: PeopleOptions) => {
  const codes = Array.from({ length: 10 }, () => base32Of(randomBytes(15)))
  return { codes, hashes: codes.map(tokenHash) }
}

const newRecoveryCodes = async (options: PeopleOptions, _: Input, by: Asker): Promise<object> => {
  const { codes, hashes } = newCodes(options)
  await changeCredentials(options, by, 'RECOVERY_CODES', () => ({ recoveryCodeHashes: hashes }), unchanged)
  return { codes }
}

/** The session as it is. */
const unchanged = (session: Session): Opened => ({ session, secret: '', facts: [] })

const passkeyOptions = async (options: PeopleOptions, _: Input, by: Asker): Promise<object> => {
  const person = askingPerson(options, by)
  if (!options.passkeys.areOffered()) refuseAs('INVALID_STATE')
  if (person.passkeys.length >= bounds.passkeysMax) refuseAs('INVALID_STATE')
  await confirmIfEnrolled(options, person, by)
  const use = registrationUse(person.id, currentSession(options, by).id)
  return options.passkeys.registrationOptions(person, await issueChallenge(options, use))
}

/** Adds a passkey. A factor has confirmed its challenge, if the person has one. */
const addPasskey = async (options: PeopleOptions, input: Input, by: Asker): Promise<object> => {
  const person = askingPerson(options, by)
  const name = lineOf(input.name, 'name', bounds.nameCharsMax)
  const challenge = readAssertion(input.credential)?.challenge ?? ''
  const made = await options.passkeys.register(input.credential as object, challenge)
  if (made === null) throw invalidFactor('WRONG')
  const use = registrationUse(person.id, currentSession(options, by).id)
  const spent = await recorded(options, () => spendChallenge(options, challenge, use))
  if (spent !== 'SPENT') throw invalidFactor(spent === 'EXPIRED' ? 'USED' : 'OTHER_OPERATION')
  const atMs = options.realNow()
  const passkey: Passkey = { ...made, id: newId('psk', atMs, options.entropy), name, createdAtMs: atMs }
  const isFirst = factorMethodsOf(person).length === 0
  const { codes, hashes } = newCodes(options)
  const opened = await changeCredentials(
    options,
    by,
    'PASSKEY_ADDED',
    ({ passkeys }) => ({
      passkeys: [...passkeys, passkey],
      ...(isFirst && { recoveryCodeHashes: hashes }),
    }),
    (session) => renewSession(options, session, { stage: 'FULL', factorAtMs: atMs }),
  )
  return {
    setCookie: sessionAnswer(options, opened).setCookie,
    body: { person: personResource.view(askingPerson(options, by)), codes: isFirst ? codes : [] },
  }
}

const passkeyAt = (person: Person, input: Input): Passkey =>
  person.passkeys.find(({ id }) => id === input.id) ?? refuseAs('NOT_FOUND', { resource: 'passkey' })

const renamePasskey = async (options: PeopleOptions, input: Input, by: Asker): Promise<object> => {
  const person = askingPerson(options, by)
  const { id } = passkeyAt(person, input)
  const name = lineOf(input.name, 'name', bounds.nameCharsMax)
  const renamed = await changeAskingPerson(options, by, person, ({ passkeys }) => ({
    passkeys: passkeys.map((passkey) => (passkey.id === id ? { ...passkey, name } : passkey)),
  }))
  return personResource.view(renamed)
}

/** The last factor stays: without one the password would be alone. */
const removePasskey = async (options: PeopleOptions, input: Input, by: Asker): Promise<object> => {
  const { id } = passkeyAt(askingPerson(options, by), input)
  await changeCredentials(
    options,
    by,
    'PASSKEY_REMOVED',
    ({ passkeys, sealedTotpSecret }) => {
      const others = passkeys.filter((passkey) => passkey.id !== id)
      if (others.length === 0 && sealedTotpSecret === null)
        throw new OperationRefusal((say) => say.operations.lastFactor())
      return { passkeys: others }
    },
    unchanged,
  )
  return personResource.view(askingPerson(options, by))
}
