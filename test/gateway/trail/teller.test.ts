import t from 'tap'
import type { CompanyConnection } from '../../../engine/companies/connection.ts'
import { evolveDirectory, newDirectory } from '../../../engine/companies/evolve.ts'
import { isoInstant } from '../../../engine/shared/calendar.ts'
import { noticeOfCertificate } from '../../../gateway/trail/connection-notices.ts'
import { openNoticeTeller } from '../../../gateway/trail/teller.ts'
import { aCompany, aKey, aMember } from '../../engine/companies/entries.ts'

const day = 86_400_000
const nowMs = Date.UTC(2026, 10, 20)
const { id: companyId } = aCompany()

/** A teller over keys that were made a hundred days ago, in front of shards that fail as often as wanted. */
const open = (failures = 0) => {
  const directory = newDirectory()
  const company = aCompany()

  const made = { companyId, createdAtMs: nowMs - 100 * day }
  for (const [n, change] of [
    [1, { expiresAtMs: nowMs + 7 * day }],
    [2, { expiresAtMs: nowMs + 7 * day + 1 }],
    [3, { expiresAtMs: null }],
    [4, { expiresAtMs: nowMs }],
    [5, { expiresAtMs: nowMs + day, revokedAtMs: nowMs - 1 }],
  ] as const)
    evolveDirectory(directory, { type: 'KeyCreated', key: aKey(n, { ...made, ...change }) } as never)
  evolveDirectory(directory, { type: 'CompanyCreated', company } as never)
  const roles = { SANDBOX: 'OWNER', PRODUCTION: 'OWNER' } as const
  for (const fact of aMember(companyId, 'per_a' as never, 'mbr_a' as never, roles))
    evolveDirectory(directory, fact)
  const raised: any[] = []
  let left = failures
  const teller = openNoticeTeller({
    directory,
    router: {
      execute: async (command: any) => {
        if (left-- > 0) throw new Error('away')
        raised.push(command)
        return { accepted: true } as never
      },
      query: async () => ({ notices: [], readers: {} }) as never,
    },
    // All but the third were used just now.
    keyUses: async () =>
      new Map(
        [...directory.keys.keys()]
          .filter((_, n) => n !== 2)
          .map((id) => [id, { used: { atMs: nowMs - day, ip: '' } }]),
      ),
    queue: async () => undefined,
    personal: { open: (text) => text },
    origin: () => 'http://localhost',
    labelOf: (provider) => `Banco ${provider}`,
    realNow: () => nowMs,
    onTrouble: () => undefined,
    pause: async () => undefined,
  })
  return { teller, raised, directory }
}

t.test('keys that end within a week or are not used are told of once', async (t) => {
  const { teller, raised } = open()
  await teller.watchKeys()
  t.match(raised, [
    { notice: { kind: 'KEY_EXPIRING', objectId: aKey(1).id } },
    { notice: { kind: 'KEY_UNUSED', objectId: aKey(3).id } },
  ])
  t.equal(raised.length, 2)
  await teller.watchKeys()
  t.equal(raised.length, 2, 'a second look tells nothing')
  const other = open()
  await other.teller.watchKeys()
  t.strictSame(
    other.raised.map(({ noticeId }) => noticeId),
    raised.map(({ noticeId }) => noticeId),
    'another node raises them under the same ids',
  )
})

t.test('people hear once that a restore has suspended a connection', async (t) => {
  const { teller, raised, directory } = open()
  const id = `con_${'7'.repeat(26)}` as CompanyConnection['id']
  const connection = {
    ...{ id, companyId, environment: 'PRODUCTION', provider: 'efi', state: 'ACTIVE', suspension: null },
    credentials: { settings: {}, sealed: {}, certificate: null },
    revision: 1,
  } as unknown as CompanyConnection
  evolveDirectory(directory, { type: 'ConnectionCreated', connection })
  await teller.watchKeys()
  const outdated = {
    type: 'ConnectionOutdated',
    id,
    state: 'SUSPENDED',
    knownRevision: 5,
    areCredentialsOlder: true,
    atMs: nowMs,
  } as const
  evolveDirectory(directory, outdated)
  await teller.watchKeys()
  await teller.watchKeys()
  evolveDirectory(directory, { type: 'ConnectionVerified', id, certificate: null, atMs: nowMs + 1 })
  await teller.watchKeys()
  const found = () => raised.filter(({ notice }) => notice.kind === 'CONNECTION_STOPPED')
  t.match(
    found().map(({ notice }) => notice),
    [{ objectId: id, personId: null, details: { provider: 'Banco efi' } }],
    'and is still to be resumed once it is verified, which is no news',
  )
  evolveDirectory(directory, { type: 'ConnectionResumed', id, atMs: nowMs + 2 })
  evolveDirectory(directory, { ...outdated, atMs: nowMs + 3 })
  await teller.watchKeys()
  t.equal(found().length, 2, 'another restore is')
})

t.test('people are reminded of a certificate that ends: 30, 14, 7 days and a day before', async (t) => {
  const endsAtMs = nowMs + 31 * day
  const connection = {
    id: `con_${'7'.repeat(26)}`,
    companyId,
    environment: 'PRODUCTION',
    provider: 'efi',
    state: 'ACTIVE',
    credentials: { settings: {}, sealed: {}, certificate: { subject: null, endsAtMs } },
  } as CompanyConnection
  const at = (daysBefore: number, change: Partial<CompanyConnection> = {}) =>
    noticeOfCertificate({ ...connection, ...change }, 'Efí', endsAtMs - daysBefore * day)
  t.equal(at(30.1), null)
  t.match(at(30), {
    id: /^ntf_[0-9A-Z]{26}$/,
    notice: {
      accountId: `${companyId}/PRODUCTION`,
      kind: 'CONNECTION_EXPIRING',
      objectId: connection.id,
      details: { provider: 'Efí', expiresAt: isoInstant(endsAtMs) },
    },
  })
  t.equal(at(15)?.id, at(30)?.id, 'once for each')
  const ids = [30, 14, 7, 1].map((days) => at(days)?.id)
  t.equal(new Set(ids).size, 4)
  t.equal(at(0.1)?.id, ids[3])
  t.equal(at(0), null, 'it has ended')
  t.equal(at(7, { state: 'RETIRED' }), null)
  t.equal(at(7, { state: 'DRAFT' }), null)
  const renewed = {
    ...connection.credentials,
    certificate: { subject: null, endsAtMs: endsAtMs + 365 * day },
  }
  t.equal(at(1, { credentials: renewed }), null, 'another one was issued')

  const { teller, raised, directory } = open()
  const due = { ...connection.credentials, certificate: { subject: null, endsAtMs: nowMs + 6 * day } }
  evolveDirectory(directory, { type: 'ConnectionCreated', connection: { ...connection, credentials: due } })
  await teller.watchKeys()
  await teller.watchKeys()
  t.match(
    raised.filter(({ notice }) => notice.kind === 'CONNECTION_EXPIRING').map(({ notice }) => notice.details),
    [{ provider: 'Banco efi' }],
  )
})

t.test('an account that is out of reach is tried again', async (t) => {
  const { teller, raised } = open(3)
  await teller.watchKeys()
  t.equal(raised.length, 2)
})
