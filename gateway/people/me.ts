import { type Passkey, type Person, type PersonChanges, personByEmail } from '../../engine/people/person.ts'
import type { SessionChanges, SessionFact } from '../../engine/people/session.ts'
import { newId } from '../../engine/shared/ids.ts'
import { type Input, lineOf, type Operations, readText } from '../admin/input.ts'
import { OperationRefusal, refuseAs } from '../admin/refusal.ts'
import { qrCodeDataUri } from '../documents/qr-code/draw.ts'
import { limits } from '../limits.ts'
import type { FactorChange } from '../mail/texts.ts'
import { personView } from '../resources/session.ts'
import { seal } from '../seal.ts'
import type { Asker } from './asked.ts'
import { type Challenges, registrationUse } from './challenges.ts'
import { linkTo } from './links.ts'
import { readAssertion } from './passkeys.ts'
import { requireGoodPassword } from './password-rules.ts'
import type { PeopleOptions } from './people-options.ts'
import { recorded } from './recording.ts'
import { invalidFactor, totpOwner, totpSecretOf } from './second-factor.ts'
import { tokenHash } from './session-cookie.ts'
import { factorMethodsOf } from './session-gate.ts'
import type { SessionsOf } from './sessions-of.ts'
import { base32Of, stepOf, totpSecretBytes, totpUri } from './totp.ts'

type Parts = {
  readonly options: PeopleOptions
  readonly sessionsOf: SessionsOf
  readonly challenges: Challenges
}

