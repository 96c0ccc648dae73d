import { join } from 'node:path'
import type { DirectoryFact } from '../../engine/companies/directory.ts'
import type { Roles } from '../../engine/people/permission.ts'
import type { SessionFact } from '../../engine/people/session.ts'
import { type CompanyId, type Environment, type InvitationId, newId } from '../../engine/shared/ids.ts'
import { systemEntropy } from '../../gateway/base/entropy.ts'
import { seal } from '../../gateway/base/seal.ts'
import { csrfTokenOf, sessionKeysOf, setCookieOf, tokenHash } from '../../gateway/identity/session-cookie.ts'
import { base32Of } from '../../gateway/identity/totp.ts'
import { totpOwner } from '../../gateway/operations/people/second-factor.ts'
import { openSessionLog } from '../../persistence/journal/session-log.ts'
import { aMember } from '../engine/companies/entries.ts'
import { newAuthenticator } from './authenticator.ts'
import { authenticatorApp } from './person.ts'
import type { Prepared } from './prepared.ts'
import { type Call, caller, type Scope, type Service, startService } from './service.ts'

const entropy = systemEntropy()

export type DirectMember = {
  readonly personId: string
  readonly call: Call
  readonly headers: Headers
  /** The header with the passkey's signature of exactly this request, good for once. */
  readonly confirmation: (verb: string, path: string, body: unknown, more?: Headers) => Promise<Headers>
  readonly authenticator: Authenticator
  /** A code of the member's app that was not used before; there are three. */
  readonly code: () => string
  /** The headers of a second browser in which the member is signed in. */
  readonly otherBrowser: Headers
  /** The headers of the member's browser, which has last been used at that time; with another secret after a factor was given. */
  readonly headersAt: (usedAtMs: number, secret?: string) => Headers
}
type Headers = Readonly<Record<string, string>>
type Authenticator = ReturnType<typeof newAuthenticator>

/** Has the member's passkey confirm the request. */
export const secondFactor: Headers = { 'Service-Second-Factor': 'passkey' }

/** Where passkeys belong to, whatever port the service has. */
export const publicUrl = 'https://pay.example.com'

/** A person of a company. */
export type MemberPlan = {
  readonly companyId: string
  readonly roles: Roles
  readonly environment?: Environment
  /** From now on; by default 8 hours. */
  readonly endsInMs?: number
  /** When the session was last used, and its factor given; by default just now. */
  readonly usedMsAgo?: number
  readonly factorMsAgo?: number
  /** Other companies that the member works for. */
  readonly alsoIn?: readonly string[]
  /** Whether the member has an authenticator app beside the passkey. */
  readonly hasApp?: boolean
  /** Whether the member is signed in at a second browser. */
  readonly hasOtherBrowser?: boolean
}

/**
 * Makes people who are members of a company and signed in, and starts the service for which the directory was prepared.
 */
