import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { fileName } from '../../../persistence/archive/format.ts'
import { bounds } from '../../../persistence/base/bounds.ts'
import { checksumOf } from '../../../persistence/base/checksum.ts'
import { delay } from '../../../persistence/base/delay.ts'
import { fetchCopy, SourceBusy } from '../../../persistence/cluster/copy-fetch.ts'
import { type CopyRequest, copyDigest, packChunk } from '../../../persistence/cluster/copy-request.ts'
import { openClusterMember } from '../../../persistence/cluster/member.ts'
import { copySubject } from '../../../persistence/cluster/names.ts'
import { openReplicaStore } from '../../../persistence/cluster/replica-store.ts'
import { emptyShard, hasRecords } from '../../../persistence/cluster/shard-copy.ts'
import type { ShardLog } from '../../../persistence/cluster/shard-log.ts'
import { requireDirectoryStream, requireShardStreams } from '../../../persistence/cluster/streams.ts'
import { packBatch } from '../../../persistence/codec/codec.ts'
import { entryLayout } from '../../../persistence/codec/entry.ts'
import { codecVersion, text } from '../../../persistence/codec/layout.ts'
import { openEnvironment } from '../../../persistence/disk/environment.ts'
import { writeIdentity } from '../../../persistence/journal/identity.ts'
import { connectNats } from '../../../persistence/nats/connection.ts'
import { startNatsServers } from '../../nats/servers.ts'
import { keptLog, natsSettings } from '../../nats/settings.ts'
import { newDisk } from './directory-nodes.ts'
import { everyCopy } from './every-copy.ts'

const cluster = 'c'

const startServer = async (t: Test): Promise<string> => {
  const servers = await startNatsServers(1)
  t.teardown(servers.stop)
  const connection = await connectNats(natsSettings(servers.url), 'test')
  await requireDirectoryStream(connection, { cluster, replicas: 1 })
  await requireShardStreams(connection, { cluster, replicas: 1 }, 1)
  await connection.close()
  return servers.url
}