/** What a person changes about itself: name, e-mail, password and second factors (dashboard, section 2.2). */
export const meOperations = ({ options, sessionsOf, challenges }: Parts): Operations => {
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

  const show = async (_: Input, by: Asker): Promise<object> => personView(sessionsOf.person(by))

  const update = async (input: Input, by: Asker): Promise<object> => {
    const person = sessionsOf.person(by)
    const { name, language, theme } = input
    if (input.email !== undefined) await startEmailChange(person, readText(input, 'email'), by)
    const changes: PersonChanges = {
      ...(name !== undefined && { name: lineOf(name, 'name', limits.nameCharsMax) }),
      ...(language !== undefined && { language: language as Person['language'] }),
      ...(theme !== undefined && { theme: theme as Person['theme'] }),
    }
    return personView(await changed(by, person, () => changes))
  }

  /** The new address is confirmed by a link that goes there. */
  const startEmailChange = async (person: Person, text: string, by: Asker): Promise<void> => {
    const email = text.trim().toLowerCase()
    if (email === person.email) return
    sessionsOf.requireFresh(by)
    if (!options.sendsMail) refuseAs('SERVICE_UNAVAILABLE')
    const { token, fact } = linkTo(options, {
      purpose: 'EMAIL_CHANGE',
      personId: person.id,
      email: options.personal.seal(person.id, email),
    })
    const link = `${options.origin()}/painel/email#${token}`
    await options.record(() => [fact, options.mail(email, person.language, { kind: 'EMAIL_CHANGE', link })])
  }

  /** Opens the link that went to the new address. An address that another person has by then is refused as the link is. */
  const confirmEmail = async (input: Input, by: Asker): Promise<object> => {
    const hash = tokenHash(readText(input, 'token'))
    const link = await recorded(options, () => ({ facts: [], outcome: sessions.links.get(hash) }))
    const person = link && directory.people.persons.get(link.personId)
    const email = link?.email ? options.personal.open(link.email) : null
    if (
      !link ||
      !person ||
      email === null ||
      link.purpose !== 'EMAIL_CHANGE' ||
      link.expiresAtMs <= realNow()
    )
      return refuseAs('LINK_INVALID')
    await options.record(() => [
      { type: 'LinkUsed', tokenHash: hash },
      options.mail(person.email, person.language, { kind: 'EMAIL_CHANGED', email }),
    ])
    await options.commit(() => {
      const isGone = !directory.people.persons.has(person.id)
      if (isGone || personByEmail(directory.people, email) !== null) refuseAs('LINK_INVALID')
      return { type: 'PersonChanged', id: person.id, changes: { email }, atMs: realNow() }
    }, by)
    return { done: true }
  }

  /** Other sessions end with a factor or password, and the person is told by mail. */
  const told = (person: Person, what: FactorChange, by: Asker): readonly SessionFact[] => {
    const others = sessionsOf.ofPerson(person.id).flatMap(({ id }) => (id === by.sessionId ? [] : [id]))
    return [
      ...(others.length === 0 ? [] : [{ type: 'SessionsEnded', ids: others } as const]),
      options.mail(person.email, person.language, { kind: 'FACTOR_CHANGED', what }),
    ]
  }

  const renewedWith = async (
    by: Asker,
    changes: SessionChanges,
    follows: () => readonly SessionFact[],
  ): Promise<string> => {
    const opened = sessionsOf.renew(sessionsOf.current(by), changes)
    await options.record(() => [...opened.facts, ...follows()])
    return sessionsOf.answer(opened).setCookie
  }

  const changePassword = async (input: Input, by: Asker): Promise<object> => {
    const person = sessionsOf.person(by)
    const current = typeof input.current === 'string' ? input.current : ''
    const isRight = person.passwordHash === null || (await hasher.isRight(current, person.passwordHash))
    if (!isRight) refuseAs('PASSWORD_WRONG')
    const password = readText(input, 'new')
    await requireGoodPassword(password, namesOf(person))
    const passwordHash = await hasher.hash(password)
    await changed(by, person, () => ({ passwordHash }))
    const setCookie = await renewedWith(by, {}, () => told(person, 'PASSWORD', by))
    return { setCookie, body: { done: true } }
  }

  const namesOf = ({ name, email, id }: Person): readonly string[] => [
    name,
    email,
    ...[...directory.people.memberships.values()]
      .filter(({ personId }) => personId === id)
      .map(({ companyId }) => directory.companies.get(companyId)!.name),
  ]

  const newTotp = async (_: Input, by: Asker): Promise<object> => {
    sessionsOf.requireFresh(by)
    const person = sessionsOf.person(by)
    const secret = randomBytes(totpSecretBytes)
    const sealedPendingTotp = seal(secret.toString('base64url'), masterKey, totpOwner(person.id))
    const { id } = sessionsOf.current(by)
    await options.record(() => [{ type: 'SessionChanged', id, changes: { sealedPendingTotp } }])
    const uri = totpUri(secret, person.email, new URL(options.origin()).hostname)
    return { secret: base32Of(secret), uri, qrCode: qrCodeDataUri(uri) }
  }

  /** The first code proves that the app has the secret. It is spent like any other, before anything follows from it. */
  const confirmTotp = async (input: Input, by: Asker): Promise<object> => {
    const person = sessionsOf.person(by)
    const code = readText(input, 'code')
    const sealedTotpSecret = await recorded(options, () => {
      const { sealedPendingTotp } = sessionsOf.current(by)
      if (sealedPendingTotp === null) return refuseAs('INVALID_STATE')
      const secret = totpSecretOf(sealedPendingTotp, person.id, masterKey)
      const step = stepOf(secret, code, realNow(), sessions.spentSteps.get(person.id) ?? 0)
      if (step === null || step === 'USED') throw invalidFactor(step ?? 'WRONG')
      return { facts: [{ type: 'CodeSpent', personId: person.id, step }], outcome: sealedPendingTotp }
    })
    const { codes, hashes } = newCodes()
    await changed(by, person, () => ({ sealedTotpSecret, recoveryCodeHashes: hashes }))
    const setCookie = await renewedWith(
      by,
      { stage: 'FULL', factorAtMs: realNow(), sealedPendingTotp: null },
      () => told(person, 'TOTP', by),
    )
    return { setCookie, body: { codes } }
  }

  const newCodes = () => {
    const codes = Array.from({ length: 10 }, () => base32Of(randomBytes(15)))
    return { codes, hashes: codes.map(tokenHash) }
  }

  const newRecoveryCodes = async (_: Input, by: Asker): Promise<object> => {
    const person = sessionsOf.person(by)
    const { codes, hashes } = newCodes()
    await changed(by, person, () => ({ recoveryCodeHashes: hashes }))
    await options.record(() => [
      options.mail(person.email, person.language, { kind: 'FACTOR_CHANGED', what: 'RECOVERY_CODES' }),
    ])
    return { codes }
  }

  const passkeyOptions = async (_: Input, by: Asker): Promise<object> => {
    sessionsOf.requireFresh(by)
    const person = sessionsOf.person(by)
    if (!options.passkeys.areOffered()) refuseAs('INVALID_STATE')
    if (person.passkeys.length >= limits.passkeysMax) refuseAs('INVALID_STATE')
    const use = registrationUse(person.id, sessionsOf.current(by).id)
    return options.passkeys.registrationOptions(person, await challenges.issue(use))
  }

  const addPasskey = async (input: Input, by: Asker): Promise<object> => {
    sessionsOf.requireFresh(by)
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
    const now = await changed(by, person, ({ passkeys }) => ({
      passkeys: [...passkeys, passkey],
      ...(isFirst && { recoveryCodeHashes: hashes }),
    }))
    const setCookie = await renewedWith(by, { stage: 'FULL', factorAtMs: atMs }, () =>
      told(person, 'PASSKEY_ADDED', by),
    )
    return { setCookie, body: { person: personView(now), codes: isFirst ? codes : [] } }
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
    return personView(now)
  }

  /** The last factor stays: without one the password would be alone. */
  const removePasskey = async (input: Input, by: Asker): Promise<object> => {
    const person = sessionsOf.person(by)
    const { id } = passkeyAt(person, input)
    const now = await changed(by, person, ({ passkeys, sealedTotpSecret }) => {
      const others = passkeys.filter((passkey) => passkey.id !== id)
      if (others.length === 0 && sealedTotpSecret === null)
        throw new OperationRefusal((say) => say.operations.lastFactor())
      return { passkeys: others }
    })
    await options.record(() => told(person, 'PASSKEY_REMOVED', by))
    return personView(now)
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
