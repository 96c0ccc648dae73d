import t, { type Test } from 'tap'
import { lastUnneeded } from '../../../persistence/cluster/trim-rule.ts'
import { newSharedLog, type Peer } from './shared-log.ts'

const rule = { records: 100, ms: 60_000, nodesMin: 2, lookMs: 10_000 }
const copies = { applied: 1000, oldEnough: 1000, others: [1000, 990] }

t.test('what each living node has on its disk is needed no more, but for the newest records', async (t) => {
  t.equal(lastUnneeded(copies, rule), 900)
  t.equal(lastUnneeded({ ...copies, others: [1000, 400] }, rule), 400, 'a node that is behind follows')
  t.equal(lastUnneeded({ ...copies, oldEnough: 300 }, rule), 300, 'what came lately stays')
  t.equal(lastUnneeded({ ...copies, applied: 60, oldEnough: 60, others: [60] }, rule), 0)
})

t.test('a log is kept as a whole while a living node does not say what it has', async (t) => {
  t.equal(lastUnneeded({ ...copies, others: [1000, null] }, rule), 0)
  t.equal(lastUnneeded({ ...copies, others: [1000, 0] }, rule), 0, 'or fetches the shard')
  t.equal(lastUnneeded({ ...copies, oldEnough: 0 }, rule), 0, 'or when records came is not known')
})

t.test('no record is dropped that fewer nodes have than servers had to store it', async (t) => {
  t.equal(lastUnneeded({ ...copies, others: [] }, rule), 0, 'one node alone is no second copy')
  t.equal(lastUnneeded({ ...copies, others: [1000] }, { ...rule, nodesMin: 3 }), 0)
  t.equal(lastUnneeded(copies, { ...rule, nodesMin: 3 }), 900)
})

/** Three nodes with some entries, of which the log and two nodes have dropped the first records. */
const trimmed = async (t: Test) => {
  const log = newSharedLog()
  t.teardown(log.close)
  const [a, b, c] = ['a', 'b', 'c'].map((node) => log.join(node)) as [Peer, Peer, Peer]
  await log.pass(2 * log.leaseMs)
  for (let n = 1; n <= 20; n++) await Promise.all([a.write(String(n)), log.settle()])
  log.trim(10)
  for (const { replica } of [a, b]) await replica.dropUpTo(10)
  t.strictSame(
    [a, b, c].map(({ replica }) => replica.base()),
    [10, 10, 0],
  )
  return { log, a, b, c }
}

const numbers = (last: number): string[] => Array.from({ length: last }, (_, n) => String(n + 1))

t.test(
  'a node that has dropped records has their entries, goes on, and starts again with them',
  async (t) => {
    const { log, a, b } = await trimmed(t)
    await Promise.all([a.write('21'), log.settle()])
    t.strictSame(b.entries(), numbers(21))
    t.equal(b.store.read(10), null)
    t.ok(b.store.read(11)?.equals(log.record(11)))
    await b.stop()
    const back = log.join('b', '2', 1)
    await log.settle()
    t.equal(back.dropped, null)
    t.equal(back.replica.base(), 10)
    await Promise.all([a.write('22'), log.settle()])
    t.strictSame(back.entries(), numbers(22))
    await a.stop()
    await log.pass(3 * log.leaseMs)
    t.strictSame(log.owners(), ['b'], 'and takes the shard over')
  },
)

t.test('records behind a base that are missing on disk come again', async (t) => {
  const { log, b } = await trimmed(t)
  await b.stop()
  await log.loseOnDisk('b', 15)
  const back = log.join('b', '2')
  t.equal(back.dropped, 15)
  await log.settle()
  t.strictSame(back.entries(), numbers(20))
})

