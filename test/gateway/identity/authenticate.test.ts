import { randomBytes } from 'node:crypto'
import t from 'tap'
import type { DirectoryFact } from '../../../engine/companies/directory.ts'
import { evolveDirectory, newDirectory } from '../../../engine/companies/evolve.ts'
import { hashSecret, newSecret } from '../../../gateway/identity/api-key.ts'
import { authenticate, newKeyring } from '../../../gateway/identity/authenticate.ts'
import { newKeyUsage } from '../../../gateway/identity/key-usage.ts'
import type { HttpRequest } from '../../../gateway/wire/transport.ts'
import { aCompany, aKey } from '../../engine/companies/entries.ts'

const company = aCompany()
const secrets = Array.from({ length: 4 }, () => newSecret('SANDBOX', randomBytes))
const keys = secrets.map((secret, n) => aKey(n + 1, { secretHash: hashSecret(secret) }))

/** A worker's directory and keyring, which learn together. */
const newWorker = (...events: readonly DirectoryFact[]) => {
  const directory = events.reduce(evolveDirectory, newDirectory())
  const keyring = newKeyring(directory)
  const usage = newKeyUsage()
  return {
    keyring,
    usage,
    learn: (event: DirectoryFact): void => {
      evolveDirectory(directory, event)
      keyring.apply(event)
    },
    who: (n: number, nowMs: number, authorization = `Bearer ${secrets[n]}`, remoteAddress = '192.0.2.1') => {
      const headers = { authorization }
      const request = { headers, repeatedHeaders: [], remoteAddress } as unknown as HttpRequest
      return authenticate(request, keyring, usage, nowMs)?.key.id ?? null
    },
  }
}

const created = { type: 'CompanyCreated', company } as const
const first = { type: 'KeyCreated', key: keys[0]! } as const
const rolled = { type: 'KeyRolled', id: keys[0]!.id, key: keys[1]!, expiresAtMs: 1000 } as const

t.test(
  'K8: both secrets work inside the overlap, only the new one from its end on, by the clock alone',
  async (t) => {
    const { learn, who } = newWorker(created, first)
    t.equal(who(0, 0), keys[0]!.id)
    t.equal(who(1, 0), null)
    learn(rolled)
    t.strictSame([who(0, 999), who(1, 999)], [keys[0]!.id, keys[1]!.id])
    t.strictSame([who(0, 1000), who(1, 1000)], [null, keys[1]!.id])
    const basic = (n: number) =>
      `Basic ${Buffer.from(`${keys[0]!.clientId}:${secrets[n]}`).toString('base64')}`
    t.equal(who(1, 1000, basic(0)), null)
  },
)

t.test('a suspended company has no key that works, and all of them when it is resumed', async (t) => {
  const { learn, who } = newWorker(created, first)
  t.equal(who(0, 4), keys[0]!.id)
  learn({ type: 'CompanySuspended', id: company.id, atMs: 5 })
  t.equal(who(0, 6), null)
  learn({ type: 'CompanyResumed', id: company.id, atMs: 7 })
  t.equal(who(0, 8), keys[0]!.id)
  learn({ type: 'KeyRevoked', id: keys[0]!.id, atMs: 9 })
  t.equal(who(0, 9), null, 'a revoked key that was known by its header')
})

t.test(
  'keys have the same places in every worker, whether it was there when they were made or not',
  async (t) => {
    const events: DirectoryFact[] = [
      created,
      first,
      { type: 'KeyCreated', key: keys[2]! },
      rolled,
      { type: 'KeyRevoked', id: keys[2]!.id, atMs: 5 },
      { type: 'KeyCreated', key: keys[3]! },
    ]
    const early = newWorker()
    for (const event of events) early.learn(event)
    const late = newWorker(...events)
    const places = ({ keyring }: typeof early) =>
      Array.from({ length: 5 }, (_, ordinal) => keyring.at(ordinal)?.key.id)
    t.strictSame(places(early), places(late))
    t.strictSame(places(early), [0, 2, 1, 3].map((n) => keys[n]!.id).concat([undefined as never]))
  },
)

t.test(
  'a key with networks is refused from elsewhere, at once when they change, and the try is noted',
  async (t) => {
    const { learn, who, usage } = newWorker(created, first)
    const from = (ip: string, nowMs: number) => who(0, nowMs, undefined, ip)
    t.equal(from('203.0.113.9', 0), keys[0]!.id)
    learn({
      type: 'KeyChanged',
      id: keys[0]!.id,
      changes: { ipAllowList: ['198.51.100.0/24', '2001:db8::/32'] },
      atMs: 1,
    })
    t.equal(from('203.0.113.9', 120_000), null)
    t.equal(from('198.51.100.7', 180_000), keys[0]!.id)
    t.equal(from('2001:db8::5', 180_000), keys[0]!.id)
    t.equal(from('', 180_000), null, 'a connection that is gone has no address')
    t.strictSame(usage.take(), [
      [0, { used: { atMs: 180_000, ip: '198.51.100.7' }, refused: { atMs: 180_000, ip: '' } }],
    ])
  },
)

t.test('uses are noted by the minute, and looked up once in each', async (t) => {
  const { keyring, usage } = newWorker(
    created,
    first,
    ...[2, 3].map((n) => ({ type: 'KeyCreated', key: keys[n]! }) as const),
  )
  let lookedUp = 0
  const request = {
    get remoteAddress() {
      lookedUp += 1
      return '192.0.2.1'
    },
  }
  for (const atMs of [60_000, 60_001, 119_999, 120_000]) usage.used(keyring.at(0)!, request, atMs)
  t.equal(lookedUp, 2)
  t.strictSame(usage.take(), [[0, { used: { atMs: 120_000, ip: '192.0.2.1' }, refused: null }]])
  t.strictSame(usage.take(), [], 'each is told once')
  usage.used({ ...keyring.at(2)!, ordinal: 1000 }, request, 120_000)
  usage.used({ ...keyring.at(2)!, ordinal: 1000 }, request, 120_001)
  t.strictSame(usage.take(), [[1000, { used: { atMs: 120_000, ip: '192.0.2.1' }, refused: null }]])
  usage.used(keyring.at(0)!, request, 130_000)
  t.strictSame(usage.take(), [], 'what was noted before the array grew is kept')
})
