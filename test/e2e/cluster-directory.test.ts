import { createHmac } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { jetstream, jetstreamManager } from '@nats-io/jetstream'
import { connect } from '@nats-io/transport-node'
import t, { type Test } from 'tap'
import { recordText } from '../../persistence/cluster/directory-record.ts'
import { directoryStream, directorySubject } from '../../persistence/cluster/names.ts'
import { codecVersion } from '../../persistence/codec/layout.ts'
import { startOldServer } from '../nats/old-server.ts'
import { startProxyOf } from '../nats/proxy.ts'
import { startNatsServers } from '../nats/servers.ts'
import { clusterEnv, joinNode } from './cluster-nodes.ts'
import { newOwner } from './person.ts'
import {
  caller,
  newDataDir,
  newMerchant,
  oneWorker,
  posted,
  refusedStart,
  type Service,
  startReceiver,
  startService,
} from './service.ts'

const start = async (t: Test): Promise<string> => {
  const servers = await startNatsServers(1)
  t.teardown(servers.stop)
  return servers.url
}

/** What a request with a key is answered: 401 where the key is not known, or no more. */
const isKnown = async (service: Service, secret: string): Promise<boolean> =>
  (await caller(service.origin, secret)('GET', '/v1/transactions')).status !== 401

/** Waits for work that a change has begun; the test's own time limit is the bound. */
const until = async (holds: () => Promise<boolean>): Promise<void> => {
  while (!(await holds())) await new Promise((resolve) => setTimeout(resolve, 10))
}

t.test('what is made at one node works at all of them, and after a start', async (t) => {
  const url = await start(t)
  const a = await startService(t, { env: { ...clusterEnv(url, 'a'), SHARDS: '4' } })
  const early = await newMerchant(a, { name: 'Early' })
  const b = await joinNode(t, a, clusterEnv(url, 'b'))
  t.ok(await isKnown(b, early.key.secret), 'made before the node joined')

  const { company, key } = await newMerchant(a, { name: 'Late' })
  t.ok(await isKnown(b, key.secret))
  t.equal((await b.operate('companies list', {})).data.length, 2)

  const target = { company: company.id, environment: 'sandbox', url: 'http://127.0.0.1:9/hook' }
  const endpoint = await b.operate('webhooks create', target)
  t.equal((await a.operate('webhooks list', {})).data.length, 1)

  await b.operate('keys revoke', { id: key.id })
  t.notOk(await isKnown(b, key.secret))
  t.notOk(await isKnown(a, key.secret))

  await a.kill('SIGTERM')
  const laterKey = await b.operate('keys create', { company: company.id, environment: 'sandbox' })
  const again = await startService(t, { dataDir: a.dataDir, env: clusterEnv(url, 'a') })
  t.ok(await isKnown(again, laterKey.secret), 'made while the node was away')
  t.notOk(await isKnown(again, key.secret))
  const lists = async (service: Service) =>
    Promise.all(['companies', 'keys', 'webhooks'].map((name) => service.operate(`${name} list`, {})))
  /** Nodes tell each other of uses every minute. */
  const withoutUses = (value: unknown) =>
    JSON.parse(JSON.stringify(value, (name, member) => (/^lastUsed/.test(name) ? null : member)))
  t.strictSame(withoutUses(await lists(again)), withoutUses(await lists(b)), 'in the same order')
  await until(async () => {
    const { data } = await again.operate('keys list', { company: early.company.id })
    return data[0].lastUsedIp === '127.0.0.1'
  })
  t.pass('a node that starts asks the others when keys were used')
  t.equal((await lists(again))[2]!.data[0].id, endpoint.id)
})