export const signInDirectly = async (
  t: Scope,
  prepared: Prepared,
  members: readonly MemberPlan[],
  options: Parameters<typeof startService>[1] = {},
): Promise<{ readonly service: Service; readonly members: readonly DirectMember[] }> => {
  const { dataDir, masterKey, append } = prepared
  const nowMs = Date.now()
  const keys = sessionKeysOf(masterKey)
  const opened: SessionFact[] = []
  const made: Omit<DirectMember, 'call' | 'confirmation'>[] = []
  for (const {
    companyId,
    roles,
    environment = 'SANDBOX',
    endsInMs = 8 * 3_600_000,
    usedMsAgo = 0,
    factorMsAgo = 0,
    alsoIn = [],
    hasApp = false,
    hasOtherBrowser = false,
  } of members) {
    const personId = newId('per', nowMs, entropy)
    const facts = aMember(companyId as CompanyId, personId, newId('mbr', nowMs, entropy), roles)
    facts.forEach(append)
    for (const other of alsoIn) {
      const id = newId('ivt', nowMs, entropy)
      for (const fact of aMember(other as CompanyId, personId, newId('mbr', nowMs, entropy), roles))
        append(ofKnown(fact, id))
    }
    const appSecret = Buffer.from(Array.from({ length: 20 }, () => entropy() & 255))
    const authenticator = newAuthenticator(publicUrl)
    const passkey = {
      ...authenticator.credential,
      id: newId('psk', nowMs, entropy),
      name: 'Test',
      createdAtMs: 0,
    }
    append({
      type: 'PersonChanged',
      id: personId,
      changes: {
        passkeys: [passkey],
        ...(hasApp && {
          sealedTotpSecret: seal(appSecret.toString('base64url'), masterKey, totpOwner(personId)),
        }),
      },
      atMs: nowMs,
    })
    const openSession = (): DirectMember['headersAt'] => {
      const secret = Buffer.from(Array.from({ length: 32 }, () => entropy() & 255)).toString('base64url')
      const sessionId = newId('ses', nowMs, entropy)
      opened.push({
        type: 'SessionOpened',
        session: {
          id: sessionId,
          personId,
          secretHash: tokenHash(secret),
          stage: 'FULL',
          factorAtMs: nowMs - factorMsAgo,
          sealedPendingTotp: null,
          pendingTotpStep: 0,
          credentialGeneration: 0,
          ip: '127.0.0.1',
          userAgent: 'test',
          createdAtMs: nowMs,
          endsAtMs: nowMs + endsInMs,
        },
      })
      return (usedAtMs, newer = secret) => ({
        Cookie: setCookieOf(newer, usedAtMs, keys).split(';')[0]!,
        'Sec-Fetch-Site': 'same-origin',
        'Service-CSRF': csrfTokenOf(sessionId, keys),
        'Service-Company': companyId,
        'Service-Environment': environment,
      })
    }
    const headersAt = openSession()
    const headers = headersAt(nowMs - usedMsAgo)
    made.push({
      personId,
      authenticator,
      headers,
      headersAt,
      code: authenticatorApp(base32Of(appSecret)),
      otherBrowser: hasOtherBrowser ? openSession()(nowMs - usedMsAgo) : headers,
    })
  }
  await prepared.close()
  await storeSessions(dataDir, opened)
  const env = { PUBLIC_URL: publicUrl, ...options.env }
  const service = await startService(t, { ...options, env, dataDir })
  // Accounts open behind the start; an update waits for them.
  await Promise.all(prepared.companyIds().map((id) => service.operate('companies update', { id })))
  return {
    service,
    members: made.map((member) => {
      const { headers, authenticator } = member
      const call = caller(service.origin, '')
      const confirmation: DirectMember['confirmation'] = async (verb, path, body, more = {}) => {
        const { 'Service-Second-Factor': _, 'Idempotency-Key': __, ...place } = more
        const challenge = await call(
          'POST',
          '/v1/session/challenge',
          { verb, path, body: body ?? {} },
          { ...headers, ...place },
        )
        const assertion = challenge.status === 200 ? authenticator.get(challenge.body) : {}
        const text = Buffer.from(JSON.stringify(assertion)).toString('base64url')
        return { 'Service-Second-Factor': `passkey ${text}` }
      }
      return {
        ...member,
        confirmation,
        call: async (verb, path, body, more = {}) =>
          call(verb, path, body, {
            ...headers,
            ...more,
            ...(more['Service-Second-Factor'] === 'passkey' && (await confirmation(verb, path, body, more))),
          }),
      }
    }),
  }
}

const storeSessions = async (dataDir: string, facts: readonly SessionFact[]): Promise<void> => {
  const sessions = await openSessionLog(join(dataDir, 'sessions'), Date.now(), (error) => {
    throw error
  })
  sessions.follow(async () => undefined)
  await sessions.append(() => facts)
  await sessions.close()
}

/** The fact of another invitation, accepted by a person who is known. */
const ofKnown = (fact: DirectoryFact, id: InvitationId): DirectoryFact => {
  if (fact.type === 'InvitationCreated') return { ...fact, invitation: { ...fact.invitation, id } }
  return fact.type === 'InvitationAccepted' ? { ...fact, id, person: null } : fact
}
