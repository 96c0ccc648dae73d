import { readFileSync } from 'node:fs'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { eventStreamName } from '../../persistence/nats/stream-config.ts'
import { startNatsServers } from '../nats/servers.ts'
import { withManager } from '../nats/stream.ts'
import { metricsPage, newMerchant, type Service, startReceiver, startService, until } from './service.ts'

const root = join(import.meta.dirname, '../../..')

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
  const again = await startService(t, { dataDir: service.dataDir })
  t.strictSame(await deliveriesOf(again), { ...none, retrying: 2 }, 'also of another life')
})

t.test('what the consumer for webhooks has not taken is known while it is held up', async (t) => {
  const servers = await startNatsServers(1)
  t.teardown(servers.stop)
  const service = await startService(t, { env: { NATS_URL: servers.url } })
  const { company, call } = await newMerchant(service)
  const receiver = await startReceiver(t)
  await service.operate('webhooks create', { company: company.id, environment: 'sandbox', url: receiver.url })
  const pending = () => service.metric('payments_event_consumer_pending')
  await until(async () => (await pending()) === 0)
  const inAnHour = new Date(Date.now() + 3_600_000)
  await withManager(servers.url, (manager) =>
    manager.consumers.pause(eventStreamName, 'pay-deliveries', inAnHour),
  )
  for (let n = 0; n < 3; n++) await call('POST', '/v1/pix/charges', { amount: 100 })
  await until(async () => (await pending()) === 6)
  t.equal(await service.metric('payments_event_consumer_unacknowledged'), 0)
  t.equal(await service.metric('payments_outbox_lag_entries'), 0)
  t.equal(receiver.heard.length, 0)
  await withManager(servers.url, (manager) => manager.consumers.resume(eventStreamName, 'pay-deliveries'))
  await receiver.count(6)
  await until(async () => (await pending()) === 0)

  const listed = readFileSync(join(root, 'gateway/README.md'), 'utf8').matchAll(/^\| `(payments_\w+)`/gm)
  const page = await metricsPage(service.dataDir)
  t.strictSame(
    [...page.matchAll(/^# HELP (\w+)/gm)].map(([, name]) => name).sort(),
    [...listed].map(([, name]) => name).sort(),
    'the README of the gateway lists every metric',
  )
})
