import { chmodSync, copyFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { startNatsServers } from '../nats/servers.ts'
import { documentedMetrics } from '../observability/documented.ts'
import {
  caller,
  metricsPage,
  newDataDir,
  newMerchant,
  oneWorker,
  refusedStart,
  type Service,
  startService,
  until,
} from './service.ts'

/** A merchant's server that answers when the test says so. */
const startHeldReceiver = async (t: Test) => {
  const held: ServerResponse[] = []
  let arrived: () => void = () => undefined
  const server = createServer((request, response) => {
    request.resume()
    held.push(response)
    arrived()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()))
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  /** The oldest request, or the next one. */
  const answer = async (status: number): Promise<void> => {
    while (held.length === 0) {
      await new Promise<void>((resolve) => {
        arrived = resolve
      })
    }
    held.shift()!.writeHead(status).end()
  }
  return { url, answer }
}

const states = ['waiting', 'held', 'in_flight', 'unrecorded', 'retrying']

const deliveriesOf = async (service: Service) =>
  Object.fromEntries(
    await Promise.all(
      states.map(async (state) => [
        state,
        await service.metric('payments_webhook_deliveries', `state="${state}"`),
      ]),
    ),
  )

const becomes = (service: Service, wanted: object) =>
  until(async () => {
    const found = await deliveriesOf(service)
    return Object.entries(wanted).every(([state, count]) => found[state] === count)
  })

t.test('deliveries that are not finished are counted by what they wait for', async (t) => {
  const service = await startService(t)
  const { company, call } = await newMerchant(service)
  const { url, answer } = await startHeldReceiver(t)
  await service.operate('webhooks create', { company: company.id, environment: 'sandbox', url })
  const none = { waiting: 0, held: 0, in_flight: 0, unrecorded: 0, retrying: 0 }
  t.strictSame(await deliveriesOf(service), none)
  for (let n = 0; n < 3; n++) await call('POST', '/v1/pix/charges', { amount: 100 })
  // Two events of each charge; a stranger has two slots.
  await becomes(service, { ...none, in_flight: 2, waiting: 1, held: 3 })
  await answer(500)
  await answer(500)
  await becomes(service, { ...none, in_flight: 3, waiting: 0, held: 1, retrying: 2 })
  for (let n = 0; n < 3; n++) await answer(200)
  await becomes(service, { ...none, in_flight: 1, retrying: 2 })
  await answer(200)
  await becomes(service, { ...none, retrying: 2 })
  t.equal(await service.metric('payments_events_published_total'), 6)
  t.equal(await service.metric('payments_webhook_attempts_total', 'outcome="500"'), 2)

  await service.kill('SIGTERM')
  const again = await startService(t, { dataDir: service.dataDir, env: oneWorker })
  t.strictSame(await deliveriesOf(again), { ...none, retrying: 2 }, 'also of another life')
})

t.test('a token of its own reads the metrics, and nothing else', async (t) => {
  const dataDir = newDataDir(t)
  const file = join(dataDir, 'metrics.token')
  const [first, second] = ['first-token-of-prometheus', 'second-token-of-prometheus']
  writeFileSync(file, `${first}\n`, { mode: 0o600 })
  const { operate } = await startService(t, { dataDir, env: { ...oneWorker, METRICS_TOKEN_FILE: file } })
  const { port } = JSON.parse(readFileSync(join(dataDir, 'admin.json'), 'utf8'))
  const ask = async (path: string, token: string, method = 'GET') =>
    (
      await fetch(`http://127.0.0.1:${port}${path}`, {
        method,
        headers: { Authorization: `Bearer ${token}` },
      })
    ).status
  t.equal(await ask('/metrics', first), 200)
  t.equal(await ask('/companies/list', first, 'POST'), 403)
  t.equal(await ask('/metrics', second), 401)
  t.equal(await ask('/metrics', ''), 401)
  writeFileSync(file, second)
  t.equal(await ask('/metrics', second), 200, 'a file that was replaced holds at once')
  t.equal(await ask('/metrics', first), 401)
  rmSync(file)
  t.equal(await ask('/metrics', second), 401)
  t.strictSame((await operate('companies list', {})).data, [], 'operators go on')

  writeFileSync(file, second, { mode: 0o644 })
  const refused = await refusedStart({ DATA_DIR: newDataDir(t), METRICS_TOKEN_FILE: file })
  t.match(refused, {
    code: 1,
    output: /metrics\.token can be read by every user of this machine: chmod o-rwx/,
  })
  writeFileSync(file, 'short')
  chmodSync(file, 0o600)
  const empty = await refusedStart({ DATA_DIR: newDataDir(t), METRICS_TOKEN_FILE: file })
  t.match(empty, { code: 1, output: /METRICS_TOKEN_FILE does not hold a token: it needs 16 printable/ })
})

t.test('in a cluster a charge counts at the node that decided it, and nowhere else', async (t) => {
  const servers = await startNatsServers(1)
  t.teardown(servers.stop)
  const env = { NATS_URL: servers.url, CLUSTER: 'test', CLUSTER_REPLICAS: '1' }
  const a = await startService(t, { env: { ...oneWorker, ...env, NODE_ID: 'a', SHARDS: '4' } })
  const dataDir = newDataDir(t)
  copyFileSync(join(a.dataDir, 'master.key'), join(dataDir, 'master.key'))
  const b = await startService(t, { dataDir, env: { ...oneWorker, ...env, NODE_ID: 'b' } })
  const owned = (node: Service) => node.metric('payments_shard_owned')
  await until(async () => (await owned(a)) === 2 && (await owned(b)) === 2)
  const secrets: string[] = []
  for (let n = 0; n < 20; n++) secrets.push((await newMerchant(a)).key.secret)
  let rounds = 0
  /** One charge of each company, repeated with its key until it is acknowledged. */
  const charge = async (node: Service) => {
    const headers = { 'Idempotency-Key': `round-${++rounds}` }
    for (const secret of secrets) {
      const call = caller(node.origin, secret)
      await until(
        async () => (await call('POST', '/v1/pix/charges', { amount: 100 }, headers)).status === 201,
      )
    }
  }
  const created = (node: Service) => node.metric('payments_charges_total', 'status="CREATED"')
  await charge(a)
  const [atA, atB] = [(await created(a)) ?? 0, (await created(b)) ?? 0]
  t.equal(atA + atB, secrets.length)
  t.ok(atA > 0 && atB > 0, 'each decided some')
  await charge(b)
  t.equal(((await created(a)) ?? 0) + ((await created(b)) ?? 0), 2 * secrets.length)

  const before = await created(b)
  await a.kill('SIGKILL')
  await until(async () => (await owned(b)) === 4)
  t.equal(await created(b), before, 'who takes over a shard counts nothing of what it replays')
  await charge(b)
  t.equal(await created(b), before! + secrets.length)

  const page = await metricsPage(b.dataDir)
  t.strictSame(
    [...documentedMetrics()].sort(),
    [...page.matchAll(/^# HELP (\w+)/gm)].map(([, name]) => name).sort(),
    'the documentation lists every metric',
  )
})