const newFolder = (t: Test): string => {
  const folder = mkdtempSync(join(tmpdir(), 'payments-copy-'))
  t.teardown(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

const content = Buffer.alloc(2.5 * bounds.copyChunkBytes, 'entries')

/** A node that gives one file, whose answers the test changes. */
const giving = async (
  t: Test,
  change: { chunk?: (chunk: Buffer, at: number) => Buffer | null; path?: string; digest?: string },
) => {
  const url = await startServer(t)
  const [source, joiner] = [
    await connectNats(natsSettings(url), 'a'),
    await connectNats(natsSettings(url), 'b'),
  ]
  t.teardown(() => Promise.all([source.close(), joiner.close()]))
  const asked: string[] = []
  source.subscribe(copySubject(cluster, 'a', 0), {
    callback: (_, message) => {
      const request = message.json<CopyRequest>()
      asked.push(request.type)
      if (request.type === 'BEGIN') {
        const isMade = asked.length > 2
        const files = [{ path: change.path ?? 'log/data.mdb', bytes: content.length }]
        message.respond(JSON.stringify(isMade ? { state: 'READY', id: '1', files } : { state: 'MAKING' }))
      } else if (request.type === 'READ') {
        const chunk = packChunk(content.subarray(request.at, request.at + request.bytes))
        const changed = change.chunk === undefined ? chunk : change.chunk(chunk, request.at)
        if (changed !== null) message.respond(changed)
      } else {
        const parts = [0, 1, 2].map((n) =>
          checksumOf(content.subarray(n * bounds.copyChunkBytes, (n + 1) * bounds.copyChunkBytes)),
        )
        message.respond(change.digest ?? copyDigest(parts))
      }
    },
  })
  const folder = newFolder(t)
  const fetching = fetchCopy({
    connection: joiner,
    subject: copySubject(cluster, 'a', 0),
    by: 'b',
    folder,
    isStopped: () => false,
    onProgress: () => undefined,
  })
  return { fetching, folder, asked }
}

const damagedOnce = () => {
  const damaged = new Set<number>()
  return (chunk: Buffer, at: number): Buffer => {
    const isFirst = !damaged.has(at)
    damaged.add(at)
    if (isFirst) chunk[chunk.length - 1]! ^= 1
    return chunk
  }
}

t.test('a part that arrives damaged is asked for again', async (t) => {
  const { fetching, folder, asked } = await giving(t, { chunk: damagedOnce() })
  await fetching
  t.ok(readFileSync(join(folder, 'log/data.mdb')).equals(content))
  t.equal(asked.filter((type) => type === 'READ').length, 6)
})

t.test('a copy that is damaged each time, or is no copy, is given up', async (t) => {
  const damage = (chunk: Buffer): Buffer => Buffer.from(chunk.map((byte, n) => (n === 20 ? byte ^ 1 : byte)))
  await t.rejects((await giving(t, { chunk: damage })).fetching, /arrives damaged each time/)
  await t.rejects((await giving(t, { digest: 'another' })).fetching, /not what was sent/)
  for (const path of ['../log/data.mdb', 'log/identity', '/etc/passwd', 'archive/../x.entries'])
    await t.rejects((await giving(t, { path })).fetching, /a copy has the file/, path)
  await t.rejects((await giving(t, { chunk: () => Buffer.alloc(0) })).fetching, /not there any more/)
})

const startNode = async (t: Test, url: string, node: string, identity = 'x shard 0') => {
  const connection = await connectNats(natsSettings(url), node)
  const log = keptLog()
  const shards: ShardLog[] = []
  const path = newDisk(t)
  await openEnvironment({ path: join(path, 'log'), maxDbs: 3 }).close()
  writeIdentity(join(path, 'log'), identity)
  const member = await openClusterMember({
    connection,
    cluster,
    leaseMs: 2_000,
    self: { node, incarnation: `${node}1` },
    version: '0.1.0',
    worker: 0,
    workers: 1,
    shards: 1,
    pins: () => new Map(),
    giveAway: async () => false,
    progress: () => ({ published: 0, streamed: 0 }),
    logKept: { records: 100, ms: 0, nodesMin: 2, lookMs: 10_000 },
    ...everyCopy,
    onDied: () => undefined,
    onTwin: (message) => t.fail(message),
    wallNow: Date.now,
    monotonicNow: () => performance.now(),
    pause: delay,
    every: (ms, run) => {
      const timer = setInterval(run, ms)
      return () => clearInterval(timer)
    },
    layout: entryLayout,
    writtenVersion: () => 14,
    log,
  })
  const ignore = (): void => undefined
  const open = (): ShardLog => {
    const events = { entries: ignore, owner: ignore, lost: ignore, broken: ignore }
    const opened = member.openLog(0, path, { commits: 0, entries: 0, bytes: 0 }, events)
    shards.push(opened)
    return opened
  }
  t.teardown(async () => {
    await member.close()
    await Promise.all(shards.map((log) => log.close()))
    await connection.close()
  })
  const fetch = (): Promise<void> => member.fetchShard(0, path, true, () => false)
  return { member, connection, path, log, open, fetch }
}

/** A node that owns a shard with many records. */
const startOwner = async (t: Test, url: string) => {
  const a = await startNode(t, url, 'a')
  const { replica } = a.open()
  while (!replica!.mayServe()) await new Promise((resolve) => setTimeout(resolve, 10))
  for (let n = 1; n <= bounds.copiedRecordsMin; n++)
    await replica!.write(n, packBatch(text(), [`entry ${n}`]), 1)
  return { ...a, replica: replica! }
}

const recordsIn = async (path: string): Promise<{ applied: number; entries: number; head: string }> => {
  const store = openReplicaStore(join(path, 'log'))
  const { applied, entries, head } = store.position()
  await store.close()
  return { applied, entries, head }
}

t.test('a node without a shard fetches it, and one with another identity reads the log', async (t) => {
  const url = await startServer(t)
  const a = await startOwner(t, url)
  const b = await startNode(t, url, 'b')
  await b.fetch()
  t.match(b.log.lines, ['info: the shard was fetched from another node, and follows its log from there'])
  const { applied, entries, head } = await recordsIn(b.path)
  t.equal(entries, bounds.copiedRecordsMin)
  t.ok(applied >= entries)
  t.equal(b.member.fetched().size, 0)
  t.notOk(existsSync(join(b.path, 'joining')))
  // The source removes its files without being waited for.
  while (readdirSync(join(a.path, 'copies')).length > 0)
    await new Promise((resolve) => setTimeout(resolve, 10))
  const { replica } = b.open()
  t.match(replica!.position(), { entries, head })
  const next = bounds.copiedRecordsMin + 1
  await a.replica.write(next, packBatch(text(), ['one more']), 1)
  while (replica!.position().entries < next) await new Promise((resolve) => setTimeout(resolve, 10))

  const c = await startNode(t, url, 'c', 'another shard 0')
  await c.fetch()
  t.match(c.log.lines.at(-1), /no node gives a copy of the shard: its whole log is read/)
  t.strictSame(await recordsIn(c.path), { applied: 0, entries: 0, head: '' })
})

t.test(
  'a node that need not hold a shard empties its folder, and fetches it again where it has to',
  async (t) => {
    const url = await startServer(t)
    const a = await startOwner(t, url)
    const b = await startNode(t, url, 'b')
    await b.fetch()
    t.ok(hasRecords(b.path))
    mkdirSync(join(b.path, 'archive'))
    writeFileSync(join(b.path, 'archive', fileName(1, 2)), 'packed')
    mkdirSync(join(b.path, 'state'))
    writeFileSync(join(b.path, 'state', 'data.mdb'), 'columns')
    await emptyShard(b.path)
    t.notOk(hasRecords(b.path))
    t.strictSame(readdirSync(join(b.path, 'archive')), [])
    t.notOk(existsSync(join(b.path, 'state')))
    // A crash may have left the rest.
    mkdirSync(join(b.path, 'state'))
    await emptyShard(b.path)
    t.notOk(existsSync(join(b.path, 'state')))
    await b.fetch()
    t.equal((await recordsIn(b.path)).entries, a.replica.position().entries)
  },
)

t.test('a node gives few copies at once, and removes those that nobody asks for', async (t) => {
  const url = await startServer(t)
  const a = await startOwner(t, url)
  const joiner = await connectNats(natsSettings(url), 'b')
  t.teardown(() => joiner.close())
  const ask = async (by: string): Promise<any> =>
    (
      await joiner.request(
        copySubject(cluster, 'a', 0),
        JSON.stringify({ type: 'BEGIN', by, reads: codecVersion }),
      )
    ).json()
  for (let n = 0; n < bounds.copiesGivenMax; n++) t.match(await ask(`b${n}`), { state: 'MAKING' })
  t.match(await ask('one more'), { state: 'BUSY' })
  const fetching = fetchCopy({
    connection: joiner,
    subject: copySubject(cluster, 'a', 0),
    by: 'one more',
    folder: newFolder(t),
    isStopped: () => false,
    onProgress: () => undefined,
  })
  t.ok((await fetching.catch((error: unknown) => error)) instanceof SourceBusy)
  await a.member.close()
  t.strictSame(readdirSync(join(a.path, 'copies')), [], 'nothing is left at the end')
})
