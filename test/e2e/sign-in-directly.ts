import { join } from 'node:path'
import type { DirectoryEvent } from '../../engine/directory/directory.ts'
import type { Roles } from '../../engine/people/permission.ts'
import { type CompanyId, type Environment, newId } from '../../engine/shared/ids.ts'
import { systemEntropy } from '../../gateway/entropy.ts'
import { csrfTokenOf, sessionKeysOf, setCookieOf, tokenHash } from '../../gateway/people/session-cookie.ts'
import { openFactLog } from '../../persistence/journal/fact-log.ts'
import { openSessionLog } from '../../persistence/journal/session-log.ts'
import { readMasterKey } from '../../persistence/master-key.ts'
import { type Call, caller, type Scope, type Service, startService } from './service.ts'

const entropy = systemEntropy()

export type DirectMember = { readonly personId: string; readonly call: Call; readonly headers: Headers }
type Headers = Readonly<Record<string, string>>

/**
 * Stops the service, makes people who are members of a company and signed in, and starts it again. A second factor was given just now.
 */
export const signInDirectly = async (
  t: Scope,
  service: Service,
  members: readonly {
    readonly companyId: string
    readonly roles: Roles
    readonly environment?: Environment
    /** Both from now on; by default 8 hours, and just now. */
    readonly endsInMs?: number
    readonly usedMsAgo?: number
  }[],
  options: Parameters<typeof startService>[1] = {},
): Promise<{ readonly service: Service; readonly members: readonly DirectMember[] }> => {
  await service.kill('SIGTERM')
  const { dataDir } = service
  const nowMs = Date.now()
  const keys = sessionKeysOf(readMasterKey(join(dataDir, 'master.key'))!)
  const directory = openFactLog<DirectoryEvent>(join(dataDir, 'directory'))
  directory.follow(async () => undefined)
  const sessions = await openSessionLog(join(dataDir, 'sessions'), nowMs, (error) => {
    throw error
  })
  sessions.follow(async () => undefined)
  const made: { personId: string; headers: Headers }[] = []
  for (const {
    companyId,
    roles,
    environment = 'SANDBOX',
    endsInMs = 8 * 3_600_000,
    usedMsAgo = 0,
  } of members) {
    const personId = newId('per', nowMs, entropy)
    const invitationId = newId('ivt', nowMs, entropy)
    const email = `${personId.toLowerCase()}@example.com`
    const of = { companyId: companyId as CompanyId, roles, createdAtMs: nowMs }
    const facts: DirectoryEvent[] = [
      {
        type: 'InvitationCreated',
        invitation: {
          ...of,
          id: invitationId,
          email,
          name: 'Ana Souza',
          tokenHash: '',
          invitedBy: null,
          expiresAtMs: nowMs + 1000,
          status: 'OPEN',
        },
        atMs: nowMs,
      },
      {
        type: 'InvitationAccepted',
        id: invitationId,
        person: {
          id: personId,
          email,
          name: 'Ana Souza',
          language: 'pt',
          theme: 'SYSTEM',
          passwordHash: null,
          sealedTotpSecret: 'sealed',
          recoveryCodeHashes: [],
          passkeys: [],
          factorFrozenUntilMs: null,
          createdAtMs: nowMs,
          updatedAtMs: nowMs,
        },
        membership: { ...of, id: newId('mbr', nowMs, entropy), personId, removedAtMs: null },
        atMs: nowMs,
      },
    ]
    for (const fact of facts) await directory.append(() => fact)
    const secret = Buffer.from(Array.from({ length: 32 }, () => entropy() & 255)).toString('base64url')
    const sessionId = newId('ses', nowMs, entropy)
    await sessions.append(() => [
      {
        type: 'SessionOpened',
        session: {
          id: sessionId,
          personId,
          secretHash: tokenHash(secret),
          stage: 'FULL',
          factorAtMs: nowMs,
          sealedPendingTotp: null,
          ip: '127.0.0.1',
          userAgent: 'test',
          createdAtMs: nowMs,
          endsAtMs: nowMs + endsInMs,
        },
      },
    ])
    made.push({
      personId,
      headers: {
        Cookie: setCookieOf(secret, nowMs - usedMsAgo, keys).split(';')[0]!,
        'Sec-Fetch-Site': 'same-origin',
        'Service-CSRF': csrfTokenOf(sessionId, keys),
        'Service-Company': companyId,
        'Service-Environment': environment,
      },
    })
  }
  await directory.close()
  await sessions.close()
  const restarted = await startService(t, { ...options, dataDir })
  return {
    service: restarted,
    members: made.map(({ personId, headers }) => {
      const call = caller(restarted.origin, '')
      return {
        personId,
        headers,
        call: (verb, path, body, more = {}) => call(verb, path, body, { ...headers, ...more }),
      }
    }),
  }
}
