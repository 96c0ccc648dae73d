import { randomBytes } from 'node:crypto'
import { evolveDirectory, newDirectory } from '../../../../engine/companies/evolve.ts'
import { evolveSessions, newSessions } from '../../../../engine/people/evolve.ts'
import type { Roles } from '../../../../engine/people/permission.ts'
import { type Person, personByEmail } from '../../../../engine/people/person.ts'
import type { CompanyId, Environment, SessionId } from '../../../../engine/shared/ids.ts'
import { type Asker, operatorAsks } from '../../../../gateway/identity/asked.ts'
import type { Passkeys } from '../../../../gateway/identity/passkeys.ts'
import { openPersonalTexts, sealedKeyIn } from '../../../../gateway/identity/personal-texts.ts'
import { openCookieReader, sessionKeysOf, tokenHash } from '../../../../gateway/identity/session-cookie.ts'
import { codeAt } from '../../../../gateway/identity/totp.ts'
import type { MailText } from '../../../../gateway/mail/texts.ts'
import { companyOperations } from '../../../../gateway/operations/account/company-operations.ts'
import { openPeople } from '../../../../gateway/operations/people/people-operations.ts'
import type { PeopleOptions } from '../../../../gateway/operations/people/people-options.ts'
import { totpSecretOf } from '../../../../gateway/operations/people/second-factor.ts'
import { openAuditActs } from '../../../../gateway/trail/audit-acts.ts'
import { fromBase32 } from '../../../e2e/person.ts'
import { seeded } from '../../../engine/world.ts'

