import { nanos } from '@nats-io/transport-node'
import t from 'tap'
import { eventStreamName } from '../../persistence/nats/stream-config.ts'
import { startNatsServers } from '../nats/servers.ts'
import { eventsIn, withManager } from '../nats/stream.ts'
import { bothOf, repeatsIn, startOnNats, told } from './on-nats.ts'
import { newMerchant, startService, until } from './service.ts'

t.test(
  'while NATS is away requests and webhooks go on; afterwards everything is published, in order',
  async (t) => {
    const { servers, service, call, receiver, charge, streamIs } = await startOnNats(t)
    const before = await charge()
    await receiver.count(2)
    await until(async () => (await service.metric('payments_webhook_deliveries')) === 0)
    await servers.kill(0, 'SIGKILL')
    await streamIs('away')
    const during: string[] = []
    for (let n = 0; n < 25; n++) during.push(await charge())
    t.match(await call('GET', '/readyz'), { status: 200, body: { eventStream: 'away' } })
    t.ok((await service.metric('payments_outbox_lag_entries'))! >= 25)
    t.equal(await service.metric('payments_event_stream_connected'), 0)
    const heard = (await receiver.count(52)).map(({ event }) => event)
    t.strictSame(told(heard).sort(), [before, ...during].flatMap(bothOf).sort(), 'each once')

    await servers.start(0)
    await streamIs('connected')
    await until(async () => (await eventsIn(servers.url)).length === 52)
    t.strictSame(told(await eventsIn(servers.url)), [before, ...during].flatMap(bothOf))
    t.equal(receiver.heard.length, 52, 'no webhook is sent again')
    await until(async () => (await service.metric('payments_outbox_lag_entries')) === 0)
    t.match(await call('GET', '/readyz'), { status: 200, body: { eventStream: 'connected' } })
    t.strictSame(repeatsIn(service.log()), [], 'told once')
    t.notMatch(service.log(), /\n +at /, 'no stack trace')
  },
)

t.test('a stream that is configured otherwise is left alone and named, until it fits', async (t) => {
  const servers = await startNatsServers(1)
  t.teardown(servers.stop)
  const other = {
    name: eventStreamName,
    subjects: ['pay.events.>'],
    max_age: nanos(3_600_000),
    max_bytes: 4096,
  }
  const { config } = await withManager(servers.url, (manager) => manager.streams.add(other))
  const service = await startService(t, { env: { NATS_URL: servers.url, NATS_MAX_AGE_DAYS: '1' } })
  const { call } = await newMerchant(service)
  await service.logged(
    'the event stream cannot be used: stream PAY_EVENTS has max_age 3600000000000, not 86400000000000, and max_bytes 4096, not -1',
  )
  t.equal((await call('POST', '/v1/pix/charges', { amount: 100 })).status, 201)
  t.match((await call('GET', '/readyz')).body, { eventStream: 'away' })
  const found = await withManager(servers.url, (manager) => manager.streams.info(eventStreamName))
  t.strictSame(found.config, config, 'nothing was changed')
  t.equal(found.state.messages, 0)

  const fit = { max_age: nanos(86_400_000), max_bytes: -1, duplicate_window: nanos(600_000) }
  await withManager(servers.url, (manager) => manager.streams.update(eventStreamName, fit))
  await until(async () => (await eventsIn(servers.url)).length === 2)
  t.strictSame(repeatsIn(service.log()), [], 'told once')
})