t.test('what is changed at one node holds at all of them, wherever the shard is', async (t) => {
  const url = await start(t)
  // It delays what node a hears of companies, keys and endpoints.
  const proxy = await startProxyOf(url, /^payments-test-a$/)
  t.teardown(proxy.stop)
  const a = await startService(t, { env: { ...clusterEnv(proxy.url, 'a'), SHARDS: '1' } })
  const { company, key, call } = await newMerchant(a)
  const b = await joinNode(t, a, clusterEnv(url, 'b'))
  const atB = caller(b.origin, key.secret)

  await a.operate('companies suspend', { id: company.id })
  t.equal((await call('GET', '/v1/transactions')).status, 401)
  t.equal((await atB('GET', '/v1/transactions')).status, 401)
  await b.operate('companies resume', { id: company.id })
  t.ok(await isKnown(a, key.secret))

  // Node a owns the shard; the endpoint is made, changed and disabled at node b, and hears the next charge all the same.
  const receiver = await startReceiver(t, () => 500)
  const target = { company: company.id, environment: 'sandbox', url: receiver.url, events: 'payment.created' }
  proxy.delay(500)
  const { id } = await b.operate('webhooks create', target)
  await posted(call, '/v1/pix/charges', { amount: 100 })
  proxy.delay(0)
  const statuses = async (service: Service): Promise<string[]> =>
    (await service.operate('webhooks deliveries', { id })).data.map(
      ({ status }: { status: string }) => status,
    )
  await until(async () => (await statuses(b))[0] === 'RETRYING')
  await b.operate('webhooks disable', { id })
  await until(async () => (await statuses(a))[0] === 'CANCELLED')

  await b.operate('webhooks enable', { id })
  const { secret } = await b.operate('webhooks rotate', { id })
  await b.operate('companies update', { id: company.id, name: 'Loja Nova' })
  t.equal((await a.operate('companies get', { id: company.id })).name, 'Loja Nova')
  const charge = await posted(call, '/v1/pix/charges', { amount: 200 })
  t.match(charge.copyPaste, /5909Loja Nova/)
  const heard = (await receiver.count(2)).at(-1)!
  const [, seconds, hex] =
    /^t=(\d+),v1=([0-9a-f]{64})$/.exec(String(heard.headers['service-signature'])) ?? []
  t.equal(createHmac('sha256', secret).update(`${seconds}.${heard.body}`).digest('hex'), hex)

  // Deleted at node b while its owner is away: the next owner of the shard cancels what waits.
  await until(async () => (await statuses(b))[0] === 'RETRYING')
  const waits = await statuses(b)
  t.strictSame(waits, ['RETRYING', 'CANCELLED'])
  await a.kill('SIGKILL')
  await b.operate('webhooks delete', { id })
  await until(async () => (await statuses(b).catch(() => waits)).every((status) => status === 'CANCELLED'))
})

t.test('a person who is erased at one node is erased at all of them, and after a start', async (t) => {
  const url = await start(t)
  const a = await startService(t, { env: { ...clusterEnv(url, 'a'), SHARDS: '1' } })
  const { company } = await newMerchant(a)
  const b = await joinNode(t, a, clusterEnv(url, 'b'))
  const { browser: bia } = await newOwner(a, company.id, 'bia@example.com')
  const { browser: ana } = await newOwner(b, company.id, 'ana.souza@example.com')
  const me = (await ana.call('GET', '/v1/me')).body
  const entriesAt = async ({ origin }: Service): Promise<any[]> =>
    (await bia.via(origin).at(company.id, 'PRODUCTION').call('GET', `/v1/audit?actor=${me.id}`)).body.data
  for (const node of [a, b]) {
    await until(async () => (await entriesAt(node)).length > 0)
    t.match((await entriesAt(node))[0], { actor: { id: me.id, name: 'Ana Souza' }, ip: '127.0.0.1' })
  }

  await b.operate('people erase', { id: 'ana.souza@example.com' })
  const isErased = async (node: Service): Promise<void> => {
    t.equal((await ana.via(node.origin).call('GET', '/v1/me')).status, 401)
    t.match((await entriesAt(node))[0], { actor: { id: me.id, name: null }, ip: null })
    t.notMatch(JSON.stringify(await node.operate('people list', {})), /ana.souza/)
  }
  await isErased(a)
  await isErased(b)
  await a.kill('SIGTERM')
  await isErased(await startService(t, { dataDir: a.dataDir, env: clusterEnv(url, 'a') }))
})

