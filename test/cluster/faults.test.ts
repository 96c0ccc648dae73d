import t from 'tap'
import { newDataDir } from '../e2e/service.ts'
import { requireSound } from './audit.ts'
import { startCluster, type TestCluster } from './cluster.ts'
import { betweenFaultsMs, type Load, startLoad } from './load.ts'
import { runScenario, scenarios } from './scenarios.ts'

/** The faults that are over soon, one after the other under one load. `npm run chaos` has all of them, several times, on more threads. */
const names = [
  'handover',
  'lost-acknowledgements',
  'disk-damaged',
  'owner-killed',
  'owner-stopped',
  'nats-leader-killed',
  // Last: the node that it adds stays.
  'joins-empty',
]

let cluster: TestCluster
let load: Load

t.before(async () => {
  cluster = await startCluster(t, { refusesAttempts: false, workers: 1 })
  // `npm run chaos` has the whole machine, and pauses nowhere.
  load = startLoad(cluster, { commandEveryMs: betweenFaultsMs })
})

for (const [round, name] of names.entries()) {
  const scenario = scenarios.find((scenario) => scenario.name === name)!
  t.test(`${name}: every shard goes on`, async (t) => {
    const { beats, ms } = await runScenario(scenario, cluster, load, round)
    t.ok(
      beats < scenario.gapBeatsMax,
      `the longest time without an acknowledgement was ${beats} beats, ${ms} ms`,
    )
  })
}

t.test('a second process with the NODE_ID of a living node is refused, and changes nothing', async (t) => {
  const { longestGap } = load.measure()
  await t.rejects(
    cluster.start('a', { dataDir: newDataDir(t) }),
    /payments: node a of cluster chaos is already running: every node needs a NODE_ID of its own/,
  )
  const { beats, ms } = longestGap()
  // An owner that a busy machine keeps from renewing its lease is followed by another.
  t.ok(beats < 40, `${beats} beats, ${ms} ms`)
})

t.test('nothing was lost, doubled or stale, and all nodes are equal', async (t) => {
  await requireSound(t, cluster, load)
})
