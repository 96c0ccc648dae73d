import { copyFileSync, cpSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { startNatsServers } from '../nats/servers.ts'
import { leftOf, missingAmong, startCharges } from './backup-world.ts'
import { caller, command, newDataDir, newMerchant, posted, type Service, startService } from './service.ts'

const startServers = async (t: Test) => {
  const servers = await startNatsServers(1)
  t.teardown(servers.stop)
  return servers
}

const nodeEnv = (url: string, node: string) => ({
  NATS_URL: url,
  CLUSTER: 'test',
  CLUSTER_REPLICAS: '1',
  NODE_ID: node,
  SHARDS: '2',
  WORKERS: '1',
  RATE_LIMIT: '0',
})

/** A second node, with the master key of the first. */
const joinNode = (t: Test, first: Service, env: Record<string, string>): Promise<Service> => {
  const dataDir = newDataDir(t)
  copyFileSync(join(first.dataDir, 'master.key'), join(dataDir, 'master.key'))
  return startService(t, { dataDir, env })
}

/** What is wrong with a node's data directory: a copy of a hole has a hole. */
const problemsIn = async (dataDir: string): Promise<readonly string[]> =>
  (await command(dataDir, 'verify', dataDir)).problems

t.test(
  'a backup of one node holds what was acknowledged at any, and a cluster begins again from it',
  async (t) => {
    const { url } = await startServers(t)
    const a = await startService(t, { env: nodeEnv(url, 'a') })
    const { call, key } = await newMerchant(a)
    const b = await joinNode(t, a, nodeEnv(url, 'b'))
    const charges = startCharges(call, 4)
    await charges.reach(50)
    const path = join(newDataDir(t), 'backup')
    const made = await b.operate('backup', { path })
    await t.rejects(
      a.operate('backup', { path: join(newDataDir(t), 'increment'), after: path }),
      /backup is a backup of node b of cluster test, and this is node a of cluster test: make a full one$/,
    )
    await charges.stop()
    await a.kill('SIGTERM')
    await b.kill('SIGTERM')
    t.strictSame(await problemsIn(a.dataDir), [], 'what the first node has')
    t.strictSame(await problemsIn(b.dataDir), [], 'what the second node has')
    t.strictSame(made.problems.slice(0, 3), [], 'what the copy has')
    const before = charges.acknowledged.filter(({ atMs }) => atMs < Date.parse(made.pointAt))
    t.ok(before.length >= 50)
    t.strictSame((await command(path, 'verify', path)).problems, [])

    const empty = await startServers(t)
    const dataDir = join(newDataDir(t), 'restored')
    cpSync(path, dataDir, { recursive: true })
    const restored = await startService(t, { dataDir, env: nodeEnv(empty.url, 'b') })
    t.strictSame(await missingAmong(caller(restored.origin, key.secret), before), [])
    const follower = await joinNode(t, restored, nodeEnv(empty.url, 'a'))
    t.strictSame(await missingAmong(caller(follower.origin, key.secret), before), [], 'at a node that joined')
  },
)

t.test(
  'a node that holds few shards makes a backup of all, and a cluster begins again from it',
  async (t) => {
    const { url } = await startServers(t)
    const copies = { CLUSTER_COPIES: '1' }
    const a = await startService(t, { env: { ...nodeEnv(url, 'a'), ...copies } })
    const { call, key } = await newMerchant(a)
    const b = await joinNode(t, a, { ...nodeEnv(url, 'b'), ...copies })
    const charges = startCharges(call, 4)
    const holders = async (): Promise<(string[] | null)[]> =>
      (await a.operate('cluster status', {})).shards.map((shard: any) => shard.holders)
    while ((await holders()).some((nodes) => nodes?.length !== 1))
      await new Promise((r) => setTimeout(r, 100))
    await charges.reach(charges.acknowledged.length + 40)
    const node = (await holders()).every((nodes) => nodes?.[0] === 'b') ? a : b
    const path = join(newDataDir(t), 'backup')
    const made = await node.operate('backup', { path })
    await charges.stop()
    t.strictSame(made.problems, [])
    const before = charges.acknowledged.filter(({ atMs }) => atMs < Date.parse(made.pointAt))
    t.ok(before.length >= 40)
    await a.kill('SIGTERM')
    await b.kill('SIGTERM')
    const empty = await startServers(t)
    const dataDir = join(newDataDir(t), 'restored')
    cpSync(path, dataDir, { recursive: true })
    const env = { ...nodeEnv(empty.url, node === a ? 'a' : 'b'), ...copies }
    const restored = await startService(t, { dataDir, env })
    t.strictSame(await missingAmong(caller(restored.origin, key.secret), before), [], 'whoever held a shard')
  },
)

t.test('a cluster that lost all servers and disks begins again at a moment of its backups', async (t) => {
  const servers = await startServers(t)
  const a = await startService(t, { env: nodeEnv(servers.url, 'a') })
  const { call, key } = await newMerchant(a)
  const charges = startCharges(call, 4)
  const backups = newDataDir(t)
  const [full, increment] = [join(backups, 'full'), join(backups, 'increment')]
  await charges.reach(40)
  t.match(await a.operate('backup', { path: full }), { kind: 'FULL', problems: [] })
  await charges.reach(charges.acknowledged.length + 40)
  const moment = new Date().toISOString()
  await charges.reach(charges.acknowledged.length + 40)
  t.match(await a.operate('backup', { path: increment, after: full }), { kind: 'INCREMENT', problems: [] })
  await charges.stop()
  await a.kill('SIGKILL')
  await servers.kill(0, 'SIGKILL')

  const dataDir = join(newDataDir(t), 'data')
  const made = await command('', 'restore', dataDir, '--from', full, increment, '--to-time', moment)
  t.match(made, { pointAt: moment, from: [full, increment], masterKey: 'INCLUDED', problems: [] })
  const empty = await startServers(t)
  const restored = await startService(t, { dataDir, env: nodeEnv(empty.url, 'a') })
  const before = charges.acknowledged.filter(({ atMs }) => atMs < Date.parse(moment))
  t.ok(before.length >= 80)
  t.strictSame(await missingAmong(caller(restored.origin, key.secret), before), [])
  const follower = await joinNode(t, restored, nodeEnv(empty.url, 'b'))
  const again = caller(follower.origin, key.secret)
  t.strictSame(await missingAmong(again, before), [], 'at a node that joined')
  t.equal((await again('GET', `/v1/pix/charges/${charges.acknowledged.at(-1)!.id}`)).status, 404)
  await posted(again, '/v1/pix/charges', { amount: 700 })
})

t.test('without NATS nobody knows what was acknowledged: a backup says so and leaves nothing', async (t) => {
  const servers = await startServers(t)
  const node = await startService(t, { env: nodeEnv(servers.url, 'a') })
  await servers.kill(0, 'SIGKILL')
  const path = join(newDataDir(t), 'backup')
  await t.rejects(node.operate('backup', { path }), /^what the cluster has acknowledged is not known: /)
  t.strictSame(leftOf(path), [])
})
