import t from 'tap'
import { newDataDir } from '../e2e/service.ts'
import { audit } from './audit.ts'
import { startCluster, type TestCluster } from './cluster.ts'
import { type Load, startLoad } from './load.ts'
import { runScenario, scenarios } from './scenarios.ts'

/** The faults that are over soon, one after the other under one load. `npm run chaos` has all of them, several times, on more threads. */
const names = [
  'handover',
  'lost-acknowledgements',
  'joins-empty',
  'disk-damaged',
  'owner-killed',
  'owner-stopped',
  'nats-leader-killed',
]

let cluster: TestCluster
let load: Load

t.before(async () => {
  cluster = await startCluster(t, { refusesAttempts: false, workers: 1 })
  // Half of those of `npm run chaos`, whose whole machine it is.
  load = startLoad(cluster, 2)
})

/** The longest gap while nothing happens: some 50 ms, and a second or two on a machine that is busy with other things. */
const quietGapMs = async (): Promise<number> => {
  const { longestGapMs, untilAllAnswer } = load.measure()
  await untilAllAnswer()
  return longestGapMs()
}

/** What keeps an acknowledgement waiting while nothing happens keeps each of the steps of a takeover waiting. */
const delaysOfFault = 20

for (const [round, name] of names.entries()) {
  const scenario = scenarios.find((scenario) => scenario.name === name)!
  t.test(`${name}: every shard goes on`, async (t) => {
    const beforeMs = await quietGapMs()
    const gapMs = await runScenario(scenario, cluster, load, round)
    const gapMsMax = scenario.gapMsMax + delaysOfFault * Math.max(beforeMs, await quietGapMs())
    t.ok(gapMs < gapMsMax, `the longest time without an acknowledgement was ${gapMs} ms`)
  })
}

t.test('a second process with the NODE_ID of a living node is refused, and changes nothing', async (t) => {
  const beforeMs = await quietGapMs()
  const { longestGapMs } = load.measure()
  await t.rejects(
    cluster.start('a', { dataDir: newDataDir(t) }),
    /payments: node a of cluster chaos is already running: every node needs a NODE_ID of its own/,
  )
  const gapMs = longestGapMs()
  t.ok(gapMs < 2_000 + delaysOfFault * Math.max(beforeMs, await quietGapMs()), `${gapMs} ms`)
})

t.test('nothing was lost, doubled or stale, and all nodes are equal', async (t) => {
  await load.stop()
  const { lost, doubled, stale, problems } = await audit(cluster, load)
  t.strictSame(lost, [], `of ${load.acknowledged()} acknowledged commands`)
  t.strictSame(doubled, [])
  t.strictSame(stale, [])
  t.strictSame(problems, [])
})
