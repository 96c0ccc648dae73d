import { copyFileSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { startProxy } from '../nats/proxy.ts'
import { startNatsServers } from '../nats/servers.ts'
import { newDataDir, newMerchant, type Service, startService, until } from './service.ts'

/** What the node says on many connections: the kernel deals new ones to the workers. */
const readinessOf = ({ origin }: Service) =>
  Promise.all(
    Array.from({ length: 16 }, async () => {
      const { status, body } = await ask(`${origin}/readyz`)
      return [status, body.status, body.reasons]
    }),
  )

const ask = async (url: string, secret = '') => {
  const headers = { Connection: 'close', Authorization: `Bearer ${secret}` }
  const response = await fetch(url, { headers })
  return { status: response.status, body: (await response.json()) as any }
}

t.test('readiness is that of the process, whichever worker is asked, with the reason', async (t) => {
  const env = { WORKERS: '2', SHARDS: '2' }
  const whole = await startService(t, { env })
  for (const answer of await readinessOf(whole)) t.strictSame(answer, [200, 'ready', undefined])
  t.equal(await whole.kill('SIGTERM'), 0)

  truncateSync(join(whole.dataDir, 'shards/00/journal/data.mdb'), 5000)
  const damaged = await startService(t, { dataDir: whole.dataDir, env })
  const reasons = ['shard 0: stopped, because what is stored is damaged']
  for (const answer of await readinessOf(damaged)) t.strictSame(answer, [503, 'unready', reasons])
  t.equal((await fetch(`${damaged.origin}/healthz`)).status, 200)
})

t.test('a node that is cut off from NATS says so, until it is back', async (t) => {
  const servers = await startNatsServers(1)
  t.teardown(servers.stop)
  const proxy = await startProxy(servers.url)
  t.teardown(proxy.stop)
  const env = (node: string, url: string) => ({
    NATS_URL: url,
    CLUSTER: 'test',
    CLUSTER_REPLICAS: '1',
    NODE_ID: node,
    WORKERS: '2',
    SHARDS: '4',
  })
  const a = await startService(t, { env: env('a', servers.url) })
  const dataDir = newDataDir(t)
  copyFileSync(join(a.dataDir, 'master.key'), join(dataDir, 'master.key'))
  const b = await startService(t, { dataDir, env: env('b', proxy.url) })
  const { key } = await newMerchant(a)
  /** A request to b, which the readiness is about. */
  const isServed = async (): Promise<boolean> =>
    (await ask(`${b.origin}/v1/transactions`, key.secret)).status === 200
  const isReady = async (): Promise<boolean> =>
    (await readinessOf(b)).every(([status, ready]) => status === 200 && ready === 'ready')
  await until(isReady)
  t.ok(await isServed())

  for (const cutOff of [proxy.swallowAnswers, proxy.swallowRequests]) {
    cutOff()
    const reasons = ['every shard: not reached, because NATS does not answer this node']
    await until(async () => !(await isReady()))
    await until(async () => (await readinessOf(b)).every(([, , said]) => `${said}` === `${reasons}`))
    for (const answer of await readinessOf(b)) t.strictSame(answer, [503, 'unready', reasons])
    t.notOk(await isServed())
    t.equal((await fetch(`${b.origin}/healthz`)).status, 200)
    proxy.cut()
    await until(isReady)
    t.ok(await isServed())
  }
  for (const answer of await readinessOf(a)) t.strictSame(answer, [200, 'ready', undefined])
})
