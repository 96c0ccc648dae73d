import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { startNatsServers } from '../nats/servers.ts'
import { newOwner, openBrowser, password } from './person.ts'
import { newDataDir, newMerchant, oneWorker, startService, until } from './service.ts'

t.test('a person is signed in at every node, and signed out at every node', async (t) => {
  const servers = await startNatsServers(1)
  t.teardown(servers.stop)
  const env = (node: string) => ({
    NATS_URL: servers.url,
    CLUSTER: 'test',
    CLUSTER_REPLICAS: '1',
    NODE_ID: node,
    SHARDS: '4',
    // Browsers reach all nodes at one address.
    PUBLIC_URL: 'https://pay.example.com',
    ...oneWorker,
  })
  const a = await startService(t, { env: env('a') })
  const { company } = await newMerchant(a)
  const ana = await newOwner(a, company.id)
  const dataDir = newDataDir(t)
  copyFileSync(join(a.dataDir, 'master.key'), join(dataDir, 'master.key'))
  const b = await startService(t, { dataDir, env: env('b') })
  const nodes = [a, b]
  const asked = (origin: string, cookie: string): Promise<number> =>
    fetch(`${origin}/v1/session`, { headers: { Cookie: cookie } }).then(({ status }) => status)

  t.equal(await asked(b.origin, ana.browser.cookie()), 200, 'signed in before the node joined')

  const halves = await Promise.all(
    Array.from({ length: 8 }, async (_, n) => {
      const browser = openBrowser(nodes[n % 2]!.origin)
      await browser.call('POST', '/v1/session', { email: ana.email, password })
      return browser
    }),
  )
  const totp = ana.code()
  const answers = await Promise.all(
    halves.map((browser) => browser.call('POST', '/v1/session/second-factor', { totp })),
  )
  const statuses = answers.map(({ status }) => status)
  t.equal(
    statuses.filter((status) => status === 200).length,
    1,
    `one code, once, over two nodes: ${statuses}`,
  )
  const winner = halves[statuses.indexOf(200)]!
  for (const { origin } of nodes) t.equal(await asked(origin, winner.cookie()), 200)

  await winner.call('DELETE', '/v1/session')
  await until(async () =>
    (await Promise.all(nodes.map(({ origin }) => asked(origin, winner.cookie())))).every(
      (status) => status === 401,
    ),
  )
  t.pass('no node knows the session any more')

  await servers.stop()
  await until(async () => (await asked(b.origin, ana.browser.cookie())) === 503)
  t.pass('without news of the sessions nobody is let in by one')
})
