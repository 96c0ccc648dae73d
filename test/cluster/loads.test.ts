import t from 'tap'
import { caller } from '../e2e/service.ts'
import { startCluster } from './cluster.ts'

/** Three nodes, one of which owns two of four shards: when both are busy, one of them moves to another node under load. */
const settings = { CLUSTER_BALANCE_SECONDS: '12' }

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

t.test('a busy company moves away from a node that owns two busy shards', async (t) => {
  const cluster = await startCluster(t, { refusesAttempts: false, workers: 1, settings })
  let view = await cluster.view()
  // Nodes that have just started get their shards some seconds later.
  for (; view.nodes.some(({ shards }) => shards > 2); view = await cluster.view()) await pause(250)
  const { nodes, shards: before } = view
  const busy = nodes.find(({ shards }) => shards === 2)!.node
  const owned = before.filter(({ owner }) => owner === busy).map(({ shard }) => shard)
  const { origin } = cluster.nodes.get('a')!.service!
  const statuses = new Set<number>()
  let isOver = false
  const client = async (secret: string): Promise<void> => {
    const call = caller(origin, secret)
    while (!isOver) statuses.add((await call('POST', '/v1/pix/charges', { amount: 100 })).status)
  }
  const clients = cluster.merchants
    .filter(({ shard }) => owned.includes(shard))
    .flatMap(({ secret }) => [client(secret), client(secret), client(secret)])

  let { shards: after } = await cluster.view()
  const moved = () => after.filter(({ movedTo, owner }) => movedTo !== null && owner === movedTo)
  for (; moved().length === 0; after = (await cluster.view()).shards) await pause(250)
  isOver = true
  await Promise.all(clients)

  const [{ shard, movedTo }] = moved() as [(typeof after)[number]]
  t.ok(owned.includes(shard) && movedTo !== busy)
  for (const { shard: other, owner } of after) if (other !== shard) t.equal(owner, before[other]!.owner)
  t.strictSame([...statuses], [201], 'nobody who paid has noticed')
  const giver = cluster.nodes.get(busy)!.service!
  t.match(giver.log(), 'a shard is to move to a node that is less busy')
  t.equal(await giver.metric('payments_cluster_moved_shards'), 1)
  const owner = cluster.nodes.get(movedTo!)!.service!
  t.ok((await owner.metric('payments_cluster_shard_load', `shard="${shard}"`))! > 0)
  t.match((await cluster.view()).nodes.find(({ node }) => node === movedTo)!.load, Number)
})
