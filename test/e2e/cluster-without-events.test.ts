import t from 'tap'
import { eventStreamName } from '../../persistence/nats/stream-config.ts'
import { startNatsServers } from '../nats/servers.ts'
import { withManager } from '../nats/stream.ts'
import { clusterEnv } from './cluster-nodes.ts'
import { newMerchant, posted, startReceiver, startService } from './service.ts'

t.test('a node that publishes no events delivers webhooks, and makes no stream for events', async (t) => {
  const servers = await startNatsServers(1)
  t.teardown(servers.stop)
  const env = { ...clusterEnv(servers.url, 'a'), SHARDS: '1', NATS_EVENTS: 'false' }
  const node = await startService(t, { env })
  const receiver = await startReceiver(t)
  const { company, call } = await newMerchant(node)
  const target = { company: company.id, environment: 'sandbox', url: receiver.url, events: 'payment.created' }
  await node.operate('webhooks create', target)
  const { id } = await posted(call, '/v1/pix/charges', { amount: 100 })
  const [heard] = await receiver.count(1)
  t.match(heard!.event, { type: 'payment.created', data: { id } })
  t.strictSame(await (await fetch(`${node.origin}/readyz`)).json(), { status: 'ready' })
  const names = await withManager(servers.url, (manager) => manager.streams.names().next())
  t.ok(names.includes('PAY_DIRECTORY_test'), 'the logs are there')
  t.notOk(names.includes(eventStreamName))
})
