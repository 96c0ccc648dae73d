import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import type { Service } from '../e2e/service.ts'
import { audit, type Findings } from './audit.ts'
import { startCluster } from './cluster.ts'
import { startLoad } from './load.ts'
import { runScenario, type Scenario, scenarios } from './scenarios.ts'
import { simulateMany, traceOne } from './simulation/many.ts'

/**
 * `npm run chaos`: every scenario several times, each on a cluster of its own, and a table of what came of it. With `--simulate` it runs
 * seeds of the simulation instead.
 */
type Result = Findings & {
  readonly scenario: string
  readonly rounds: number
  readonly acknowledged: number
  readonly gapsMs: readonly number[]
  readonly notes: string
}

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    scenario: { type: 'string', multiple: true },
    simulate: { type: 'string' },
    from: { type: 'string', default: '1' },
    trace: { type: 'boolean', default: false },
  },
})
if (values.simulate !== undefined) {
  const [count, from] = [Number(values.simulate), Number(values.from)]
  if (!Number.isSafeInteger(count) || count < 1 || !Number.isSafeInteger(from)) {
    console.error('chaos: --simulate is a number of seeds, --from the first of them')
    process.exit(2)
  }
  process.exit((await (values.trace ? traceOne(from) : simulateMany(count, from))) ? 0 : 1)
}
const rounds = Number(values.rounds)
const chosen = scenarios.filter(({ name }) => values.scenario?.includes(name) ?? true)
if (chosen.length === 0 || !Number.isSafeInteger(rounds) || rounds < 1) {
  console.error(
    `chaos: --rounds is a number, --scenario one of ${scenarios.map(({ name }) => name).join(', ')}`,
  )
  process.exit(2)
}

const run = async (scenario: Scenario): Promise<Result> => {
  const ends: (() => unknown)[] = []
  const scope = { teardown: (end: () => unknown) => void ends.push(end) }
  const endAll = async (): Promise<void> => {
    for (const end of ends.splice(0).reverse()) await end()
  }
  const onInterrupt = (): void => void endAll().then(() => process.exit(130))
  process.once('SIGINT', onInterrupt)
  process.once('SIGTERM', onInterrupt)
  try {
    const cluster = await startCluster(scope, {
      refusesAttempts: true,
      canCutRoutes: scenario.cutsRoutes ?? false,
    })
    const load = startLoad(cluster)
    const gapsMs: number[] = []
    for (let round = 0; round < rounds; round++) {
      gapsMs.push((await runScenario(scenario, cluster, load, round)).ms)
      console.error(
        `${scenario.name} ${round + 1}: ${load.acknowledged()} acknowledged, gap ${gapsMs.at(-1)} ms`,
      )
    }
    await load.stop()
    const stoodStill =
      load.stoodStillMs() === 0 ? '' : `; the machine stood still for ${load.stoodStillMs()} ms`
    const memory = [...cluster.nodes.values()].map(({ name, service }) => `${name} ${megabytesOf(service)}`)
    const findings = await audit(cluster, load)
    const statuses = [...load.statuses]
      .sort(([a], [b]) => a - b)
      .map(([status, count]) => `${status}×${count}`)
    return {
      ...findings,
      scenario: scenario.name,
      rounds,
      acknowledged: load.acknowledged(),
      gapsMs,
      notes: `answers ${statuses.join(' ')}; slowest ${load.slowestMs()} ms; MB ${memory.join(', ')}${stoodStill}`,
    }
  } catch (error) {
    const problems = [error instanceof Error ? (error.stack ?? error.message) : String(error)]
    const nothing = { lost: [], doubled: [], stale: [], acknowledged: 0, gapsMs: [0] }
    return { ...nothing, problems, scenario: scenario.name, rounds, notes: 'not over' }
  } finally {
    await endAll()
    process.off('SIGINT', onInterrupt)
    process.off('SIGTERM', onInterrupt)
  }
}

const megabytesOf = (service: Service | null): number => {
  const status = service === null ? '' : readFileSync(`/proc/${service.process.pid}/status`, 'utf8')
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024)
}

const row = (cells: readonly (string | number)[]): string => `| ${cells.join(' | ')} |`
const line = ({ lost, doubled, stale, problems, ...result }: Result): string =>
  row([
    result.scenario,
    result.rounds,
    result.acknowledged,
    lost.length,
    doubled.length,
    stale.length,
    `${Math.max(...result.gapsMs)} ms`,
    [`${problems.length} problems`, `gaps ${result.gapsMs.join(', ')}`, result.notes].join('; '),
  ])

const results: Result[] = []
for (const scenario of chosen) {
  const result = await run(scenario)
  results.push(result)
  for (const kind of ['lost', 'doubled', 'stale', 'problems'] as const)
    for (const what of result[kind].slice(0, 20)) console.error(`${scenario.name} ${kind}: ${what}`)
}
const head = ['scenario', 'rounds', 'acknowledged', 'lost', 'doubled', 'stale', 'longest gap', 'notes']
console.log([row(head), row(head.map(() => '---')), ...results.map(line)].join('\n'))
const isSound = results.every((result) =>
  (['lost', 'doubled', 'stale', 'problems'] as const).every((kind) => result[kind].length === 0),
)
process.exit(isSound ? 0 : 1)
