import t from 'tap'
import { tellDurability } from '../../../persistence/cluster/durability.ts'
import { requireServers, serverProblem, watchServers } from '../../../persistence/cluster/servers.ts'
import { connectNats } from '../../../persistence/nats/connection.ts'
import { startOldServer } from '../../nats/old-server.ts'
import { startNatsServers } from '../../nats/servers.ts'
import { keptLog, natsSettings } from '../../nats/settings.ts'

const server = (version: string) => ({ server_id: 'N', server_name: 'n1', version, jetstream: true })

t.test('2.12 and newer carry a cluster; what is older is told which version to take', async (t) => {
  for (const version of ['2.12.0', '2.15.1', '2.12.0-RC.1', '2.100.0', '3.0.0'])
    t.equal(serverProblem(server(version)), null, version)
  for (const version of ['2.9.10', '2.10.27', '2.11.99', '1.4.1', 'dev'])
    t.match(serverProblem(server(version)), new RegExp(`n1 has version ${version}.*take 2.12 or newer`))
})

t.test('all servers that can be reached are looked at; one without JetStream is refused', async (t) => {
  const servers = await startNatsServers(1, { hasJetStream: false })
  t.teardown(servers.stop)
  const nats = natsSettings(servers.url)
  const connection = await connectNats(nats, 'test')
  t.teardown(() => connection.close())
  const options = { connection, nats, replicas: 1, allowsUnsafeServers: false, log: keptLog() }
  await t.rejects(requireServers(options), /JetStream is enabled on none/)
})

t.test('a server of another version is found though the connection is to a good one', async (t) => {
  const servers = await startNatsServers(1)
  t.teardown(servers.stop)
  const old = await startOldServer('2.10.27')
  t.teardown(old.stop)
  const connection = await connectNats(natsSettings(servers.url), 'test')
  t.teardown(() => connection.close())
  const nats = natsSettings(`${servers.url},${old.url},nats://127.0.0.1:1`)
  const log = keptLog()
  const options = { connection, nats, replicas: 3, log }
  await t.rejects(
    requireServers({ ...options, allowsUnsafeServers: false }),
    /old has version 2.10.27.*CLUSTER_UNSAFE_NATS=true starts with it all the same/,
  )
  t.strictSame(log.lines, [])
  const seen = await requireServers({ ...options, allowsUnsafeServers: true })
  t.strictSame(
    seen.map(({ server_name }) => server_name),
    ['server-0', 'old'],
  )
  t.match(log.lines, [
    /^warn: NATS server old has version 2.10.27, .*it is used because of CLUSTER_UNSAFE_NATS$/,
    /^warn: fewer NATS servers with JetStream are seen than CLUSTER_REPLICAS$/,
  ])
})

t.test('a server that the connection comes to later is looked at then', async (t) => {
  const servers = await startNatsServers(1)
  t.teardown(servers.stop)
  const old = await startOldServer('2.11.4')
  t.teardown(old.stop)
  const connection = await connectNats(natsSettings(servers.url), 'test')
  t.teardown(() => connection.close())
  connection.setServers([old.url])
  const told = new Promise<string>((resolve) => {
    void watchServers(connection, { ...keptLog(), error: (_, message) => resolve(message) })
  })
  await servers.kill(0, 'SIGKILL')
  t.match(await told, /^NATS server old has version 2.11.4/)
})

t.test('monitoring pages tell whether the logs survive a power loss', async (t) => {
  const always = await startNatsServers(1)
  t.teardown(always.stop)
  const later = await startNatsServers(1, { syncInterval: '30s' })
  t.teardown(later.stop)
  const lines = async (urls: readonly string[], names: readonly string[]) => {
    const log = keptLog()
    const seen = names.map((server_name) => ({ ...server('2.15.1'), server_name }))
    await tellDurability(urls, seen, log)
    return log.lines
  }
  t.strictSame(await lines(always.monitorUrls, ['server-0']), [
    'info: the logs survive a power loss of all NATS servers',
  ])
  t.match(await lines(later.monitorUrls, ['server-0']), [
    /^warn: NATS server server-0 writes to its disk every 30 s: .*sync_interval: always prevents it$/,
  ])
  t.match(await lines(always.monitorUrls, ['server-0', 'server-1']), [
    /^warn: whether the logs of NATS server server-1 survive .* is not known/,
  ])
  t.match(await lines([], ['server-0', 'server-1']), [
    /^warn: whether the logs survive .* is not known: NATS_MONITOR_URLS would tell$/,
  ])
  t.match(await lines(['http://127.0.0.1:1'], []), [/^warn: a monitoring address of NATS does not answer$/])
})
