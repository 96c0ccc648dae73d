import t, { type Test } from 'tap'
import type { DirectoryFact } from '../../../../engine/companies/directory.ts'
import { evolveDirectory, newDirectory } from '../../../../engine/companies/evolve.ts'
import { operatorAsks } from '../../../../gateway/identity/asked.ts'
import {
  type ClusterControl,
  controlAnswers,
  type NodeStatus,
} from '../../../../gateway/link/cluster/control.ts'
import { clusterOperations, noClusterOperations } from '../../../../gateway/operator/cluster-operations.ts'
import { openControlChannel } from '../../../../persistence/cluster/control-channel.ts'
import { connectNats } from '../../../../persistence/nats/connection.ts'
import { type NatsServers, startNatsServers } from '../../../nats/servers.ts'
import { natsSettings } from '../../../nats/settings.ts'

let servers: NatsServers
t.before(async () => {
  servers = await startNatsServers(1)
})
t.teardown(() => servers.stop())

let clusters = 0

/** Nodes that own shards between them, and do at once what they are asked. */
const newCluster = async (t: Test, names: readonly string[], statusMs = 100) => {
  clusters += 1
  const cluster = `c${clusters}`
  const owners = new Map<number, string>([
    [0, 'a'],
    [1, 'b'],
  ])
  const draining = new Set<string>()
  const ended: [string, string][] = []
  const refusals: string[] = []
  /** A node that has just started hears nobody yet. */
  let newcomer = ''
  let silences = 0
  /** What nodes read; the others read version 14. */
  const reads = new Map<string, number>()
  const statusOf = (node: string): NodeStatus => ({
    node,
    incarnation: `${node}-1`,
    version: '0.1.0',
    reads: reads.get(node) ?? 14,
    workers: 2,
    isDraining: draining.has(node),
    isUnfit: false,
    clockAheadMs: 0,
    peers: names
      .filter((name) => name !== node && node !== newcomer)
      .map((name) => ({ node: name, isAlive: true })),
    shards: [...owners].map(([shard, owner]) => ({ shard, owner, epoch: 1, applied: 10 + shard })),
  })
  const fakeControl = (node: string): ClusterControl => ({
    hearKeyUses: async () => [],
    keyLog: async () => [],
    status: () => {
      if (node === 'b' && silences-- > 0) throw new Error('busy')
      return statusOf(node)
    },
    drain: async () => {
      if (node === 'c') throw new Error('no other node is there')
      draining.add(node)
      for (const [shard, owner] of owners) if (owner === node) owners.set(shard, 'b')
    },
    end: async (incarnation, way) => {
      if (incarnation !== `${node}-1`) return { ok: false, reason: 'it has started anew since' }
      ended.push([node, way])
      return { ok: true }
    },
    handOver: async (shard, to) => {
      const reason = refusals.shift()
      if (reason !== undefined) return { ok: false, reason }
      if (owners.get(shard) !== node) return { ok: false, reason: 'it is not mine' }
      owners.set(shard, to)
      return { ok: true }
    },
  })

  const channels = await Promise.all(
    names.map(async (name) => {
      const connection = await connectNats(natsSettings(servers.url), name)
      t.teardown(() => connection.close())
      const channel = openControlChannel(connection, cluster, name)
      channel.serve(controlAnswers(fakeControl(name)))
      await connection.flush()
      return channel
    }),
  )

  const facts: DirectoryFact[] = []
  const directory = newDirectory()
  const operations = clusterOperations({
    cluster,
    node: names[0]!,
    shards: 2,
    directory,
    commit: async (decide) => {
      const event = decide()
      if (event === null) return
      facts.push(event)
      evolveDirectory(directory, event)
    },
    channel: channels[0]!,
    statusMs,
  })
  return {
    owners,
    facts,
    ended,
    reads,
    refuse: (times: number) => {
      for (let left = times; left > 0; left--) refusals.push(`${left} records behind`)
    },
    start: (node: string) => {
      newcomer = node
    },
    /** Node b does not answer the next times when nodes are asked how they are. */
    silence: (times: number) => {
      silences = times
    },
    operate: (name: string, input = {}): Promise<any> => operations[`cluster ${name}`]!(input, operatorAsks),
  }
}

t.test('status gathers what all nodes say', async (t) => {
  const { operate } = await newCluster(t, ['a', 'b'])
  t.match(await operate('status'), {
    object: 'cluster',
    nodes: [
      { node: 'a', state: 'ALIVE', shards: 1 },
      { node: 'b', state: 'ALIVE', shards: 1 },
    ],
    shards: [
      { shard: 0, owner: 'a', epoch: 1, applied: 10, lag: { b: 0 }, pinnedTo: null },
      { shard: 1, owner: 'b', epoch: 1, applied: 11, lag: { a: 0 }, pinnedTo: null },
    ],
  })
})

t.test('status waits for the others when the first to answer hears nobody yet', async (t) => {
  // It waits for all of this time, because one hears nobody: long enough for a machine that is busy with other things.
  const { operate, start } = await newCluster(t, ['a', 'b', 'c'], 2_000)
  for (const node of ['a', 'b', 'c']) {
    start(node)
    const { nodes } = await operate('status')
    const states = nodes.map((found: any) => `${found.node} ${found.state}`)
    t.strictSame(states, ['a ALIVE', 'b ALIVE', 'c ALIVE'])
  }
})

