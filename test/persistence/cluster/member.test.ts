import t, { type Test } from 'tap'
import type { ShardCopies } from '../../../engine/companies/directory.ts'
import { delay } from '../../../persistence/base/delay.ts'
import { type ClusterMember, openClusterMember } from '../../../persistence/cluster/member.ts'
import { heartbeatSubject, ownersSubject } from '../../../persistence/cluster/names.ts'
import type { ClusterMemberOptions } from '../../../persistence/cluster/open-member.ts'
import type { ShardLog } from '../../../persistence/cluster/shard-log.ts'
import { requireDirectoryStream, requireShardStreams } from '../../../persistence/cluster/streams.ts'
import { entryLayout } from '../../../persistence/codec/entry.ts'
import { codecVersion } from '../../../persistence/codec/layout.ts'
import { connectNats } from '../../../persistence/nats/connection.ts'
import { startNatsServers } from '../../nats/servers.ts'
import { keptLog, natsSettings } from '../../nats/settings.ts'
import { newDisk } from './directory-nodes.ts'
import { everyCopy } from './every-copy.ts'

const cluster = 'c'
const shards = 2
const pins = new Map([
  [0, 'b'],
  [1, 'b'],
])

type Node = {
  readonly member: ClusterMember
  /** What it said. */
  readonly lines: string[]
  /** By how much its wall clock is ahead. */
  readonly setClock: (aheadMs: number) => void
}

const startServer = async (t: Test): Promise<string> => {
  const servers = await startNatsServers(1)
  t.teardown(servers.stop)
  const connection = await connectNats(natsSettings(servers.url), 'test')
  await requireDirectoryStream(connection, { cluster, replicas: 1 })
  await requireShardStreams(connection, { cluster, replicas: 1 }, shards)
  await connection.close()
  return servers.url
}

const startNode = async (
  t: Test,
  url: string,
  node: string,
  clockAheadMs = 0,
  more: Partial<ClusterMemberOptions> = {},
): Promise<Node> => {
  const connection = await connectNats(natsSettings(url), node)
  let aheadMs = clockAheadMs
  const log = keptLog()
  const logs: ShardLog[] = []
  const member = await openClusterMember({
    connection,
    cluster,
    leaseMs: 2_000,
    self: { node, incarnation: `${node}1` },
    version: '0.1.0',
    worker: 0,
    workers: 1,
    shards,
    pins: () => pins,
    giveAway: (shard, to) => logs[shard]!.replica!.handOver(to),
    progress: () => ({ published: 0, streamed: 0 }),
    logKept: { records: 100, ms: 0, nodesMin: 2, lookMs: 10_000 },
    ...everyCopy,
    onDied: () => undefined,
    onTwin: (message) => t.fail(message),
    wallNow: () => Date.now() + aheadMs,
    monotonicNow: () => performance.now(),
    pause: delay,
    every: (ms, run) => {
      const timer = setInterval(run, ms)
      return () => clearInterval(timer)
    },
    layout: entryLayout,
    writtenVersion: () => 13,
    log,
    ...more,
  })
  t.teardown(async () => {
    await member.close()
    await Promise.all(logs.map((log) => log.close()))
    await connection.close()
  })
  const ignore = (): void => undefined
  for (let shard = 0; shard < shards && member.isHeld(shard); shard++)
    logs.push(
      member.openLog(
        shard,
        newDisk(t),
        { commits: 0, entries: 0, bytes: 0 },
        { entries: ignore, owner: ignore, lost: ignore, broken: (error) => t.fail(String(error)) },
      ),
    )
  return {
    member,
    lines: log.lines,
    setClock: (ms) => {
      aheadMs = ms
    },
  }
}

/** The test's own time limit is the bound. */
const until = async (holds: () => boolean): Promise<void> => {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 10))
}

const owned = ({ member }: Node): number => member.shards().filter(({ role }) => role === 'OWNER').length

const says = (node: Node, text: string): boolean => node.lines.some((line) => line.includes(text))

t.test('a clock that is a little off is told, and one that is far off owns no shard', async (t) => {
  const url = await startServer(t)
  const a = await startNode(t, url, 'a')
  const b = await startNode(t, url, 'b', -10_000)
  await until(() => says(b, '10 s behind those of the other nodes and the NATS servers: let NTP set it'))
  await until(() => owned(b) === shards)
  t.equal(a.member.unfitness(), null, 'the server is a witness')
  t.equal(b.member.unfitness(), null)

  b.setClock(-600_000)
  const c = await startNode(t, url, 'c', 86_400_000)
  await until(() => b.member.unfitness() === 'CLOCK' && owned(a) === shards)
  t.equal(owned(b), 0, 'what it owned is given away')
  t.ok(says(b, '600 s behind those of the other nodes and the NATS servers: it owns no shards until'))
  await until(() => says(c, '86400 s ahead of those of the other nodes and the NATS servers: it owns no'))
  await until(() => ['b', 'c'].every((name) => a.member.nodes().some((n) => n.node === name && n.isUnfit)))
  t.equal(a.member.unfitness(), null)
})