t.test('a node that lacks what the log has dropped stops, so that the shard is fetched', async (t) => {
  const { log, a, c } = await trimmed(t)
  c.isSlow = true
  for (let n = 21; n <= 30; n++) await Promise.all([a.write(String(n)), log.settle()])
  log.trim(28)
  await log.heal(c)
  await Promise.all([a.write('31'), log.settle()])
  await log.pass(log.leaseMs / 10)
  t.match(c.told.at(-1), /^broken: the log of the shard begins at 29, and this node has it up to 2\d$/)
  t.notMatch(c.told.join(), 'forked')
})

t.test(
  'an owner behind whose end the log has gone on and dropped that learns that it owns it no more',
  async (t) => {
    const { log, a, b } = await trimmed(t)
    a.isCut = true
    const written = a.write('lost')
    await log.pass(3 * log.leaseMs)
    for (let n = 21; n <= 30; n++) await Promise.all([b.write(String(n)), log.settle()])
    log.trim(log.length() - 5)
    const lost = t.rejects(written, /the log has gone on without this node/)
    await log.heal(a)
    await log.pass(log.leaseMs)
    await lost
    t.match(a.told.join(), /lost: the log begins at \d+, behind what this node was about to store/)
    t.match(a.told.at(-1), /^broken: the log of the shard begins at/, 'and it is fetched')
    t.strictSame(log.owners(), ['b'])
  },
)

t.test('where the servers have lost all, the log goes on where the nodes have it', async (t) => {
  const { log, a, c } = await trimmed(t)
  await c.stop()
  log.loseAll()
  const written = a.write('21')
  await log.pass(log.leaseMs)
  await written
  t.equal(log.length(), a.replica.position().applied)
  t.throws(() => log.record(10).length, 'it begins behind what nobody has in records')
  t.strictSame(a.entries(), numbers(21))
  t.notMatch(a.told.join(), 'forked')
})

t.test('an empty node begins no log of its own while others have one', async (t) => {
  const { log, a, b, c } = await trimmed(t)
  for (const peer of [a, b, c]) peer.isCut = true
  log.loseAll()
  const empty = log.join('d')
  await log.pass(10 * log.leaseMs)
  t.equal(log.length(), 0)
  t.notOk(empty.replica.mayServe())
  for (const peer of [a, b, c]) await log.heal(peer)
  await log.pass(3 * log.leaseMs)
  t.equal(log.owners().length, 1)
  for (const peer of [a, b, c]) t.strictSame(peer.entries(), numbers(20))
})

t.test('of two nodes that put records back one may have them from an earlier one on', async (t) => {
  const { log, a, b, c } = await trimmed(t)
  await a.stop()
  log.loseAll()
  await log.pass(4 * log.leaseMs)
  t.equal(log.owners().length, 1)
  for (const { entries, told } of [b, c]) {
    t.strictSame(entries(), numbers(20))
    t.notMatch(told.join(), 'forked')
  }
})

t.test('a log that ends before the first record of a node, and is its own, goes on there', async (t) => {
  const { log, a, c } = await trimmed(t)
  // The first are a claim and renewals: only entries show that a log is the same.
  const first = Array.from({ length: 8 }, (_, n) => c.store.read(n + 1)!)
  await c.stop()
  log.loseAll()
  log.put(first)
  const written = a.write('21')
  await log.pass(log.leaseMs)
  await written
  t.equal(log.length(), a.replica.position().applied)
  t.strictSame(a.entries(), numbers(21))
})

t.test('a log that others began anew is not taken for one that ends early', async (t) => {
  const { log, a } = await trimmed(t)
  const other = newSharedLog()
  t.teardown(other.close)
  const z = other.join('z')
  await other.pass(2 * other.leaseMs)
  await Promise.all([z.write('another'), other.settle()])
  log.loseAll()
  log.put([1, 2].map(other.record))
  a.write('21').catch(() => undefined)
  await log.pass(2 * log.leaseMs)
  t.equal(log.length(), 2, 'nothing is put behind it')
  t.match(a.told.join(), 'it is not known to be the same log: nothing is put back')
})
