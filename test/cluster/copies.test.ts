import { existsSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { exitCodes } from '../../gateway/base/exit-codes.ts'
import { removeNode } from '../../gateway/operator/command-line/cluster/remove.ts'
import type { ClusterStep } from '../../gateway/operator/command-line/cluster/steps.ts'
import { shardPathIn } from '../../persistence/home/parts.ts'
import { requireSound } from './audit.ts'
import { emptied, startCluster, type TestCluster } from './cluster.ts'
import { betweenFaultsMs, type Load, startLoad } from './load.ts'

/**
 * Five nodes of which three hold each shard, under one load: holders are killed, a node comes, one is removed, and one
 * goes for good without a word. A node counts as gone after a minute.
 */
let cluster: TestCluster
let load: Load

t.before(async () => {
  cluster = await startCluster(t, {
    refusesAttempts: false,
    workers: 1,
    settings: {
      CLUSTER_COPIES: '3',
      CLUSTER_GONE_MINUTES: '1',
      CLUSTER_LOG_RECORDS: '200',
      CLUSTER_LOG_MINUTES: '0',
    },
  })
  await Promise.all(['d', 'e'].map((node) => cluster.start(node)))
  load = startLoad(cluster, { commandEveryMs: betweenFaultsMs })
})

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

const holders = async (): Promise<(readonly string[])[]> =>
  (await cluster.view()).shards.map((shard) => shard.holders ?? [])

/** The nodes with files of a shard. */
const withFiles = (shard: number): string[] =>
  [...cluster.nodes.values()]
    .filter(
      ({ service, dataDir }) => service !== null && existsSync(join(shardPathIn(dataDir)(shard), 'state')),
    )
    .map(({ name }) => name)
    .sort()

/** Resolves to who holds what, when three living nodes hold each shard and no other has files of it. */
const placed = async (): Promise<(readonly string[])[]> => {
  for (;;) {
    const found = await holders()
    const isPlaced = found.every(
      (nodes, shard) => nodes.length === 3 && withFiles(shard).join() === [...nodes].sort().join(),
    )
    if (isPlaced) return found
    await pause(250)
  }
}

t.test('three of five nodes hold each shard, and all five answer for each', async (t) => {
  const found = await placed()
  t.ok(new Set(found.flat()).size === 5, 'every node holds something')
  await load.measure().untilAllAnswer()
})

t.test('holders that are killed come back to their copies, and none moves', async (t) => {
  const before = await placed()
  const owner = await cluster.ownerOf(0)
  const other = before[0]!.find((node) => node !== owner)!
  const last = before[0]!.find((node) => node !== owner && node !== other)!
  await load.underPressure(() => Promise.all([owner, other].map((node) => cluster.nodes.get(node)!.kill())))
  await load.measure().untilAllAnswer()
  t.equal(await cluster.ownerOf(0), last, 'there is no other')
  for (const node of [owner, other]) await cluster.start(node)
  await cluster.settled()
  await load.measure().untilAllAnswer()
  t.strictSame(await holders(), before)
})

t.test('a node that comes gets its share of the copies', async (t) => {
  await cluster.start('f')
  let found = await placed()
  while (!found.flat().includes('f')) found = await placed()
  const shard = found.findIndex((nodes) => nodes.includes('f'))
  await cluster.move(shard, 'f')
  await load.measure().untilAllAnswer()
  t.equal(await cluster.ownerOf(shard), 'f')
  await cluster.unpin()
})

t.test('a node that is removed ends when others have its copies', async (t) => {
  const before = await placed()
  const removed = await cluster.ownerOf(0)
  const node = cluster.nodes.get(removed)!
  const ended = new Promise((resolve) => node.service!.process.once('exit', resolve))
  const asked = [...cluster.nodes.values()].find(({ name }) => name !== removed)!.service!
  const plans: (readonly string[])[] = []
  const waited: string[] = []
  const tools = {
    ask: asked.operate,
    pause,
    stopwatch: () => performance.now(),
    stepMs: 120_000,
    report: ({ step, waitsFor }: ClusterStep) => void (step === 'DRAIN' && waited.push(...waitsFor)),
  }
  t.match(await removeNode(tools, removed, false, (plan) => plans.push(plan)), { state: 'DONE' })
  t.match(plans.flat().join(), /other nodes get the copies of shards? .* that it holds/)
  t.match(waited.join(), /other nodes get the copies of shard/)
  t.equal(await ended, exitCodes.REMOVED)
  node.service = null
  emptied(node.dataDir)
  const after = await placed()
  t.ok(before.flat().includes(removed) && !after.flat().includes(removed))
  t.strictSame((await asked.operate('cluster status', {})).troubles, [])
  await load.measure().untilAllAnswer()
})

t.test('what a node held that is gone for good is held by others', async (t) => {
  await placed()
  const gone = await cluster.ownerOf(0)
  const node = cluster.nodes.get(gone)!
  await load.underPressure(node.kill)
  emptied(node.dataDir)
  let found = await placed()
  while (found.flat().includes(gone)) found = await placed()
  t.equal(found.flat().length, 3 * cluster.merchants.length)
  await load.measure().untilAllAnswer()
})

t.test('nothing was lost, doubled or stale, and the holders of each shard are equal', async (t) => {
  await requireSound(t, cluster, load)
})
