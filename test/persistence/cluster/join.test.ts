import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { type JoinedNode, type JoinOptions, joinCluster } from '../../../persistence/cluster/join.ts'
import { claimDataDirectory, openStoredDirectory } from '../../../persistence/home/data-directory.ts'
import { startNatsServers } from '../../nats/servers.ts'
import { keptLog, natsSettings } from '../../nats/settings.ts'

const start = async (t: Test): Promise<string> => {
  const servers = await startNatsServers(1)
  t.teardown(servers.stop)
  return servers.url
}

const newFolder = (t: Test): string => {
  const path = mkdtempSync(join(tmpdir(), 'node-'))
  t.teardown(() => rmSync(path, { recursive: true, force: true, maxRetries: 5 }))
  return path
}

const nodeOptions = (t: Test, url: string, options: Partial<JoinOptions> = {}): JoinOptions => {
  const dataDir = options.dataDir ?? newFolder(t)
  return {
    cluster: 'c',
    node: 'a',
    replicas: 1,
    leaseMs: 2000,
    allowsUnsafeServers: false,
    nats: natsSettings(url),
    monitorUrls: [],
    dataDir,
    masterKeyFile: join(dataDir, 'master.key'),
    shards: null,
    log: keptLog(),
    onFork: (error) => t.fail(error.message),
    ...options,
  }
}

const joined = async (t: Test, options: JoinOptions): Promise<JoinedNode> => {
  const node = await joinCluster(options)
  t.teardown(node.close)
  return node
}

const keyFile = (t: Test, byte: number): string => {
  const file = join(newFolder(t), 'key')
  writeFileSync(file, Buffer.alloc(32, byte).toString('base64'))
  return file
}

t.test('of nodes that start together one forms the cluster, and all are part of it', async (t) => {
  const url = await start(t)
  const masterKeyFile = keyFile(t, 1)
  const nodes = await Promise.all(
    ['a', 'b', 'c'].map((node) => joined(t, nodeOptions(t, url, { node, masterKeyFile, shards: 4 }))),
  )
  t.strictSame(
    nodes.map(({ data }) => data.shards),
    [4, 4, 4],
  )
  t.equal(nodes.filter(({ hasFormed }) => hasFormed).length, 1)
  for (const { directory } of nodes)
    t.match(
      directory.follow(async () => undefined),
      [{ type: 'ClusterFormed', shards: 4 }],
    )
})

t.test('a node takes shards from the cluster, also when it starts again', async (t) => {
  const url = await start(t)
  const masterKeyFile = keyFile(t, 1)
  const first = await joined(t, nodeOptions(t, url, { masterKeyFile, shards: 3 }))
  t.ok(first.hasFormed)
  const options = nodeOptions(t, url, { node: 'b', masterKeyFile })
  const second = await joinCluster(options)
  t.match(second, { hasFormed: false, data: { shards: 3, isNew: true } })
  await second.close()
  const again = await joined(t, options)
  t.match(again, { hasFormed: false, data: { shards: 3, isNew: false } })
  await t.rejects(
    joinCluster(nodeOptions(t, url, { node: 'd', masterKeyFile, shards: 8 })),
    /^cluster c was formed with SHARDS=3; a start with SHARDS=8 would lose accounts: leave SHARDS out$/,
  )
})

t.test('a node that has lost a log fetches it, and so its list of companies', async (t) => {
  const url = await start(t)
  const log = keptLog()
  const options = nodeOptions(t, url, { masterKeyFile: keyFile(t, 1), shards: 2, log })
  await (await joinCluster(options)).close()
  for (const lost of ['directory', 'shards/01']) {
    rmSync(join(options.dataDir, lost), { recursive: true })
    const again = await joinCluster(options)
    const [path] = again.data.fetched
    t.ok(path?.startsWith(join(options.dataDir, lost)))
    t.match(
      log.lines.join('\n'),
      'warn: a log of this node was missing: it is fetched again from the cluster',
    )
    t.match(
      again.directory.follow(async () => undefined),
      [{ type: 'ClusterFormed', shards: 2 }],
    )
    await again.close()
  }
  const whole = await joined(t, options)
  t.strictSame(whole.data.fetched, [])
})

t.test('only the node that forms the cluster makes a master key; others need a copy', async (t) => {
  const url = await start(t)
  const log = keptLog()
  const first = nodeOptions(t, url, { shards: 1, log })
  const { masterKey } = await joined(t, first)
  t.strictSame(Buffer.from(readFileSync(first.masterKeyFile, 'utf8'), 'base64'), masterKey)
  t.match(log.lines, [/^info: the cluster is formed; every node needs this master key/])

  const second = nodeOptions(t, url, { node: 'b' })
  await t.rejects(joinCluster(second), /^node b has no master key, and cluster c has one: copy master.key/)
  t.notOk(existsSync(second.masterKeyFile))
  writeFileSync(second.masterKeyFile, Buffer.alloc(32).toString('base64'))
  await t.rejects(joinCluster(second), /^the master key of this node is not the one of cluster c: copy/)
  writeFileSync(second.masterKeyFile, 'AAAA')
  await t.rejects(joinCluster(second), /is not a master key: 32 bytes in base64$/)
  writeFileSync(second.masterKeyFile, readFileSync(first.masterKeyFile))
  t.strictSame((await joined(t, second)).masterKey, masterKey)
})

t.test(
  'of nodes that start together without a key one makes it, and the others leave none behind',
  async (t) => {
    const url = await start(t)
    const nodes = ['a', 'b', 'c'].map((node) => nodeOptions(t, url, { node, shards: 1 }))
    const results = await Promise.allSettled(nodes.map((options) => joined(t, options)))
    t.equal(results.filter(({ status }) => status === 'fulfilled').length, 1)
    t.equal(nodes.filter(({ masterKeyFile }) => existsSync(masterKeyFile)).length, 1)
  },
)

t.test('a data directory belongs to one node of one cluster', async (t) => {
  const url = await start(t)
  const options = nodeOptions(t, url, { shards: 1 })
  const { dataDir } = options
  await (await joinCluster(options)).close()
  for (const other of [{ node: 'b' }, { cluster: 'd' }])
    await t.rejects(
      joinCluster({ ...options, ...other }),
      / belongs to node a of cluster c; a start with CLUSTER=/,
    )
  await t.rejects(
    claimDataDirectory(dataDir, null),
    / belongs to node a of cluster c; a start without CLUSTER/,
  )
  await (await openStoredDirectory(dataDir)).release()

  const alone = await claimDataDirectory(newFolder(t), null)
  const { path } = await alone.settle(null, 2, () => 'key')
  await alone.release()
  t.match(JSON.parse(readFileSync(join(path, 'format.json'), 'utf8')), {
    format: 4,
    id: /^[-0-9a-f]{36}$/,
    shards: 2,
  })
  await t.rejects(
    joinCluster(nodeOptions(t, url, { dataDir: path })),
    / was made without CLUSTER, and what is in it is on no other node: give node a an empty data directory$/,
  )
})

t.test('what waiting would not help ends the start, and frees the data directory', async (t) => {
  const url = await start(t)
  const options = nodeOptions(t, url, { shards: 1, replicas: 3 })
  await t.rejects(joinCluster(options), /^CLUSTER_REPLICAS=3 needs 3 NATS servers/)
  await joined(t, { ...options, replicas: 1 })
  await t.rejects(joinCluster({ ...options, node: 'b', replicas: 1 }), /in use by another running process/)
})
