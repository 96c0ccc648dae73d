import {
  isEnrolled,
  type Passkey,
  type Person,
  type PersonChanges,
  personByEmail,
} from '../../../engine/people/person.ts'
import { countsFor, type Session, type SessionChanges } from '../../../engine/people/session.ts'
import { secondsToWait } from '../../../engine/people/throttle.ts'
import { newId } from '../../../engine/shared/ids.ts'
import { limits } from '../../base/limits.ts'
import { seal } from '../../base/seal.ts'
import { qrCodeDataUri } from '../../documents/qr-code/draw.ts'
import type { Asker } from '../../identity/asked.ts'
import { readAssertion } from '../../identity/passkeys.ts'
import { tokenHash } from '../../identity/session-cookie.ts'
import { factorMethodsOf } from '../../identity/session-gate.ts'
import { base32Of, stepOf, totpSecretBytes, totpUri } from '../../identity/totp.ts'
import type { FactorChange } from '../../mail/texts.ts'
import { OperationRefusal, refuseAs } from '../../problems/refusal.ts'
import { personResource } from '../../resources/people/session.ts'
import { type Input, lineOf, type Operations, readText } from '../input.ts'
import { type Challenges, registrationUse } from './challenges.ts'
import { knownNames } from './known-names.ts'
import { linkWith, newLink, stillLinked } from './links.ts'
import type { PasswordCheck } from './password-check.ts'
import { requireGoodPassword } from './password-rules.ts'
import type { PeopleOptions } from './people-options.ts'
import { recorded } from './recording.ts'
import {
  invalidFactor,
  type SecondFactor,
  tooManyAttempts,
  totpOwner,
  totpSecretOf,
} from './second-factor.ts'
import type { Opened, SessionsOf } from './sessions-of.ts'
import { voided } from './void.ts'

type Parts = {
  readonly options: PeopleOptions
  readonly sessionsOf: SessionsOf
  readonly secondFactor: Pick<SecondFactor, 'confirm' | 'failed'>
  readonly challenges: Challenges
  readonly checkPassword: PasswordCheck
}