/** The operations of people over registers in memory, with a clock that the test moves and passwords that cost nothing. */
export const openDesk = () => {
  const masterKey = randomBytes(32)
  const keys = sessionKeysOf(masterKey)
  const directory = newDirectory()
  const sessions = newSessions()
  const personal = openPersonalTexts(masterKey, sealedKeyIn(directory))
  const mails: { readonly to: string; readonly text: MailText }[] = []
  let nowMs = Date.parse('2026-11-23T12:00:00Z')
  const realNow = (): number => nowMs
  const passkeys: Passkeys = {
    areOffered: () => true,
    registrationOptions: async (_, challenge) => ({ challenge }),
    register: async (response) => ({
      credentialId: (response as { readonly id: string }).id,
      publicKey: 'key',
      counter: 0,
      isSynced: false,
      transports: [],
    }),
    assertionOptions: async (challenge) => ({ challenge }),
    verify: async (response) => ({
      counter: 0,
      isSynced: false,
      ...(response as { readonly counter?: number; readonly isSynced?: boolean }),
    }),
  }
  const commit = async (decide: () => any): Promise<void> => {
    const fact = decide()
    if (fact !== null) evolveDirectory(directory, fact)
  }
  let losesSessionFacts = false
  let whileComparing = async (): Promise<unknown> => undefined
  const record: PeopleOptions['record'] = async (decide) => {
    // As after a crash between the two logs.
    if (
      losesSessionFacts &&
      (decide() ?? []).some(({ type }) => type === 'SessionsEnded' || type === 'LinkUsed')
    )
      throw new Error('the process has ended')
    for (const fact of decide() ?? []) evolveSessions(sessions, fact)
  }
  const entropy = seeded(1)
  const acts = openAuditActs({ directory, personal, sessions, record, realNow, onTrouble: () => undefined })
  const people = openPeople({
    directory,
    commit,
    sessions,
    record,
    catchUp: async () => undefined,
    act: acts.done,
    refused: acts.refusedOf,
    realNow,
    entropy,
    randomBytes,
    masterKey,
    personal,
    keys,
    hasher: {
      hash: async (password) => `hash of ${password}`,
      isRight: async (password, stored) => {
        const isRight = stored === `hash of ${password}`
        await whileComparing()
        return isRight
      },
      isOutdated: () => false,
    },
    passkeys,
    origin: () => 'https://pay.example.com',
    mail: (to, _, text) => {
      mails.push({ to, text })
      return { type: 'MailDone', id: 'sent' }
    },
    sendsMail: true,
  })
  const companies = companyOperations({
    directory,
    commit,
    accounts: { open: async () => true },
    realNow,
    entropy,
    masterKey,
    randomBytes,
  })

  const operate = (name: string, input: object = {}, by: Partial<Asker> = operatorAsks): Promise<any> =>
    Promise.resolve().then(() =>
      people.operations[name]!(input as Record<string, unknown>, { ...operatorAsks, ...by }),
    )

  /** The asker of a session that an operation answered with its cookie. */
  const askerOf = (
    { setCookie }: { readonly setCookie: string },
    more: Partial<Asker> = {},
  ): Partial<Asker> => {
    const { secret } = openCookieReader(keys)(setCookie.split(';')[0])!
    const session = sessions.bySecret.get(tokenHash(secret))!
    return {
      kind: 'PERSON',
      personId: session.personId,
      sessionId: session.id as SessionId,
      ip: '192.0.2.1',
      userAgent: 'Test',
      ...more,
    }
  }

  const stranger: Partial<Asker> = { kind: 'STRANGER', ip: '192.0.2.1', userAgent: 'Test' }

  const codeOf = (person: Person): string => {
    const secret = totpSecretOf(
      directory.people.persons.get(person.id)!.sealedTotpSecret!,
      person.id,
      masterKey,
    )
    const step = Math.max(Math.floor(nowMs / 30_000), (sessions.spentSteps.get(person.id) ?? 0) + 1)
    return codeAt(secret, step)
  }

  /** One who asks with a code for this very operation. */
  const withCode = ({ by, person }: { readonly by: Partial<Asker>; readonly person: Person }) => ({
    ...by,
    secondFactor: `totp ${codeOf(person)}`,
  })

  /** Accepts the invitation that was mailed to an address last, and adds an authenticator app. */
  const join = async (email: string) => {
    const half = await operate(
      'invitations accept',
      { token: tokenOf(mails, email), name: email.split('@')[0], password: `${email} tem senha` },
      stranger,
    )
    const by = askerOf(half)
    const { secret } = await operate('me totp', {}, by)
    const step = Math.floor(nowMs / 30_000)
    const done = await operate('me totp-confirm', { code: codeAt(fromBase32(secret), step) }, by)
    return {
      by: askerOf(done),
      person: personByEmail(directory.people, email)!,
      codes: done.body.codes as string[],
    }
  }

  return {
    directory,
    sessions,
    personal,
    mails,
    keys,
    stranger,
    operations: people.operations,
    operate,
    confirm: people.confirm,
    askerOf,
    codeOf,
    withCode,
    join,
    passMs: (ms: number) => {
      nowMs += ms
    },
    now: realNow,
    /** What happens while a password is being compared. */
    setWhileComparing: (happens: () => Promise<unknown>) => {
      whileComparing = happens
    },
    loseSessionFacts: () => {
      losesSessionFacts = true
    },
    keepSessionFacts: () => {
      losesSessionFacts = false
    },
    newCompany: async (name = 'Loja Teste'): Promise<CompanyId> =>
      (
        (await companies['companies create']!({ name, document: '11222333000181' }, operatorAsks)) as {
          readonly id: CompanyId
        }
      ).id,
    /** Invites by an operator, and joins. */
    member: async (company: CompanyId, email: string, roles: Partial<Roles>) => {
      await operate('team invite', { company, email, roles })
      return join(email)
    },
    environment: 'PRODUCTION' as Environment,
  }
}

export const tokenOf = (
  mails: readonly { readonly to: string; readonly text: MailText }[],
  email: string,
): string => {
  const mail = mails.findLast(({ to, text }) => to === email && 'link' in text)!
  return (mail.text as { readonly link: string }).link.split('#')[1]!
}

/** The code of the refusal that a promise ends with; null if it is none. */
export const refusalOf = (asked: Promise<unknown>): Promise<string | null> =>
  asked.then(
    () => null,
    (error: { readonly code?: string }) => error.code ?? String(error),
  )
