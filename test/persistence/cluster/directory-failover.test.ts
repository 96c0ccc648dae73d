import { jetstreamManager } from '@nats-io/jetstream'
import t from 'tap'
import { connectNats } from '../../../persistence/nats/connection.ts'
import { natsSettings } from '../../nats/settings.ts'
import { newDisk, openNode, pin, start, stream } from './directory-nodes.ts'

t.test('a server dies, with the leader of the log or the consumer on it: facts go on', async (t) => {
  const servers = await start(t, 3)
  const writer = await openNode(t, servers.url, newDisk(t))
  const reader = await openNode(t, servers.url, newDisk(t))
  await writer.directory.append(() => pin(0, 'a'))
  const connection = await connectNats(natsSettings(servers.url), 'test')
  t.teardown(() => connection.close())
  const { cluster } = await (await jetstreamManager(connection)).streams.info(stream)
  await servers.kill(Number(cluster!.leader!.split('-')[1]), 'SIGKILL')
  await writer.directory.append(() => pin(1, 'a'))
  await reader.count(2)
  t.strictSame(reader.facts, writer.facts)
})