t.test('a node that cannot be part of the cluster says why', async (t) => {
  const url = await start(t)
  const first = await startService(t, { env: { ...clusterEnv(url, 'a'), SHARDS: '2' } })
  const env = clusterEnv(url, 'b')
  const refused = async (more: Record<string, string>): Promise<string> => {
    const { code, output } = await refusedStart({ DATA_DIR: newDataDir(t), ...env, ...more })
    t.equal(code, 1)
    t.notMatch(output, /^\s+at /m, 'without a stack')
    return output
  }
  const key = { MASTER_KEY_FILE: join(first.dataDir, 'master.key') }
  t.match(await refused({}), /payments: node b has no master key, and cluster test has one: copy master.key/)
  t.match(await refused({ ...key, SHARDS: '3' }), /payments: cluster test was formed with SHARDS=2/)
  t.match(
    await refused({ ...key, CLUSTER_REPLICAS: '3' }),
    /payments: stream PAY_DIRECTORY_test has num_replicas 1, not 3/,
  )
  const old = await startOldServer('2.11.9')
  t.teardown(old.stop)
  t.match(
    await refused({ ...key, NATS_URL: old.url }),
    /payments: NATS server old has version 2.11.9.*take 2.12 or newer/,
  )
  t.match(await refused({ NODE_ID: '' }), /payments: CLUSTER needs NODE_ID/)
})

t.test(
  'a node that hears of a version that it does not read ends in order, and does not start',
  async (t) => {
    const url = await start(t)
    const node = await startService(t, { env: { ...clusterEnv(url, 'a'), SHARDS: '1' } })
    const version = codecVersion
    t.match(await node.command('cluster', 'finalize', '--dry-run'), {
      state: 'NOTHING_TO_DO',
      before: version,
      after: version,
    })
    // What a newer build appends.
    const connection = await connect({ servers: url })
    t.teardown(() => connection.close())
    const { streams } = await jetstreamManager(connection)
    const { last_seq: seq } = (await streams.info(directoryStream('test'))).state
    const last = (await streams.getMessage(directoryStream('test'), { seq }))!.string()
    const fact = { type: 'VersionRaised', version: version + 1, atMs: 1 } as const
    const text = recordText({ id: 'newer', node: 'b', fact }, last)
    const ended = new Promise((resolve) => node.process.once('exit', resolve))
    await jetstream(connection).publish(directorySubject('test'), text)
    t.equal(await ended, 1)
    const line = `the cluster writes version ${version + 1}; this program reads up to ${version}: start a newer version of the service`
    t.match(node.log(), `${line}; the service stops`)
    for (const dataDir of [node.dataDir, newDataDir(t)]) {
      const key = { MASTER_KEY_FILE: join(node.dataDir, 'master.key') }
      const { code, output } = await refusedStart({ DATA_DIR: dataDir, ...clusterEnv(url, 'a'), ...key })
      t.equal(code, 1)
      t.match(output, `payments: ${line}\n`)
    }
  },
)

t.test('a data directory of a cluster is not used without it', async (t) => {
  const url = await start(t)
  const node = await startService(t, { env: { ...clusterEnv(url, 'a'), SHARDS: '1' } })
  await node.kill('SIGTERM')
  const { output } = await refusedStart({ DATA_DIR: node.dataDir })
  t.match(output, /belongs to node a of cluster test; a start without CLUSTER needs another data directory/)
  const alone = await startService(t, { env: oneWorker })
  await alone.kill('SIGTERM')
  const joined = await refusedStart({ DATA_DIR: alone.dataDir, ...clusterEnv(url, 'b') })
  t.match(joined.output, /was made without CLUSTER, and what is in it is on no other node/)
})

t.test('webhook secrets are not lost by a key file of the wrong name', async (t) => {
  const service = await startService(t, { env: oneWorker })
  await newMerchant(service)
  await service.kill('SIGTERM')
  const elsewhere = join(service.dataDir, 'other.key')
  const { output } = await refusedStart({ DATA_DIR: service.dataDir, MASTER_KEY_FILE: elsewhere })
  t.match(output, /other.key is missing, and opens the secrets of this data directory: put it back/)
  t.notOk(existsSync(elsewhere))
})

t.test('without a cluster its commands say so', async (t) => {
  const service = await startService(t, { env: oneWorker })
  await t.rejects(service.operate('cluster status', {}), /this service is no part of a cluster/)
})
