import { readFileSync } from 'node:fs'
import { jetstreamManager } from '@nats-io/jetstream'
import { connect, nkeyAuthenticator } from '@nats-io/transport-node'
import t from 'tap'
import { lostAnswersSubject } from '../../persistence/cluster/names.ts'
import { type DocumentedServers, startDocumentedServers } from '../nats/documented-servers.ts'
import {
  caller,
  moveShard,
  newMerchant,
  type Service,
  startReceiver,
  startService,
  until,
} from './service.ts'

/** How the node of a machine is known to the servers. */
const clientOf = ({ urls, secret }: DocumentedServers, host: string) => ({
  servers: [...urls],
  authenticator: nkeyAuthenticator(Buffer.from(readFileSync(secret(`${host}.seed`), 'utf8').trim())),
  tls: { caFile: secret('authority.pem'), certFile: secret(`${host}.pem`), keyFile: secret(`${host}.key`) },
  inboxPrefix: '_INBOX.pay',
  reconnect: false,
})

const envOf = ({ urls, monitorUrls, secret }: DocumentedServers, host: string, node: string) => ({
  CLUSTER: 'pay',
  NODE_ID: node,
  SHARDS: '4',
  WORKERS: '1',
  MASTER_KEY_FILE: secret('master.key'),
  NATS_URL: urls.join(','),
  NATS_MONITOR_URLS: monitorUrls.join(','),
  NATS_NKEY_FILE: secret(`${host}.seed`),
  NATS_CA_FILE: secret('authority.pem'),
  NATS_CERT_FILE: secret(`${host}.pem`),
  NATS_KEY_FILE: secret(`${host}.key`),
})

/** What the servers refused. */
const violationsIn = (servers: DocumentedServers): readonly string[] =>
  servers
    .log()
    .split('\n')
    .filter((line) => line.includes('Violation'))

t.test('the documented servers allow nodes what they need, and no more', async (t) => {
  const servers = await startDocumentedServers(t)
  const start = (host: string, node: string, dataDir?: string): Promise<Service> =>
    startService(t, { env: envOf(servers, host, node), ...(dataDir !== undefined && { dataDir }) })
  const [a, b, c] = await Promise.all([start('n1', 'a'), start('n2', 'b'), start('n3', 'c')])
  const nodes = [a, b, c]
  // While a server starts, fewer are seen, and nothing is known of the logs.
  for (const node of nodes) {
    await node.logged('the logs survive a power loss of all NATS servers')
    t.match(node.log(), 'the logs survive a power loss of all NATS servers')
  }

  t.test('requests through every node, webhooks, handovers, a failover and a return', async (t) => {
    const { company, key } = await newMerchant(a)
    const receiver = await startReceiver(t)
    await b.operate('webhooks create', { company: company.id, environment: 'sandbox', url: receiver.url })
    const charge = async ({ origin }: Service): Promise<number | string> => {
      const { status, body } = await caller(origin, key.secret)('POST', '/v1/pix/charges', { amount: 100 })
      return status === 201 ? status : `${status} ${body.code}: ${body.detail}`
    }
    for (const node of nodes) await until(async () => (await charge(node)) === 201)
    for (let shard = 0; shard < 4; shard++) await moveShard(c, shard, 'b')
    await b.kill('SIGKILL')
    for (const node of [a, c]) await until(async () => (await charge(node)) === 201)
    const again = await start('n2', 'b', b.dataDir)
    await a.operate('cluster drain', { node: 'c' })
    for (const node of [a, again]) t.equal(await charge(node), 201)
    await receiver.count(2 * 7)
    t.strictSame(violationsIn(servers), [])
  })

  t.test(
    'a node has old records of a shard’s log dropped, and can neither change nor delete one, shorten another, nor write elsewhere',
    async (t) => {
      const connection = await connect(clientOf(servers, 'n1'))
      t.teardown(() => connection.close())
      // Allowed, though only a node whose connection was lost publishes it.
      connection.publish(lostAnswersSubject('pay'), Buffer.from('no-node.0'))
      const manager = await jetstreamManager(connection, { timeout: 2000, checkAPI: false })
      const log = 'PAY_LOG_pay_00'
      const { config } = await manager.streams.info(log)
      t.match(await manager.streams.purge(log, { seq: 1 }), { success: true })
      for (const [name, forbidden] of [
        ['shorten the directory', () => manager.streams.purge('PAY_DIRECTORY_pay')],
        ['shorten sessions', () => manager.streams.purge('PAY_SESSIONS_pay')],
        ['shorten events', () => manager.streams.purge('PAY_EVENTS')],
        ['delete', () => manager.streams.delete(log)],
        ['update', () => manager.streams.update(log, { ...config, max_msgs: 1 })],
        ['delete a record', () => manager.streams.deleteMessage(log, 1)],
        ['publish', () => connection.request('elsewhere', '', { timeout: 2000 })],
      ] as const)
        await t.rejects<unknown>(forbidden(), /permissions violation/i, name)
      // Servers write their logs a moment after they have answered.
      const refused = () => violationsIn(servers)
      while (!refused().at(-1)?.includes('"elsewhere"'))
        await new Promise((resolve) => setTimeout(resolve, 20))
      t.equal(refused().length, 7, 'servers log what they refuse')
    },
  )

  t.test('whoever lacks a certificate or a key is not let in', async (t) => {
    const { tls, authenticator, ...client } = clientOf(servers, 'n1')
    await t.rejects(connect({ ...client, authenticator, tls: { caFile: tls.caFile } }))
    await t.rejects(connect({ ...client, tls }), /authorization/i)
  })
})
