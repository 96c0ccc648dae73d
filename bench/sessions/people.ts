import { join } from 'node:path'
import type { DirectoryFact } from '../../engine/companies/directory.ts'
import type { SessionFact } from '../../engine/people/session.ts'
import { type CompanyId, newId } from '../../engine/shared/ids.ts'
import { sessionKeysOf, setCookieOf, tokenHash } from '../../gateway/identity/session-cookie.ts'
import { readMasterKey } from '../../persistence/home/master-key.ts'
import { openFactLog } from '../../persistence/journal/fact-log.ts'
import { openSessionLog } from '../../persistence/journal/session-log.ts'
import { aMember } from '../../test/engine/companies/entries.ts'
import { newRandom } from '../random.ts'
import type { FreshData } from '../service.ts'
import type { Company } from '../target.ts'

/** A person who is signed in, as the owner of a company. */
export type Visitor = {
  readonly company: Company
  /** The headers that the visitor's browser sends with a read; the cookie is of this moment. */
  readonly headers: () => Readonly<Record<string, string>>
}

/** The facts in a data directory about companies, keys and people. */
export type Registers = {
  readonly facts: readonly DirectoryFact[]
  readonly sessions: readonly SessionFact[]
}

/** Signs people in by facts in a data directory whose service has ended: by hand it would take 200 passwords and codes. */
export const signInVisitors = async (
  { path, companies }: FreshData,
  count: number,
  seed: number,
): Promise<{ readonly visitors: readonly Visitor[]; readonly registers: Registers }> => {
  const random = newRandom(seed)
  const entropy = (): number => Math.floor(random() * 2 ** 32)
  const nowMs = Date.now()
  const keys = sessionKeysOf(readMasterKey(join(path, 'master.key'))!)
  const directory = openFactLog<DirectoryFact>(join(path, 'directory'))
  const facts = [...directory.follow(async (fact) => void facts.push(fact))]
  const log = await openSessionLog(join(path, 'sessions'), nowMs, (error) => {
    throw error
  })
  const sessions: SessionFact[] = []
  log.follow(async (added) => void sessions.push(...added))
  const visitors: Visitor[] = []
  for (let n = 0; n < count; n++) {
    const company = companies[n % companies.length]!
    const personId = newId('per', nowMs, entropy)
    const roles = { SANDBOX: 'OWNER', PRODUCTION: 'OWNER' } as const
    const member = aMember(company.id as CompanyId, personId, newId('mbr', nowMs, entropy), roles)
    for (const fact of member) await directory.append(() => fact)
    const secret = Buffer.from(Array.from({ length: 32 }, () => entropy() & 255)).toString('base64url')
    const session = {
      id: newId('ses', nowMs, entropy),
      personId,
      secretHash: tokenHash(secret),
      stage: 'FULL',
      factorAtMs: nowMs,
      sealedPendingTotp: null,
      pendingTotpStep: 0,
      credentialGeneration: 0,
      ip: '127.0.0.1',
      userAgent: 'bench',
      createdAtMs: nowMs,
      endsAtMs: nowMs + 8 * 3_600_000,
    } as const
    await log.append(() => [{ type: 'SessionOpened', session }])
    visitors.push({
      company,
      headers: () => ({
        Cookie: setCookieOf(secret, Date.now(), keys).split(';')[0]!,
        'Sec-Fetch-Site': 'same-origin',
        'Service-Company': company.id,
        'Service-Environment': 'SANDBOX',
      }),
    })
  }
  await directory.close()
  await log.close()
  return { visitors, registers: { facts, sessions } }
}
