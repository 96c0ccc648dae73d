import { jetstream, jetstreamManager } from '@nats-io/jetstream'
import type { NatsConnection } from '@nats-io/transport-node'
import t, { type Test } from 'tap'
import { ClusterRefusal } from '../../../persistence/cluster/refusal.ts'
import { requireDirectoryStream, requireShardStreams } from '../../../persistence/cluster/streams.ts'
import { connectNats } from '../../../persistence/nats/connection.ts'
import { startNatsServers } from '../../nats/servers.ts'
import { natsSettings } from '../../nats/settings.ts'

const connected = async (t: Test, size: number): Promise<NatsConnection> => {
  const servers = await startNatsServers(size)
  t.teardown(servers.stop)
  const connection = await connectNats(natsSettings(servers.url), 'test')
  t.teardown(() => connection.close())
  return connection
}

t.test('logs lose nothing by themselves, and are made by several nodes at once', async (t) => {
  const connection = await connected(t, 1)
  const streams = { cluster: 'c', replicas: 1 }
  await Promise.all([
    requireDirectoryStream(connection, streams),
    requireDirectoryStream(connection, streams),
    requireShardStreams(connection, streams, 11),
    requireShardStreams(connection, streams, 11),
  ])
  const manager = await jetstreamManager(connection)
  const log = {
    retention: 'limits',
    storage: 'file',
    discard: 'new',
    max_age: 0,
    max_msgs: -1,
    max_bytes: -1,
    max_msg_size: 1048576,
    deny_delete: true,
    allow_direct: false,
    duplicate_window: 1e9,
  }
  t.match((await manager.streams.info('PAY_DIRECTORY_c')).config, {
    ...log,
    subjects: ['pay.cluster.c.directory'],
    deny_purge: true,
  })
  t.match((await manager.streams.info('PAY_LOG_c_10')).config, {
    ...log,
    subjects: ['pay.cluster.c.log.10'],
    deny_purge: false,
  })
  t.equal((await manager.streams.names().next()).length, 12)
})

t.test('a log that is configured otherwise is named and left as it is', async (t) => {
  const connection = await connected(t, 1)
  const manager = await jetstreamManager(connection)
  await manager.streams.add({ name: 'PAY_LOG_c_01', subjects: ['pay.cluster.c.log.01'], max_age: 1e9 })
  await jetstream(connection).publish('pay.cluster.c.log.01', 'x')
  await t.rejects(requireShardStreams(connection, { cluster: 'c', replicas: 1 }, 2), {
    name: 'Error',
    message:
      /^stream PAY_LOG_c_01 has discard "old", not "new", and max_age 1000000000, not 0, and .*: change the stream/,
  })
  const { config, state } = await manager.streams.info('PAY_LOG_c_01')
  t.match({ discard: config.discard, messages: state.messages }, { discard: 'old', messages: 1 })
})

t.test('servers that can never keep so many copies are refused', async (t) => {
  const connection = await connected(t, 1)
  const wanted = { cluster: 'c', replicas: 3 }
  const refusal = await requireDirectoryStream(connection, wanted).catch((error: unknown) => error)
  t.ok(refusal instanceof ClusterRefusal)
  t.match(refusal, {
    message: /^CLUSTER_REPLICAS=3 needs 3 NATS servers that form a cluster; 127.0.0.1:\d+ is alone$/,
  })
})

t.test('a cluster of fewer servers may still grow', async (t) => {
  const connection = await connected(t, 3)
  await requireDirectoryStream(connection, { cluster: 'c', replicas: 3 })
  await t.rejects(
    requireDirectoryStream(connection, { cluster: 'five', replicas: 5 }),
    /^CLUSTER_REPLICAS=5 needs 5 NATS servers with JetStream; fewer are there/,
  )
})