/** What a person changes about itself: name, e-mail, password and second factors (dashboard, section 2.2). */
export const meOperations = ({
  options,
  sessionsOf,
  secondFactor,
  challenges,
  checkPassword,
}: Parts): Operations => {
  const { directory, sessions, hasher, realNow, entropy, randomBytes, masterKey } = options

  const changed = async (
    by: Asker,
    person: Person,
    changes: (now: Person) => PersonChanges,
  ): Promise<Person> => {
    await options.commit(() => {
      const now = directory.people.persons.get(person.id) ?? refuseAs('UNAUTHORIZED')
      return { type: 'PersonChanged', id: person.id, changes: changes(now), atMs: realNow() }
    }, by)
    return directory.people.persons.get(person.id)!
  }

  const show = async (_: Input, by: Asker): Promise<object> => personResource.view(sessionsOf.person(by))

  const update = async (input: Input, by: Asker): Promise<object> => {
    const person = sessionsOf.person(by)
    const { name, language, theme } = input
    const changes: PersonChanges = {
      ...(name !== undefined && { name: lineOf(name, 'name', limits.nameCharsMax) }),
      ...(language !== undefined && { language: language as Person['language'] }),
      ...(theme !== undefined && { theme: theme as Person['theme'] }),
    }
    if (input.email !== undefined) await startEmailChange(person, readText(input, 'email'), by)
    return personResource.view(await changed(by, person, () => changes))
  }

  /** The new address is confirmed by a link that goes there, and the present one hears of it at once. */
  const startEmailChange = async (person: Person, text: string, by: Asker): Promise<void> => {
    const email = text.trim().toLowerCase()
    if (email === person.email) return
    if (!options.sendsMail) refuseAs('SERVICE_UNAVAILABLE')
    // One whose factor was reset has none, and is frozen.
    if (isEnrolled(person) || person.factorFrozenUntilMs !== null) await secondFactor.confirm(by)
    await options.record(() => {
      const { token, facts } = newLink(options, person, 'EMAIL_CHANGE', email)
      const link = `${options.origin()}/painel/email#${token}`
      return [
        ...facts,
        options.mail(email, person.language, { kind: 'EMAIL_CHANGE', link }),
        options.mail(person.email, person.language, { kind: 'EMAIL_CHANGE_ASKED', email }),
      ]
    })
  }

  /** Opens the link that went to the new address. An address that another person has by then is refused as the link is. */
  const confirmEmail = async (input: Input, by: Asker): Promise<object> => {
    const link = await linkWith(options, readText(input, 'token'), 'EMAIL_CHANGE')
    const { person, email } = link
    if (email === null) return refuseAs('LINK_INVALID')
    await options.record(() => {
      const isTaken = personByEmail(directory.people, email) !== null
      if (isTaken || !sessions.links.has(link.tokenHash)) refuseAs('LINK_INVALID')
      const { id, language } = stillLinked(options, link)
      return [
        // Those for a password, too: they went to the former address.
        ...[...sessions.links.values()].flatMap(({ personId, tokenHash }) =>
          personId === id ? [{ type: 'LinkUsed', tokenHash } as const] : [],
        ),
        options.mail(person.email, language, { kind: 'EMAIL_CHANGED', email }),
      ]
    })
    await options.commit(() => {
      const { id } = stillLinked(options, link)
      if (personByEmail(directory.people, email) !== null) refuseAs('LINK_INVALID')
      return { type: 'PersonChanged', id, changes: { email }, atMs: realNow() }
    }, by)
    return { done: true }
  }

  /**
   * Changes password or factors. What hangs on the former ones is void from then on, but for the asker's own session; the person is told by
   * mail.
   */
  const credentialsChanged = async (
    by: Asker,
    what: FactorChange,
    changes: (now: Person) => PersonChanges,
    renew: (session: Session) => Opened,
  ): Promise<Opened> => {
    const session = sessionsOf.current(by)
    await options.commit(() => {
      const now = sessionsOf.person(by)
      // Two changes at once: the second was decided on what the first has made void.
      if (!countsFor(now, session)) refuseAs('INVALID_STATE')
      return {
        type: 'PersonChanged',
        id: now.id,
        changes: changes(now),
        beginsGeneration: true,
        atMs: realNow(),
      }
    }, by)
    const { id, email, language, credentialGeneration } = sessionsOf.person(by)
    const opened = renew({ ...session, credentialGeneration })
    await options.record(() => [
      ...voided(sessions, id, session.id),
      ...opened.facts,
      { type: 'SessionChanged', id: session.id, changes: { credentialGeneration } },
      options.mail(email, language, { kind: 'FACTOR_CHANGED', what }),
    ])
    return opened
  }

  /** The session as it is. */
  const unchanged = (session: Session): Opened => ({ session, secret: '', facts: [] })

  const renewedWith =
    (changes: SessionChanges = {}) =>
    (session: Session): Opened =>
      sessionsOf.renew(session, changes)

  const changePassword = async (input: Input, by: Asker): Promise<object> => {
    const person = sessionsOf.person(by)
    const current = typeof input.current === 'string' ? input.current : ''
    if (person.passwordHash !== null)
      await checkPassword(by, { email: person.email, password: current, refusal: 'PASSWORD_WRONG' })
    const password = readText(input, 'new')
    await requireGoodPassword(password, knownNames(directory, person))
    const passwordHash = await hasher.hash(password)
    const opened = await credentialsChanged(by, 'PASSWORD', () => ({ passwordHash }), renewedWith())
    return { setCookie: sessionsOf.answer(opened).setCookie, body: { done: true } }
  }

  /** The first factor needs no other; a further one is confirmed by one that the person has. */
  const confirmByFactor = async (person: Person, by: Asker): Promise<void> => {
    if (isEnrolled(person)) await secondFactor.confirm(by)
  }

  const newTotp = async (_: Input, by: Asker): Promise<object> => {
    const person = sessionsOf.person(by)
    await confirmByFactor(person, by)
    const secret = randomBytes(totpSecretBytes)
    const sealedPendingTotp = seal(secret.toString('base64url'), masterKey, totpOwner(person.id))
    const { id } = sessionsOf.current(by)
    await options.record(() => [
      { type: 'SessionChanged', id, changes: { sealedPendingTotp, pendingTotpStep: 0 } },
    ])
    const uri = totpUri(secret, person.email, new URL(options.origin()).hostname)
    return { secret: base32Of(secret), uri, qrCode: qrCodeDataUri(uri) }
  }

  /** The first code proves that the app has the secret. It is spent like any other, before anything follows from it. */
  const confirmTotp = async (input: Input, by: Asker): Promise<object> => {
    const { id: personId } = sessionsOf.person(by)
    const code = readText(input, 'code')
    const taken = await recorded<string | number | null>(options, () => {
      const { id, sealedPendingTotp, pendingTotpStep } = sessionsOf.current(by)
      if (sealedPendingTotp === null) return refuseAs('INVALID_STATE')
      const wait = secondsToWait(sessions.attempts.get(`factor ${personId}`), realNow())
      if (wait > 0) return { facts: [], outcome: wait }
      const secret = totpSecretOf(sealedPendingTotp, personId, masterKey)
      const step = stepOf(secret, code, realNow(), pendingTotpStep)
      if (step === 'USED') throw invalidFactor('USED')
      if (step === null) return { facts: secondFactor.failed(personId), outcome: null }
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
    const { codes, hashes } = newCodes()
    const opened = await credentialsChanged(
      by,
      'TOTP',
      () => ({ sealedTotpSecret: taken, recoveryCodeHashes: hashes }),
      renewedWith({ stage: 'FULL', factorAtMs: realNow(), sealedPendingTotp: null }),
    )
    return { setCookie: sessionsOf.answer(opened).setCookie, body: { codes } }
  }

  const newCodes = () => {
    const codes = Array.from({ length: 10 }, () => base32Of(randomBytes(15)))
    return { codes, hashes: codes.map(tokenHash) }
  }

  const newRecoveryCodes = async (_: Input, by: Asker): Promise<object> => {
    const { codes, hashes } = newCodes()
    await credentialsChanged(by, 'RECOVERY_CODES', () => ({ recoveryCodeHashes: hashes }), unchanged)
    return { codes }
  }

  const passkeyOptions = async (_: Input, by: Asker): Promise<object> => {
    const person = sessionsOf.person(by)
    if (!options.passkeys.areOffered()) refuseAs('INVALID_STATE')
    if (person.passkeys.length >= limits.passkeysMax) refuseAs('INVALID_STATE')
    await confirmByFactor(person, by)
    const use = registrationUse(person.id, sessionsOf.current(by).id)
    return options.passkeys.registrationOptions(person, await challenges.issue(use))
  }

  /** Its challenge was confirmed by a factor, where the person has one. */
  const addPasskey = async (input: Input, by: Asker): Promise<object> => {
    const person = sessionsOf.person(by)
    const name = lineOf(input.name, 'name', limits.nameCharsMax)
    const challenge = readAssertion(input.credential)?.challenge ?? ''
    const made = await options.passkeys.register(input.credential as object, challenge)
    if (made === null) throw invalidFactor('WRONG')
    const use = registrationUse(person.id, sessionsOf.current(by).id)
    const spent = await recorded(options, () => challenges.spend(challenge, use))
    if (spent !== 'SPENT') throw invalidFactor(spent === 'EXPIRED' ? 'USED' : 'OTHER_OPERATION')
    const atMs = realNow()
    const passkey: Passkey = { ...made, id: newId('psk', atMs, entropy), name, createdAtMs: atMs }
    const isFirst = factorMethodsOf(person).length === 0
    const { codes, hashes } = newCodes()
    const opened = await credentialsChanged(
      by,
      'PASSKEY_ADDED',
      ({ passkeys }) => ({
        passkeys: [...passkeys, passkey],
        ...(isFirst && { recoveryCodeHashes: hashes }),
      }),
      renewedWith({ stage: 'FULL', factorAtMs: atMs }),
    )
    return {
      setCookie: sessionsOf.answer(opened).setCookie,
      body: { person: personResource.view(sessionsOf.person(by)), codes: isFirst ? codes : [] },
    }
  }

  const passkeyAt = (person: Person, input: Input): Passkey =>
    person.passkeys.find(({ id }) => id === input.id) ?? refuseAs('NOT_FOUND', { resource: 'passkey' })

  const renamePasskey = async (input: Input, by: Asker): Promise<object> => {
    const person = sessionsOf.person(by)
    const { id } = passkeyAt(person, input)
    const name = lineOf(input.name, 'name', limits.nameCharsMax)
    const now = await changed(by, person, ({ passkeys }) => ({
      passkeys: passkeys.map((passkey) => (passkey.id === id ? { ...passkey, name } : passkey)),
    }))
    return personResource.view(now)
  }

  /** The last factor stays: without one the password would be alone. */
  const removePasskey = async (input: Input, by: Asker): Promise<object> => {
    const { id } = passkeyAt(sessionsOf.person(by), input)
    await credentialsChanged(
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
    return personResource.view(sessionsOf.person(by))
  }

  return {
    'me show': show,
    'me update': update,
    'me confirm-email': confirmEmail,
    'me password': changePassword,
    'me totp': newTotp,
    'me totp-confirm': confirmTotp,
    'me recovery-codes': newRecoveryCodes,
    'me passkey-options': passkeyOptions,
    'me add-passkey': addPasskey,
    'me rename-passkey': renamePasskey,
    'me remove-passkey': removePasskey,
  }
}
