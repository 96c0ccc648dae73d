import t from 'tap'
import { exitCodes } from '../../../gateway/base/exit-codes.ts'
import { requireSound } from '../audit.ts'
import { startCluster, type TestCluster } from '../cluster.ts'
import { betweenFaultsMs, type Load, startLoad } from '../load.ts'
import { makeNewerBuild } from '../newer-build.ts'
import { type Machines, startMachines } from './machines.ts'
import { runbookOf, walk } from './runbook.ts'

/** The runbooks of upgrades, under one load. The audit is the older build's: it reads all that was stored before the upgrade was finished. */
let cluster: TestCluster
let load: Load
let machines: Machines
let newer: string

t.before(async () => {
  newer = makeNewerBuild(t)
  cluster = await startCluster(t, { refusesAttempts: false, workers: 1 })
  machines = await startMachines(t, cluster)
  load = startLoad(cluster, { commandEveryMs: betweenFaultsMs })
})

/** One machine got the new build, and its node was restarted. */
const beginUpgrade = async (): Promise<void> => {
  machines.install('c', newer)
  await cluster.nodes.get('c')!.end()
  await machines.begin('c')
}

t.test('an upgrade is taken back', async (t) => {
  await beginUpgrade()
  machines.install('c', null)
  await walk(t, machines, runbookOf('An upgrade is taken back'))
  t.strictSame(machines.endings, [['c', exitCodes.RESTART]])
  await load.measure().untilAllAnswer()
})

t.test('an upgrade is half done: the others are restarted while clients pay', async (t) => {
  await beginUpgrade()
  for (const name of ['a', 'b']) machines.install(name, newer)
  await walk(t, machines, runbookOf('An upgrade is half done'))
  t.strictSame(
    machines.endings.slice(1),
    ['b', 'c', 'a'].map((name) => [name, exitCodes.RESTART]),
  )
  await load.measure().untilAllAnswer()
})

t.test('nothing was lost, doubled or stale, and all nodes are equal', async (t) => {
  await requireSound(t, cluster, load)
})

t.test('the upgrade is finished', async (t) => {
  for (const name of ['a', 'b', 'c']) await machines.begin(name)
  await walk(t, machines, runbookOf('Finish the upgrade'))
})
