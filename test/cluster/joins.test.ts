import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { ownEndIn } from '../../persistence/cluster/shard-copy.ts'
import { shardPathIn } from '../../persistence/home/parts.ts'
import { requireSound } from './audit.ts'
import { emptied, startCluster, type TestCluster, type TestNode } from './cluster.ts'
import { betweenFaultsMs, type Load, startLoad } from './load.ts'

/**
 * Nodes that lack shards, in a cluster whose logs are short, under one load: empty ones, one that was away for longer than the logs go back,
 * and ones that die in the middle of a copy, or whose source does.
 */
let cluster: TestCluster
let load: Load

/** Short, but longer than what a busy machine lets a living node lag. */
const kept = 100

t.before(async () => {
  cluster = await startCluster(t, {
    refusesAttempts: false,
    workers: 1,
    settings: { CLUSTER_COPIES: '4', CLUSTER_LOG_RECORDS: String(kept), CLUSTER_LOG_MINUTES: '0' },
  })
  load = startLoad(cluster, { commandEveryMs: betweenFaultsMs })
})

/** Resolves when the servers have dropped the records of every log up to these. */
const untilDropped = async (records: readonly number[]): Promise<void> => {
  load.press(true)
  for (const { shard } of cluster.merchants)
    while ((await cluster.firstRecord(shard).catch(() => 0)) <= records[shard]!) await pause(200)
  load.press(false)
}

const ends = async (): Promise<number[]> => (await cluster.view()).shards.map(({ applied }) => applied)

/**
 * The newest record of a shard's log on the disk of a node that runs no more. It is read without opening the environment: the node starts at
 * once, and what another process has open would cost it a commit.
 */
const appliedOn = ({ dataDir }: TestNode, shard: number): number =>
  ownEndIn(shardPathIn(dataDir)(shard))?.applied ?? 0

/** The lines of a node's log about shards that it fetched. */
const fetchesOf = ({ service }: TestNode): string[] =>
  (service?.log() ?? '')
    .split('\n')
    .filter((line) => line.includes('the shard was fetched from another node'))

const hasFetched = (node: TestNode): boolean => fetchesOf(node).length > 0

/** How many shards a node has fetched; 0 before it serves. */
const countFetched = (node: string): number => fetchesOf(cluster.nodes.get(node)!).length

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

/** How many things are in a folder of a shard of a node. */
const filesOf = (dataDir: string, shard: number, name: string): number => {
  const folder = join(shardPathIn(dataDir)(shard), name)
  try {
    // It mostly is not there, and an error takes longer than a look.
    return existsSync(folder) ? readdirSync(folder).length : 0
  } catch {
    return 0
  }
}

/** Looks each millisecond: what is waited for may be over in some, and a loop without pauses would take a core from the nodes. */
const happened = async (is: () => boolean): Promise<void> => {
  while (!is()) await pause(1)
}

t.test('the servers drop what all nodes have, and nodes go on without it', async (t) => {
  await untilDropped(cluster.merchants.map(() => 1))
  const { shards } = await cluster.view()
  for (const { shard, applied } of shards) t.ok((await cluster.firstRecord(shard)) <= applied - kept + 1)
  for (;;) {
    await cluster.move(0, 'b')
    const node = cluster.nodes.get('b')!
    await load.underPressure(node.kill)
    const onDisk = cluster.merchants.map(({ shard }) => appliedOn(node, shard))
    await load.measure().untilAllAnswer()
    await cluster.start('b')
    await cluster.settled()
    const first = await Promise.all(cluster.merchants.map(({ shard }) => cluster.firstRecord(shard)))
    // A busy machine may take so long that the logs have gone on.
    if (first.some((sequence, n) => sequence > onDisk[n]! + 1)) continue
    t.strictSame(fetchesOf(node), [], `what it lacked was in the logs, from ${first} to ${onDisk}`)
    break
  }
})

t.test('an empty node joins, and takes shards over by handover and after a kill', async (t) => {
  const node = await cluster.start('new')
  await cluster.settled()
  t.ok(hasFetched(node))
  await cluster.move(0, 'new')
  await load.measure().untilAllAnswer()
  const killed = await cluster.ownerOf(1)
  const others = [...cluster.nodes.values()].filter(({ name }) => name !== killed && name !== 'new')
  for (const other of others) await other.end()
  await load.underPressure(cluster.nodes.get(killed)!.kill)
  await load.measure().untilAllAnswer()
  t.equal(await cluster.ownerOf(1), 'new', 'there is no other')
  for (const name of [killed, ...others.map(({ name }) => name)]) await cluster.start(name)
  await cluster.unpin()
  await cluster.settled()
})

t.test('a node that was away for longer than the logs go back fetches what it lacks', async (t) => {
  const away = cluster.nodes.get('b')!
  await away.kill()
  await untilDropped(await ends())
  const back = await cluster.start('b')
  // It opens its shards first, and its logs show what it lacks.
  while (!hasFetched(back)) await pause(50)
  await cluster.settled()
  await cluster.move(1, 'b')
  await load.measure().untilAllAnswer()
  t.equal(await cluster.ownerOf(1), 'b')
  await cluster.unpin()
})

t.test('a node that is killed in the middle of a copy begins again', async (t) => {
  const { dataDir } = cluster.nodes.get('new')!
  const hasLeft = (): boolean => cluster.merchants.some(({ shard }) => filesOf(dataDir, shard, 'joining') > 0)
  do {
    await cluster.nodes.get('new')!.kill()
    emptied(dataDir)
    await cluster.start('new')
    await happened(() => hasLeft() || countFetched('new') === cluster.merchants.length)
    await cluster.nodes.get('new')!.kill()
  } while (!hasLeft())
  const node = await cluster.start('new')
  await cluster.settled()
  t.ok(hasFetched(node))
  t.notOk(hasLeft())
})

t.test('where the node that gives a copy is killed, another one gives it', async (t) => {
  const node = cluster.nodes.get('new')!
  const others = [...cluster.nodes.values()].filter(({ name }) => name !== 'new')
  const giving = (): TestNode | undefined =>
    others.find(({ dataDir }) => cluster.merchants.some(({ shard }) => filesOf(dataDir, shard, 'copies') > 0))
  let killed: TestNode | undefined
  while (killed === undefined) {
    await node.kill()
    emptied(node.dataDir)
    const starting = cluster.start('new')
    await happened(() => giving() !== undefined || countFetched('new') === cluster.merchants.length)
    killed = giving()
    await killed?.kill()
    await starting
    await cluster.settled()
  }
  t.equal(countFetched('new'), cluster.merchants.length)
  await load.measure().untilAllAnswer()
  await cluster.start(killed.name)
  await cluster.settled()
})

t.test('nothing was lost, doubled or stale, and all nodes are equal', async (t) => {
  await requireSound(t, cluster, load)
})