t.test('a shard is moved by its owner, and stays where it was put until that is taken back', async (t) => {
  const { operate, owners, facts } = await newCluster(t, ['a', 'b'])
  t.strictSame(await operate('move', { shard: '0', node: 'b' }), {
    object: 'shard',
    id: 0,
    owner: 'b',
    pinnedTo: 'b',
  })
  t.equal(owners.get(0), 'b')
  t.match((await operate('status')).shards, [{ owner: 'b', pinnedTo: 'b' }, { pinnedTo: null }])
  t.match(await operate('move', { shard: '0', node: 'b' }), { owner: 'b' }, 'again')
  t.match(await operate('move', { shard: '0', node: 'auto' }), { pinnedTo: null })
  t.match((await operate('status')).shards, [{ owner: 'b', pinnedTo: null }, {}])
  t.strictSame(facts.at(-1), { type: 'ShardPinned', shard: 0, node: null })
})

t.test('a node that is about to catch up, or does not answer for a moment, is waited for', async (t) => {
  const { operate, owners, facts, refuse, silence } = await newCluster(t, ['a', 'b'])
  refuse(2)
  silence(2)
  t.match(await operate('move', { shard: '0', node: 'b' }), { owner: 'b', pinnedTo: 'b' })
  t.equal(owners.get(0), 'b')
  t.equal(facts.length, 1, 'pinned once')
  // On a busy machine no node may answer in time.
  const problems: string[] = []
  do {
    silence(100)
    await operate('move', { shard: '1', node: 'b' }).catch(({ message }: Error) => problems.push(message))
  } while (problems.at(-1)!.endsWith('the nodes are none'))
  t.equal(problems.at(-1), 'node b is SILENT')
})

t.test('what cannot be moved is said', async (t) => {
  const { operate, facts, refuse } = await newCluster(t, ['a', 'b'])
  await t.rejects(operate('move', { shard: '2', node: 'b' }), /^shard must be 0 to 1$/)
  await t.rejects(operate('move', { shard: '0', node: 'z' }), /^there is no node z; the nodes are a, b$/)
  await operate('drain', { node: 'b' })
  await t.rejects(operate('move', { shard: '0', node: 'b' }), /^node b is DRAINING$/)
  t.strictSame(facts, [])
  refuse(12)
  await t.rejects(
    operate('move', { shard: '1', node: 'a' }),
    /^shard 1 is pinned to a, but b does not hand it over now: 3 records behind$/,
  )
  t.strictSame(facts, [{ type: 'ShardPinned', shard: 1, node: 'a' }])
})

t.test('a node is drained by itself; one that is not there does not answer', async (t) => {
  const { operate, owners } = await newCluster(t, ['a', 'b', 'c'])
  t.strictSame(await operate('drain', { node: 'a' }), { object: 'node', id: 'a', state: 'DRAINED' })
  t.equal(owners.get(0), 'b')
  t.match((await operate('status')).nodes, [{ node: 'a', state: 'DRAINING', shards: 0 }, {}, {}])
  await t.rejects(operate('drain', { node: 'c' }), /^node c cannot be drained: no other node is there$/)
  await t.rejects(operate('drain', { node: 'z' }), /^node z does not answer$/)
})

t.test('a node ends as it is told, in the life that was meant', async (t) => {
  const { operate, ended } = await newCluster(t, ['a', 'b'])
  t.match(await operate('end', { node: 'b', incarnation: 'b-1', way: 'RESTART' }), {
    id: 'b',
    state: 'ENDING',
  })
  t.strictSame(ended, [['b', 'RESTART']])
  const stale = operate('end', { node: 'b', incarnation: 'b-0', way: 'REMOVED' })
  await t.rejects(stale, /^node b does not end: it has started anew since$/)
  await t.rejects(
    operate('end', { node: 'z', incarnation: 'z-1', way: 'RESTART' }),
    /^node z does not answer$/,
  )
  t.equal(ended.length, 1)
})

t.test('without a cluster that is said', async (t) => {
  await t.rejects(noClusterOperations['cluster status']!({}, operatorAsks), /CLUSTER is not set/)
})

t.test('an upgrade is finished once every node reads what the newest one does', async (t) => {
  const { operate, reads, facts, silence } = await newCluster(t, ['a', 'b', 'c'])
  reads.set('a', 13)
  reads.set('c', 13)
  t.match(await operate('status'), { writtenVersion: 13, isUpgradeUnfinished: true })
  const behind =
    /^other nodes read version 14, and these less: a \(13\), c \(13\): start a newer version of the service there first$/
  await t.rejects(operate('finalize'), behind)
  await t.rejects(operate('finalize', { dryRun: true }), behind)
  reads.clear()
  silence(1)
  await t.rejects(operate('finalize'), /^what these nodes read is not known, because they do not answer: b$/)
  t.match(await operate('finalize', { dryRun: true }), { state: 'READY', before: 13, after: 14 })
  t.strictSame(facts, [])
  t.match(await operate('finalize'), { state: 'FINISHED', before: 13, after: 14, nodes: ['a', 'b', 'c'] })
  t.match(facts, [{ type: 'VersionRaised', version: 14 }])
  t.match(await operate('finalize'), { state: 'NOTHING_TO_DO', before: 14, after: 14 })
  t.match(await operate('status'), { writtenVersion: 14, isUpgradeUnfinished: false })
  t.equal(facts.length, 1)
  await t.rejects(operate('finalize', { dry: true }), /^dry is not known; known are dryRun$/)
})
