import { readFileSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { autocannonGenerator } from './autocannon.ts'
import type { Cleanup } from './cleanup.ts'
import { machine } from './conditions.ts'
import { type Measurement, measure, type Setup } from './measure.ts'
import type { Options } from './options.ts'
import { startBareUws } from './peers.ts'
import { temporaryDirectory } from './processes.ts'
import { monotonicUs, type Stage, timesByStage } from './profile.ts'
import { newRandom } from './random.ts'
import { printConditions, threadsText } from './report.ts'
import { createCompanies, type FreshData, startService } from './service.ts'
import { sumOf } from './sum.ts'
import { divides, type WorkloadName } from './workloads.ts'
import { findWrk } from './wrk.ts'

/** The stages in which a request spends processor time, in order. */
const stages: readonly Stage[] = [
  [
    'request in',
    /^gateway\/wire\/(uws|exchange|traffic|request-head|deadlines)\.js (?!send|write|start|finish|endTurn|run|$)/,
  ],
  ['admission', /^gateway\/(identity\/(authenticate|rate-limit|api-key)\.js|api\/admit\.js admit$)/],
  [
    'route and input',
    /^gateway\/(api\/(find-route|read)|schema\/(query|parameters|json|schema|rules)|base\/formats)\.js/,
  ],
  ['fingerprint', /^gateway\/schema\/fingerprint\.js/],
  ['earlier reply', /^engine\/kernel\/turn\.js (earlierReply|replayOf)$/],
  ['decision', /^engine\/(engine\.js decide|kernel\/(turn\.js (turn|decided)|due-timers\.js fireDueTimers))/],
  [
    'memory',
    /^(engine\/kernel\/apply\.js|persistence\/(shard\/(memory|memory-rows|timers)|index\/.*|snapshot\/.*)\.js)/,
  ],
  ['journal', /^(persistence\/(journal|codec|base\/checksum|disk\/disk-space)\b|lmdb\/)/],
  [
    'after the flush',
    /^(persistence\/(outbox|stream)\/|gateway\/webhooks\/|persistence\/shard\/leading\.js passFlushed$)/,
  ],
  ['view', /^gateway\/(resources\/|routes\/.* view$)/],
  ['QR image', /^gateway\/documents\/qr-code\//],
  ['serialization', /^(gateway\/schema\/serialize\.js| write\d+ *$)/],
  ['metrics and log', /^(gateway\/observability\/|prom-client\/|pino\/)/],
  ['answer out', /^gateway\/wire\/(uws\.js (send|write|start|finish)|response-head\.js)/],
  ['garbage collection', /\(garbage collector\)$/],
]

/**
 * Prints the processor time of each stage of a request, for each workload, beside a bare handler with responses of
 * the same size. Returns each stage that takes half as much again as recorded, and more than noise, with a
 * message.
 */
export const benchBudget = async (
  options: Options,
  workloads: readonly WorkloadName[],
  cleanup: Cleanup,
): Promise<ReadonlyMap<string, string>> => {
  const { workers, seed } = options
  const generator = (await findWrk(cleanup)) ?? autocannonGenerator
  const fresh = await createCompanies(cleanup, {
    count: options.companies,
    workers,
    random: newRandom(seed),
    ...(workloads.some(divides) && { scopes: 'charges.create,charges.read,marketplace.manage' }),
  })
  const connections = options.connections[0]!
  printConditions({ ...machine(), generator: generator.name, workers, connections })
  const setup = { ...options, generator, companies: fresh.companies }
  const recorded = readRecord()
  const record: Record<string, Record<string, number>> = { ...recorded }
  const grown = new Map<string, string>()
  for (const workload of workloads) {
    const budget = await budgetOf(cleanup, workload, connections, workers, fresh, setup)
    print(workload, budget)
    const ratios = ratiosOf(budget)
    for (const [stage, ratio] of Object.entries(ratios)) {
      const allowed = allowedOf(recorded[workload]?.[stage])
      if (ratio > allowed)
        grown.set(
          `${workload} ${stage}`,
          `${workload}: ${stage} takes × ${ratio.toFixed(2)} the bare handler, at most × ${allowed.toFixed(2)}`,
        )
    }
    record[workload] = ratios
  }
  if (!options.record) return grown
  writeFileSync(recordFile, `${JSON.stringify(record, null, 2)}\n`)
  return new Map()
}

/** The recorded stages by workload, as multiples of the bare handler's time in the same run. */
const recordFile = resolve(import.meta.dirname, '../../bench/budget.json')

const readRecord = (): Readonly<Record<string, Readonly<Record<string, number>>>> =>
  JSON.parse(readFileSync(recordFile, 'utf8'))

/** A stage that is not recorded may take anything. */
const allowedOf = (recorded: number | undefined): number =>
  recorded === undefined ? Number.POSITIVE_INFINITY : recorded * 1.5 + noise

/** A stage of a tenth of the bare handler doubles by chance. */
const noise = 0.3

const ratiosOf = ({ stages, bare }: Budget): Record<string, number> =>
  Object.fromEntries([...stages].map(([stage, us]) => [stage, Number((us / bare.cpu.us).toFixed(3))]))

/** Microseconds of processor time for a request, by stage. */
type Budget = {
  readonly stages: ReadonlyMap<string, number>
  readonly service: Measurement
  readonly bare: Measurement
}

const budgetOf = async (
  cleanup: Cleanup,
  workload: WorkloadName,
  connections: number,
  workers: number,
  fresh: FreshData,
  setup: Setup,
): Promise<Budget> => {
  const { path, remove } = temporaryDirectory(cleanup, 'profiles')
  const flags = ['--cpu-prof', `--cpu-prof-dir=${path}`, '--cpu-prof-interval=200']
  const service = await startService(cleanup, fresh, workers, flags)
  /** The last two readings of the processor time are before and after the measured load. */
  const readUs: number[] = []
  const watched = {
    ...service,
    cpuTime: () => {
      readUs.push(monotonicUs())
      return service.cpuTime()
    },
  }
  const measured = await measure(cleanup, watched, workload, connections, setup)
  const [fromUs, toUs] = readUs.slice(-2) as [number, number]
  const times = timesByStage(path, stages, { fromUs, toUs })
  await remove()
  const bare = await startBareUws(cleanup, workers, measured.answerBytes)
  return {
    stages: sharesOf(times, javaScriptUs(measured, workers)),
    service: measured,
    bare: await measure(cleanup, bare, workload, connections, setup),
  }
}

/** A profile counts elapsed time, also while other processes have the processor: its shares count, not its sum. */
const sharesOf = (times: ReadonlyMap<string, number>, us: number): ReadonlyMap<string, number> => {
  const sum = sumOf(times.values())
  return new Map([...times].map(([stage, time]) => [stage, (time / sum) * us]))
}

/** The threads that run JavaScript are the busiest. */
const javaScriptUs = ({ cpu }: Measurement, workers: number): number => sumOf(cpu.threadsUs.slice(0, workers))

const print = (workload: WorkloadName, { stages, service, bare }: Budget): void => {
  const bareUs = bare.cpu.us
  const line = (name: string, us: number): string =>
    `${name.padEnd(20)} ${us.toFixed(1).padStart(8)} ${`× ${(us / bareUs).toFixed(2)}`.padStart(9)}`
  console.log(
    `\n${workload}: microseconds of a request, and × the bare handler with ${service.answerBytes} bytes`,
  )
  for (const [stage, us] of stages) console.log(line(stage, us))
  const js = sumOf(stages.values())
  console.log(line('sum', js))
  console.log(line('other threads', service.cpu.us - js))
  console.log(line('whole process', service.cpu.us))
  console.log(`by thread            ${threadsText(service.cpu.threadsUs)}`)
  console.log(line('bare handler', bareUs))
}
