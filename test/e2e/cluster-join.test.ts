import { existsSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { startNatsServers } from '../nats/servers.ts'
import { startCharges } from './backup-world.ts'
import { clusterEnv, joinNode } from './cluster-nodes.ts'
import { caller, command, moveShard, newMerchant, type Service, startService, until } from './service.ts'

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

    const b = await joinNode(t, a, envOf(servers.url, 'b'))
    await untilCaughtUp('b', a)
    t.match(b.log(), fetched)
    const shardOf = ({ dataDir }: Service): string => join(dataDir, 'shards', '00')
    t.ok(readdirSync(join(shardOf(b), 'archive')).length > 0, 'files of the archive as they are')
    for (const left of [join(shardOf(a), 'copies'), join(shardOf(b), 'joining')])
      t.strictSame(existsSync(left) ? readdirSync(left) : [], [], 'nothing is left')

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
