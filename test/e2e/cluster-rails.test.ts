import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { accountIdOf } from '../../engine/shared/ids.ts'
import { shardOf } from '../../gateway/link/router.ts'
import { startNatsServers } from '../nats/servers.ts'
import { differencesOf } from '../rails/faults/invariants.ts'
import { openShop, type RailHost, startRailHost } from '../rails/live-service.ts'
import { caller, moveShard, newDataDir, until } from './service.ts'

const nodeEnv = (url: string, node: string) => ({
  NATS_URL: url,
  CLUSTER: 'test',
  CLUSTER_REPLICAS: '1',
  CLUSTER_LEASE_MS: '2000',
  NODE_ID: node,
  SHARDS: '2',
  WORKERS: '1',
})

t.test(
  'a bank reports to any node, and the owner’s death in the middle of an ask has one effect',
  async (t) => {
    const servers = await startNatsServers(1)
    t.teardown(servers.stop)
    const a = await startRailHost(t, { env: nodeEnv(servers.url, 'a') })
    const shop = await openShop(t, a, 'efi')
    const { bank, company, key, connection } = shop
    const folder = newDataDir(t)
    copyFileSync(join(a.service().dataDir, 'master.key'), join(folder, 'master.key'))
    const b = await startRailHost(t, { env: nodeEnv(servers.url, 'b'), dataDir: folder })
    const shard = shardOf(accountIdOf(company.id as Parameters<typeof accountIdOf>[0], 'PRODUCTION'), 2)
    const at = ({ service }: RailHost) => caller(service().origin, key.secret)
    const isNow = (host: RailHost, id: string, status: string): Promise<void> =>
      until(async () => (await at(host)('GET', `/v1/pix/charges/${id}`)).body.status === status)

    // The bank knows the address of node a; node b owns the shard. Its bank takes no address from the new owner, and both nodes say so.
    bank.bank.faults.add({
      verb: 'PUT',
      path: '/webhook/',
      does: { kind: 'error', status: 503 },
      times: 1_000,
    })
    await moveShard(a.service(), shard, 'b')
    const made = (await at(b)('POST', '/v1/pix/charges', { amount: 1990 })).body
    t.equal(made.status, 'PENDING')
    const noticesAt = async ({ service }: RailHost): Promise<string> =>
      (await service().operate('connections list', {})).data[0].notices
    for (const host of [a, b]) await until(async () => (await noticesAt(host)) === 'UNREGISTERED')
    bank.bank.faults.clear()
    await bank.hold('POST /pay', { txid: made.pix.txid })
    await isNow(b, made.id, 'APPROVED')
    const metricOf = ({ service }: RailHost, name: string) => service().metric(name)
    t.ok((await metricOf(a, 'payments_provider_hooks_total'))! > 0, 'it came to node a')
    t.ok((await metricOf(b, 'payments_provider_notices_total'))! > 0, 'and was settled by the owner')
    t.ok(bank.bank.webhooks.deliveries().every(({ state }) => state === 'DELIVERED'))

    // Only the owner asks whether the connection works.
    await until(async () => (await metricOf(b, 'payments_provider_connection_works')) === 1)

    await until(async () => (await metricOf(a, 'payments_provider_connection_works')) === null)

    // 44: the refund is done at the bank, its answer is on the way, and the owner dies.
    const { endToEndId } = (await at(b)('GET', `/v1/pix/charges/${made.id}`)).body.pix
    bank.bank.faults.add({ verb: 'PUT', path: '/devolucao/', does: { kind: 'silence', when: 'after' } })
    const refund = { amount: '990' }
    const headers = { 'Idempotency-Key': 'one-refund' }
    const lost = at(b)('POST', `/v1/transactions/${made.id}/refund`, refund, headers).catch(() => null)
    const asks = () =>
      bank.server
        .requests()
        .filter(({ verb, path }) => verb === 'PUT' && path.includes(`${endToEndId}/devolucao/`))
    await until(async () => asks().length === 1)
    await b.service().kill('SIGKILL')
    await lost
    await isNow(a, made.id, 'PARTIALLY_REFUNDED')
    await until(async () => (await noticesAt(a)) === 'REPORTED')
    const repeated = await at(a)('POST', `/v1/transactions/${made.id}/refund`, refund, headers)
    t.ok(repeated.status < 300)
    t.equal(new Set(asks().map(({ path }) => path)).size, 1)
    const back = bank.bank.book.movements().filter(({ cents }) => cents < 0)
    t.match(back, [{ cents: -990, endToEndId }])
    t.equal(back.length, 1)
    t.strictSame(await differencesOf({ bank, call: at(a) }), [])
    t.match(connection, { status: 'ACTIVE' })
  },
)
