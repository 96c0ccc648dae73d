import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import t, { type Test } from 'tap'
import { exitCodes } from '../../../gateway/base/exit-codes.ts'
import { requireSound } from '../audit.ts'
import { startCluster, type TestCluster, type TestNode } from '../cluster.ts'
import { betweenFaultsMs, type Load, startLoad } from '../load.ts'
import { type Machines, startMachines } from './machines.ts'
import { runbookOf, said, sees, walk } from './runbook.ts'

/** Longer than what a busy machine lets a living node lag. */
const logRecords = 100

/** The runbooks of what dies, one after the other under one load, as the page has them. */
let cluster: TestCluster
let load: Load
let machines: Machines

t.before(async () => {
  // Short logs: who has nothing cannot read them from their beginning.
  const settings = { CLUSTER_LOG_RECORDS: String(logRecords), CLUSTER_LOG_MINUTES: '0' }
  cluster = await startCluster(t, { refusesAttempts: false, workers: 1, settings })
  machines = await startMachines(t, cluster)
  load = startLoad(cluster, { commandEveryMs: betweenFaultsMs })
})

const node = (name: string): TestNode => cluster.nodes.get(name)!

/** How one knows that it is over, by the page and by payments. */
const requireOver = async (t: Test): Promise<void> => {
  await walk(t, machines, runbookOf('Runbooks'))
  await load.measure().untilAllAnswer()
}

t.test('every alert on the page is one', async (t) => {
  const docs = resolve(import.meta.dirname, '../../../../docs')
  const rules = readFileSync(`${docs}/observability/rules.yml`, 'utf8')
  for (const language of ['en', 'pt']) {
    const page = readFileSync(`${docs}/${language}/runbooks.md`, 'utf8')
    const alerts = page.match(/\bPayments[A-Z]\w+/g) ?? []
    t.ok(alerts.length > 4)
    for (const alert of alerts) t.match(rules, `alert: ${alert}\n`)
  }
})

t.test('a node is lost', async (t) => {
  const runbook = runbookOf('A node is lost')
  await cluster.move(0, 'b')
  await load.underPressure(node('b').kill)
  await sees(runbook, node('a'), 'a node is not heard any more')
  await load.measure().untilAllAnswer()
  const logs = [node('a'), node('c')].map(({ service }) => service!.log()).join()
  t.match(logs.slice(logs.indexOf('is not heard any more')), said(runbook, 'this node owns the shard'))
  await walk(t, machines, runbook)
  await cluster.unpin()
  await requireOver(t)
})

t.test('a node leaves for good, and comes back as a new one', async (t) => {
  const runbook = runbookOf('A node leaves for good')
  await cluster.move(1, 'c')
  const started = node('c').lives.length
  await walk(t, machines, { ...runbook, blocks: runbook.blocks.slice(0, 2) })
  t.strictSame(machines.endings.at(-1), ['c', exitCodes.REMOVED])
  const { shards, nodes } = await cluster.view()
  t.notOk(shards.some(({ pinnedTo }) => pinnedTo !== null))
  t.strictSame(
    nodes.map(({ node }) => node),
    ['a', 'b'],
  )
  await machines.begin('c')
  t.match(machines.refusals.at(-1), said(runbook, 'this node was removed from its cluster'))
  t.equal(node('c').lives.length, started)
  await walk(t, machines, runbook, 2)
  await requireOver(t)
})

t.test('a disk is lost', async (t) => {
  const runbook = runbookOf('A disk is lost')
  load.press(true)
  while ((await cluster.firstRecord(0).catch(() => 0)) <= 1)
    await new Promise((resolve) => setTimeout(resolve, 200))
  load.press(false)
  await node('b').kill()
  await walk(t, machines, runbook)
  await sees(runbook, node('b'), 'the shard was fetched from another node')
  await requireOver(t)
})

t.test('a NATS server is lost with its disk', async (t) => {
  await load.underPressure(() => cluster.servers.kill(2, 'SIGKILL'))
  await walk(t, machines, runbookOf('A NATS server is lost'))
  await requireOver(t)
})

t.test('the quorum is lost', async (t) => {
  await load.underPressure(async () => {
    for (const n of [1, 2]) await cluster.servers.kill(n, 'SIGKILL')
  })
  const before = load.statuses.get(503) ?? 0
  await walk(t, machines, runbookOf('The quorum is lost'))
  await requireOver(t)
  t.ok((load.statuses.get(503) ?? 0) > before, said(runbookOf('The quorum is lost'), '503'))
})

t.test('a clock is off', async (t) => {
  const runbook = runbookOf('A clock is off')
  await node('b').kill()
  await machines.begin('b', 600_000)
  await sees(runbook, node('b'), 'it owns no shards until the clock is right')
  await walk(t, machines, runbook)
  await sees(runbook, node('b'), 'the clock of this node is right again')
  await requireOver(t)
})

t.test('everything is lost, and nothing that was acknowledged before the backup', async (t) => {
  const runbook = runbookOf('Everything is lost')
  await load.stop()
  await walk(t, machines, { ...runbook, blocks: runbook.blocks.slice(0, 1) })
  for (const name of ['a', 'b', 'c']) await node(name).kill()
  await walk(t, machines, runbook, 1)
  await walk(t, machines, runbookOf('Runbooks'))
})

t.test('nothing was lost, doubled or stale, and all nodes are equal', async (t) => {
  await requireSound(t, cluster, load)
})
