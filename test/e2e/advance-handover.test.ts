import { join } from 'node:path'
import t, { type Test } from 'tap'
import { startNatsServers } from '../nats/servers.ts'
import { arrived, clockOf } from './billing/shop.ts'
import { everyRow } from './rows.ts'
import {
  type Call,
  caller,
  moveShard,
  newMerchant,
  posted,
  type Service,
  startService,
  until,
} from './service.ts'

const weeks = 52
const subscriptions = 60
const hourMs = 3_600_000
const weekMs = 7 * 24 * hourMs

const startCluster = async (t: Test) => {
  const servers = await startNatsServers(1)
  t.teardown(servers.stop)
  const env = (node: string) => ({
    NATS_URL: servers.url,
    CLUSTER: 'test',
    CLUSTER_REPLICAS: '1',
    NODE_ID: node,
    RATE_LIMIT: '0',
  })
  const a = await startService(t, { env: { ...env('a'), SHARDS: '1', WORKERS: '1' } })
  const MASTER_KEY_FILE = join(a.dataDir, 'master.key')
  const b = await startService(t, { env: { ...env('b'), WORKERS: '1', MASTER_KEY_FILE } })
  return { a, b }
}

/** A company whose customers are billed by card every week. */
const openShop = async (service: Service) => {
  const { key, call } = await newMerchant(service, {
    scopes: 'charges.create,charges.read,transactions.read,subscriptions.read,subscriptions.manage',
  })
  const plan = { name: 'Weekly', amount: 1990, interval: 'WEEK', methods: ['CREDIT_CARD'] }
  const { id: planId } = await posted(call, '/v1/plans', plan)
  const card = { token: 'tok_test_approved', brand: 'VISA', last4: '4242' }
  for (let n = 0; n < subscriptions; n++) {
    const customer = { name: `Customer ${n}` }
    await posted(call, '/v1/subscriptions', { planId, method: 'CREDIT_CARD', customer, card })
  }
  return key.secret as string
}

const ownerIs = (service: Service, node: string): Promise<void> =>
  until(async () => (await service.operate('cluster status', {})).shards[0].owner === node)

/** Each subscription has one paid invoice for each week, and one charge for each invoice. */
const billedOnce = async (t: Test, call: Call): Promise<void> => {
  const invoices = await everyRow(call, '/v1/invoices')
  const cycles = invoices.map(({ subscriptionId, cycle, status }) => `${subscriptionId} ${cycle} ${status}`)
  t.equal(new Set(cycles).size, subscriptions * (weeks + 1), 'nobody is forgotten')
  t.equal(invoices.length, subscriptions * (weeks + 1), 'nobody is billed twice')
  t.ok(invoices.every(({ status }) => status === 'PAID'))
  const charges = await everyRow(call, '/v1/transactions')
  t.equal(charges.length, invoices.length)
}

t.setTimeout(180_000)

t.test('a clock goes on at the next owner of its shard, handed over or taken over', async (t) => {
  const { a, b } = await startCluster(t)
  await moveShard(a, 0, 'a')
  await ownerIs(a, 'a')
  const secret = await openShop(a)
  const [atA, atB] = [caller(a.origin, secret), caller(b.origin, secret)]
  const { nowMs: startMs } = await clockOf(atA)
  // Jobs run at 06:00 of their day, whatever the hour of this start.
  const toMs = startMs + weeks * weekMs + 12 * hourMs
  const hasCome = (call: Call, share: number): Promise<void> =>
    until(async () => (await clockOf(call)).nowMs >= startMs + share * (toMs - startMs))

  const to = new Date(toMs).toISOString()
  const advance = atB('POST', '/v1/sandbox/clock/advance', { to })
  await hasCome(atA, 0.02)
  t.match(await clockOf(atA), { status: 'ADVANCING', targetMs: toMs })
  await moveShard(a, 0, 'b')
  t.match(
    await advance,
    { status: 202, body: { status: 'ADVANCING', target: to } },
    'it hears that it goes on',
  )
  t.match(await clockOf(atA), { status: 'ADVANCING', targetMs: toMs })
  const again = await atA('POST', '/v1/sandbox/clock/advance', { by: 'P1Y' })
  t.match(again, { status: 409, body: { code: 'INVALID_STATE' } })

  await hasCome(atA, 0.3)
  t.match(await clockOf(atA), { status: 'ADVANCING', targetMs: toMs })
  await b.kill('SIGKILL')
  await ownerIs(a, 'a')
  await arrived(atA)
  t.ok((await clockOf(atA)).nowMs >= toMs)
  await billedOnce(t, atA)
})
