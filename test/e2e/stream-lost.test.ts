import t from 'tap'
import { eventStreamName } from '../../persistence/nats/stream-config.ts'
import { eventsIn, withManager } from '../nats/stream.ts'
import { bothOf, startOnNats, told } from './on-nats.ts'
import { startService, until } from './service.ts'

t.test('a stream that is deleted is made again, with what is recent', async (t) => {
  const { servers, receiver, charge } = await startOnNats(t)
  const before = await charge()
  await receiver.count(2)
  await withManager(servers.url, (manager) => manager.streams.delete(eventStreamName))
  const after = await charge()
  const heard = (await receiver.count(4)).map(({ event }) => event)
  t.strictSame(told(heard), [before, after].flatMap(bothOf), 'each once')
  await until(async () => (await eventsIn(servers.url).catch(() => [])).length === 4)
  t.strictSame(told(await eventsIn(servers.url)).sort(), [before, after].flatMap(bothOf).sort())
})

t.test('what the stream has lost while the service was away is published when it starts', async (t) => {
  const { servers, service, receiver, charge } = await startOnNats(t)
  const before = await charge()
  await receiver.count(2)
  // Webhooks do not wait for the stream.
  const hasEvents = (count: number) => until(async () => (await eventsIn(servers.url)).length === count)
  await hasEvents(2)
  await servers.keepDisks()
  const lost = await charge()
  await receiver.count(4)
  await hasEvents(4)
  await service.kill('SIGTERM')
  await servers.losePower()
  t.strictSame(told(await eventsIn(servers.url)), bothOf(before))
  await startService(t, { env: { NATS_URL: servers.url }, dataDir: service.dataDir })
  await hasEvents(4)
  t.strictSame(told(await eventsIn(servers.url)), [before, lost].flatMap(bothOf))
  t.equal(receiver.heard.length, 4, 'no webhook is sent again')
})
