import { type AddressInfo, createServer } from 'node:net'
import { nanos } from '@nats-io/transport-node'
import t from 'tap'
import { eventStreamName } from '../../persistence/nats/stream-config.ts'
import { startNatsServers } from '../nats/servers.ts'
import { withManager } from '../nats/stream.ts'
import { newMerchant, oneWorker, startService } from './service.ts'

t.test('a service that never found its NATS ends when it is asked to', async (t) => {
  const service = await startService(t, { env: { ...oneWorker, NATS_URL: 'nats://127.0.0.1:9' } })
  t.equal(await service.kill('SIGTERM'), 0)
})

t.test('a service whose NATS takes connections and says nothing ends when it is asked to', async (t) => {
  const silent = createServer()
  await new Promise<void>((resolve) => void silent.listen(0, '127.0.0.1', resolve))
  t.teardown(() => silent.close())
  const { port } = silent.address() as AddressInfo
  const service = await startService(t, { env: { ...oneWorker, NATS_URL: `nats://127.0.0.1:${port}` } })
  // The client has given one connection up, and keeps its socket.
  await service.logged('NATS cannot be used')
  t.equal(await service.kill('SIGTERM'), 0)
})

t.test('a service ends while its NATS is away, and what it acknowledged is there', async (t) => {
  const servers = await startNatsServers(1)
  t.teardown(servers.stop)
  const env = { ...oneWorker, NATS_URL: servers.url }
  const service = await startService(t, { env })
  const { call, key } = await newMerchant(service)
  await servers.kill(0, 'SIGKILL')
  const { body, status } = await call('POST', '/v1/pix/charges', { amount: 1990 })
  t.equal(status, 201)
  t.equal(await service.kill('SIGTERM'), 0)
  const again = await startService(t, { dataDir: service.dataDir, env })
  const read = await fetch(`${again.origin}/v1/pix/charges/${body.id}`, {
    headers: { Authorization: `Bearer ${key.secret}` },
  })
  t.equal(read.status, 200)
})

t.test('a node whose event stream cannot be used says so, and ends when it is asked to', async (t) => {
  const servers = await startNatsServers(1)
  t.teardown(servers.stop)
  const other = { name: eventStreamName, subjects: ['pay.events.>'], max_age: nanos(3_600_000) }
  await withManager(servers.url, (manager) => manager.streams.add(other))
  const cluster = { NATS_URL: servers.url, CLUSTER: 'test', CLUSTER_REPLICAS: '1', SHARDS: '1', WORKERS: '1' }
  const node = await startService(t, { env: { ...cluster, NODE_ID: 'a' } })
  await node.logged('the event stream cannot be used: stream PAY_EVENTS has max_age')
  t.equal(await node.kill('SIGTERM'), 0)
})

t.test('a node ends while its NATS is away', async (t) => {
  const servers = await startNatsServers(1)
  t.teardown(servers.stop)
  const cluster = {
    NATS_URL: servers.url,
    CLUSTER: 'test',
    CLUSTER_REPLICAS: '1',
    SHARDS: '2',
    WORKERS: '1',
    NODE_ID: 'a',
  }
  const node = await startService(t, { env: cluster })
  await newMerchant(node)
  await servers.kill(0, 'SIGKILL')
  t.equal(await node.kill('SIGTERM'), 0)
})
