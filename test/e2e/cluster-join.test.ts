import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { startNatsServers } from '../nats/servers.ts'
import { missingAmong, startCharges } from './backup-world.ts'
import { clusterEnv, joinNode } from './cluster-nodes.ts'
import {
  caller,
  command,
  moveShard,
  newDataDir,
  newMerchant,
  type Service,
  startService,
  until,
} from './service.ts'

const envOf = (url: string, node: string) => ({ ...clusterEnv(url, node), SHARDS: '1', RATE_LIMIT: '0' })

const fetched = 'the shard was fetched from another node'

/** Until a node has all that the owner has, or nearly. */
const untilCaughtUp = (node: string, asked: Service): Promise<void> =>
  until(async () => {
    const { nodes, shards } = await asked.operate('cluster status', {})
    const { joining } = nodes.find((seen: any) => seen.node === node) ?? { joining: [0] }
    return joining.length === 0 && (shards[0].lag[node] ?? Number.POSITIVE_INFINITY) < 20
  })

t.test(
  'an empty node fetches a copy of a shard, archive and snapshot with it, and takes the shard over',
  async (t) => {
    const servers = await startNatsServers(1)
    t.teardown(servers.stop)
    const a = await startService(t, { env: envOf(servers.url, 'a') })
    const { call, key } = await newMerchant(a)
    const charges = startCharges(call, 2)
    await charges.reach(700)
    await a.command('archive', 'run', '--older-than-days', '0')
    await charges.reach(900)

    // Its archive is on another disk.
    const archiveDir = newDataDir(t)
    const b = await joinNode(t, a, { ...envOf(servers.url, 'b'), ARCHIVE_DIR: archiveDir })
    await untilCaughtUp('b', a)
    t.match(b.log(), fetched)
    const shardOf = ({ dataDir }: Service): string => join(dataDir, 'shards', '00')
    t.match(
      readdirSync(join(archiveDir, '00')),
      [/entries$/],
      'files of the archive as they are, and nothing else',
    )
    t.notOk(existsSync(join(shardOf(b), 'joining')), 'nothing is left')
    await until(async () => readdirSync(join(shardOf(a), 'copies')).length === 0)

    await moveShard(a, 0, 'b')
    await charges.reach(1000)
    await charges.stop()
    await a.kill('SIGKILL')
    const seen = caller(b.origin, key.secret)
    t.equal((await seen('GET', '/v1/transactions?limit=1')).status, 200)
    const checked = await command(b.dataDir, 'verify', b.dataDir)
    t.strictSame(checked.problems, [])
    t.ok(checked.transactions >= 1000)

    // The other way round.
    rmSync(join(shardOf(a), 'log'), { recursive: true })
    const again = await startService(t, { dataDir: a.dataDir, env: envOf(servers.url, 'a') })
    await untilCaughtUp('a', b)
    t.match(again.log(), fetched)
    t.strictSame((await command(a.dataDir, 'verify', a.dataDir)).problems, [])
  },
)

t.test(
  'logs without their first records are checked, backed up and restored, and a cluster begins again from them',
  async (t) => {
    const servers = await startNatsServers(1)
    t.teardown(servers.stop)
    const short = { CLUSTER_LOG_RECORDS: '40', CLUSTER_LOG_MINUTES: '0' }
    const a = await startService(t, { env: { ...envOf(servers.url, 'a'), ...short } })
    const { call, key } = await newMerchant(a)
    const charges = startCharges(call, 2)
    const b = await joinNode(t, a, { ...envOf(servers.url, 'b'), ...short })
    await charges.reach(100)
    const backups = newDataDir(t)
    const [full, increment, late] = ['full', 'increment', 'late'].map((name) => join(backups, name)) as [
      string,
      string,
      string,
    ]
    t.match(await b.operate('backup', { path: full }), { kind: 'FULL', problems: [] })
    const cut = charges.acknowledged.length

    // Until both nodes have dropped records of the time before.
    const before = (await a.operate('cluster status', {})).shards[0].applied
    const kept = (node: Service): Promise<number> =>
      node.metric('payments_shard_kept_records') as Promise<number>
    const applied = (node: Service): Promise<number> =>
      node.metric('payments_shard_applied_records') as Promise<number>
    for (const node of [a, b]) await until(async () => (await applied(node)) - (await kept(node)) > before)
    t.match(await b.operate('backup', { path: increment, after: full }), { kind: 'INCREMENT', problems: [] })
    t.match(await b.operate('backup', { path: late }), { kind: 'FULL', problems: [] })
    await charges.stop()
    t.strictSame((await command(b.dataDir, 'verify', b.dataDir)).problems, [], 'beside the running node')
    for (const node of [a, b]) {
      await node.kill('SIGTERM')
      t.strictSame((await command(node.dataDir, 'verify', node.dataDir)).problems, [])
    }
    const restoredFrom = async (name: string, ...from: string[]): Promise<string> => {
      const path = join(backups, name)
      t.strictSame((await command(backups, 'restore', path, ...from)).problems, [], name)
      return path
    }
    const { pointAt } = JSON.parse(readFileSync(join(increment, 'backup.json'), 'utf8'))
    const there = charges.acknowledged.filter(({ atMs }) => atMs < Date.parse(pointAt))
    t.ok(there.length > cut)
    await restoredFrom('cut', '--from', late, '--to-sequence', '0=60')
    for (const dataDir of [
      await restoredFrom('chain', '--from', full, increment),
      await restoredFrom('one', '--from', late),
    ]) {
      const empty = await startNatsServers(1)
      t.teardown(empty.stop)
      const again = await startService(t, { dataDir, env: envOf(empty.url, 'b') })
      t.strictSame(await missingAmong(caller(again.origin, key.secret), there), [])
      const follower = await joinNode(t, again, envOf(empty.url, 'a'))
      await untilCaughtUp('a', again)
      t.match(follower.log(), fetched)
      t.strictSame(
        await missingAmong(caller(follower.origin, key.secret), there),
        [],
        'at a node that joined',
      )
      for (const node of [again, follower]) await node.kill('SIGTERM')
    }
  },
)