t.test('nodes say what they read and write; one of an earlier build says nothing of it', async (t) => {
  const url = await startServer(t)
  const a = await startNode(t, url, 'a')
  const b = await startNode(t, url, 'b')
  const connection = await connectNats(natsSettings(url), 'c')
  t.teardown(() => connection.close())
  const heartbeat = { incarnation: 'c1', workers: 1, version: '0.0.9', upMs: 0, clockMs: Date.now() }
  const said = (): Map<string, unknown> =>
    new Map(a.member.nodes().map(({ node, reads, writes }) => [node, { reads, writes }]))
  await until(() => {
    connection.publish(heartbeatSubject(cluster, 'c'), JSON.stringify(heartbeat))
    return said().size === 3
  })
  t.strictSame(
    said(),
    new Map([
      ['a', { reads: codecVersion, writes: 13 }],
      ['b', { reads: codecVersion, writes: 13 }],
      ['c', { reads: 13, writes: 13 }],
    ]),
  )
  t.equal(b.member.unfitness(), null)
})

t.test('a node without a copy knows the owners by what they say, and never owns', async (t) => {
  const url = await startServer(t)
  const copies = { number: 3, nodes: ['a', 'b'] }
  const [a, b] = [
    await startNode(t, url, 'a', 0, { copies: () => copies }),
    await startNode(t, url, 'b', 0, { copies: () => copies }),
  ]
  const held: number[] = []
  const c = await startNode(t, url, 'c', 0, {
    copies: () => copies,
    pins: () => new Map([[0, 'c']]),
    hold: (shard) => held.push(shard),
  })
  const owners = (): unknown[] => [0, 1].map((shard) => c.member.ownerOf(shard)?.node)
  await until(() => owned(a) + owned(b) === shards && owners().every((owner) => owner !== undefined))
  t.strictSame(c.member.shards(), [])
  t.match(await [a, b].find((one) => owned(one) > 0)!.member.handOver(0, 'c'), /own the shard|hold a copy/)
  t.strictSame(held, [], 'what it need not hold it does not')

  const connection = await connectNats(natsSettings(url), 'd')
  t.teardown(() => connection.close())
  const say = (node: string, incarnation: string, epoch: number): void =>
    connection.publish(ownersSubject(cluster), JSON.stringify({ node, incarnation, owned: [[0, epoch]] }))
  say('b', 'b1', 1000)
  await until(() => c.member.ownerOf(0)?.node === 'b')
  say('a', 'a1', 999)
  say('b', 'b0', 1001)
  await until(() => c.member.ownerOf(0) === null)
  t.pass('the highest epoch counts, and a member that is not alive owns nothing')
})

t.test('the owner places copies, waits for nodes, and a former holder removes its own', async (t) => {
  const url = await startServer(t)
  const state = { copies: null as ShardCopies | null }
  const left: string[] = []
  const more = (node: string): Partial<ClusterMemberOptions> => ({
    copiesRule: { copies: 2, goneMs: 600_000, stableMs: 1_500, lookMs: 50 },
    copies: (shard) => (shard === 0 ? state.copies : null),
    writtenVersion: () => 14,
    place: (shard, number, nodes) => {
      if (shard === 0 && number === (state.copies?.number ?? 0)) state.copies = { number: number + 1, nodes }
    },
    leave: async (shard) => void left.push(`${node}/${shard}`),
  })
  const nodes = [
    await startNode(t, url, 'a', 0, more('a')),
    await startNode(t, url, 'b', 0, more('b')),
    await startNode(t, url, 'c', 0, more('c')),
  ]
  await until(() => nodes.reduce((sum, node) => sum + owned(node), 0) === shards)
  t.equal(state.copies, null, 'nodes may be missing that were not heard yet')
  await until(() => left.length > 0)
  t.equal(state.copies!.nodes.length, 2)
  const [former] = ['a', 'b', 'c'].filter((node) => !state.copies!.nodes.includes(node))
  t.strictSame(left, [`${former}/0`])
  const statuses = nodes.map(({ member }) => member.shards().filter(({ shard }) => shard === 0).length)
  t.equal(
    statuses.reduce((sum, count) => sum + count, 0),
    2,
  )
})
