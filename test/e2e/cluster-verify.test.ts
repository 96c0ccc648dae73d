import { copyFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { startNatsServers } from '../nats/servers.ts'
import { startCharges } from './backup-world.ts'
import { command, newDataDir, newMerchant, startService, until } from './service.ts'

const envOf = (url: string, node: string) => ({
  NATS_URL: url,
  CLUSTER: 'test',
  CLUSTER_REPLICAS: '1',
  NODE_ID: node,
  SHARDS: '2',
  WORKERS: '1',
  RATE_LIMIT: '0',
})

/** Changes a character in every record of a log, or of a directory, also where the file has old copies of it. */
const damage = (file: string): void => {
  const bytes = readFileSync(file)
  for (let at = bytes.indexOf('"previous":'); at >= 0; at = bytes.indexOf('"previous":', at + 1))
    bytes.write('x', at + 1)
  writeFileSync(file, bytes)
}

t.test(
  'a node whose files are damaged or gone fetches again what --repair has set aside, and what is missing',
  async (t) => {
    const servers = await startNatsServers(1)
    t.teardown(servers.stop)
    const a = await startService(t, { env: envOf(servers.url, 'a') })
    const dataDir = newDataDir(t)
    copyFileSync(join(a.dataDir, 'master.key'), join(dataDir, 'master.key'))
    const b = await startService(t, { dataDir, env: envOf(servers.url, 'b') })
    const { call } = await newMerchant(a)
    const charges = startCharges(call, 4)
    for (const reached of [100, 200]) {
      await charges.reach(reached)
      t.strictSame((await command(dataDir, 'verify', dataDir)).problems, [], 'beside the running node')
    }
    await charges.stop()
    await b.kill('SIGTERM')

    const damaged = ['directory', 'shards/00/log']
    for (const folder of damaged) damage(join(dataDir, folder, 'data.mdb'))
    const found: readonly string[] = await command(dataDir, 'verify', dataDir).then(
      () => [],
      // It ends with 1, and prints what it found.
      ({ message }: Error) => JSON.parse(message).problems,
    )
    for (const folder of damaged)
      t.ok(
        found.some((line) => line.startsWith(`${join(dataDir, folder)} is damaged`)),
        folder,
      )
    const { problems, repaired } = await command(dataDir, 'verify', dataDir, '--repair')
    t.strictSame(problems, [])
    t.equal(repaired.length, damaged.length)

    // A log that is missing is fetched as well, as `verify` says; the snapshot beside it is then ahead of it.
    rmSync(join(dataDir, 'shards/01/log'), { recursive: true })
    await t.rejects(command(dataDir, 'verify', dataDir), {
      message: /shards\/01\/log is missing; the node fetches it again from the cluster when it starts/,
    })
    const again = await startService(t, { dataDir, env: envOf(servers.url, 'b') })
    await again.logged('a log of this node was missing: it is fetched again from the cluster')
    const entriesOf = async (path: string): Promise<number> => (await command(path, 'verify', path)).entries
    await until(async () => (await entriesOf(dataDir)) === (await entriesOf(a.dataDir)))
    await again.kill('SIGTERM')
    await a.kill('SIGTERM')
    const [first, second] = [
      await command(a.dataDir, 'verify', a.dataDir),
      await command(dataDir, 'verify', dataDir),
    ]
    t.strictSame(second.problems, [])
    t.strictSame(second.digests, first.digests)
  },
)
