import t from 'tap'
import {
  type CompanyConnection,
  holderOfPlace,
  isUnapplied,
  railConnectionIn,
} from '../../../engine/companies/connection.ts'
import type { DirectoryFact } from '../../../engine/companies/directory.ts'
import { evolveDirectory, newDirectory } from '../../../engine/companies/evolve.ts'
import { directoryFactVersions } from '../../../persistence/codec/fact-versions.ts'
import { connectionIdOf } from '../connections/live.ts'
import { aCompany } from './entries.ts'

const [id, other] = [connectionIdOf(1), connectionIdOf(2)]

const aConnection = (change: Partial<CompanyConnection> = {}): CompanyConnection => ({
  id,
  companyId: aCompany().id,
  environment: 'PRODUCTION',
  provider: 'made-up-bank',
  rails: ['PIX'],
  offers: ['REFUND'],
  role: 'PRIMARY',
  state: 'DRAFT',
  suspension: null,
  credentials: { settings: { pixKey: 'key' }, sealed: { clientSecret: 'v2.sealed' }, certificate: null },
  former: null,
  sealedHookToken: 'v2.token',
  requested: null,
  revision: 1,
  createdAtMs: 1,
  updatedAtMs: 1,
  ...change,
})

const after = (...facts: readonly DirectoryFact[]) =>
  [{ type: 'ConnectionCreated', connection: aConnection() } as const, ...facts].reduce(
    evolveDirectory,
    newDirectory(),
  ).connections

const at = (atMs: number) => ({ id, atMs })
const verified = { type: 'ConnectionVerified', certificate: null, ...at(2) } as const
const activated = { type: 'ConnectionActivated', ...at(3) } as const

t.test('a connection goes through its states, and each change is a revision', async (t) => {
  const found = (...facts: readonly DirectoryFact[]) => after(...facts).byId.get(id)!
  t.match(found(), { state: 'DRAFT', revision: 1 })
  t.match(found(verified), { state: 'VERIFIED', revision: 2, updatedAtMs: 2 })
  t.match(found(verified, activated), { state: 'ACTIVE', revision: 3 })
  const again = {
    type: 'ConnectionVerified',
    certificate: { subject: 'CN=a', endsAtMs: 9 },
    ...at(4),
  } as const
  t.match(found(verified, activated, again), {
    state: 'ACTIVE',
    credentials: { certificate: { endsAtMs: 9 }, sealed: { clientSecret: 'v2.sealed' } },
  })
  const suspended = { type: 'ConnectionSuspended', cause: 'REQUESTED', ...at(5) } as const
  t.match(found(verified, activated, suspended), { state: 'SUSPENDED', suspension: 'REQUESTED' })
  const resumed = { type: 'ConnectionResumed', ...at(6) } as const
  t.match(found(verified, activated, suspended, resumed), { state: 'ACTIVE', suspension: null, revision: 5 })
  const retired = { type: 'ConnectionRetired', ...at(7) } as const
  t.match(found(verified, activated, suspended, retired), { state: 'RETIRED', suspension: null })
})

t.test('rotated credentials leave the former ones for a while, which can be taken back', async (t) => {
  const credentials = { settings: { pixKey: 'key' }, sealed: { clientSecret: 'v2.next' }, certificate: null }
  const rotated = { type: 'ConnectionRotated', credentials, formerUntilMs: 99, ...at(4) } as const
  const now = after(verified, activated, rotated).byId.get(id)!
  t.match(now, {
    state: 'ACTIVE',
    credentials,
    former: { sealed: { clientSecret: 'v2.sealed' }, untilMs: 99 },
  })
  const restored = after(verified, activated, rotated, { type: 'ConnectionRestored', ...at(5) }).byId.get(id)!
  t.strictSame(restored.credentials, aConnection().credentials)
  t.equal(restored.former, null)
  const expired = { type: 'ConnectionSuspended', cause: 'CERTIFICATE_EXPIRED', ...at(4) } as const
  t.match(after(verified, activated, expired, rotated).byId.get(id), { state: 'ACTIVE', suspension: null })
  const asked = { ...expired, cause: 'REQUESTED' } as const
  t.match(
    after(verified, activated, asked, rotated).byId.get(id),
    { state: 'SUSPENDED' },
    'a person decides that',
  )
  const retired = after(verified, activated, rotated, { type: 'ConnectionRetired', ...at(6) }).byId.get(id)!
  t.equal(retired.former, null)
})

t.test('the account knows nothing of a draft, and no secret ever', async (t) => {
  t.equal(railConnectionIn(after(verified).byId.get(id)!), null)
  t.strictSame(railConnectionIn(after(verified, activated).byId.get(id)!), {
    connectionId: id,
    provider: 'made-up-bank',
    rails: ['PIX'],
    role: 'PRIMARY',
    state: 'ACTIVE',
    offers: ['REFUND'],
    pixKey: 'key',
    terms: null,
    revision: 3,
  })
})

t.test('an account has to be reached until it has the newest revision', async (t) => {
  const isOpen = (...facts: readonly DirectoryFact[]) => {
    const connections = after(...facts)
    return isUnapplied(connections, connections.byId.get(id)!)
  }
  t.equal(isOpen(verified), false)
  t.equal(isOpen(verified, activated), true)
  const applied = { type: 'ConnectionApplied', revision: 3, ...at(4) } as const
  t.equal(isOpen(verified, activated, applied), false)
  t.equal(isOpen(verified, activated, applied, { type: 'ConnectionRetired', ...at(5) }), true)
})

t.test('a place is held by what is active or may be so once more', async (t) => {
  const holder = (change: Partial<CompanyConnection>) => {
    const connections = after(verified, activated, {
      type: 'ConnectionCreated',
      connection: aConnection({ id: other, ...change }),
    })
    return holderOfPlace(connections, connections.byId.get(other)!)?.id ?? null
  }
  t.equal(holder({}), id)
  t.equal(holder({ rails: ['BOLETO', 'PIX'] }), id)
  t.equal(holder({ rails: ['CARD'] }), null)
  t.equal(holder({ role: 'FALLBACK' }), null)
  t.equal(holder({ companyId: 'cmp_other' as never }), null)
})

t.test('nodes of the version before meet none of these facts', async (t) => {
  const types = [
    ...['Created', 'Verified', 'ActivationRequested', 'Activated', 'Suspended', 'Resumed'],
    ...['Rotated', 'Restored', 'Retired', 'Applied'],
  ]
  for (const type of types)
    t.equal((directoryFactVersions as Record<string, number>)[`Connection${type}`], 14, type)
})
