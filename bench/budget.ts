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
import { divides, type WorkloadName } from './workloads.ts'
import { findWrk } from './wrk.ts'

/** Where the processor time of a request goes: a stage each, in the order in which a request meets them. */
const stages: readonly Stage[] = [
  [
    'request in',
    /^gateway\/http\/(uws|exchange|request-head|deadlines)\.js (?!send|write|start|finish|endTurn|run|$)/,
  ],
  ['admission', /^gateway\/(http\/(authenticate|rate-limit)\.js|http\/pipeline\.js admit$|api-key\.js)/],
  [
    'route and input',
    /^gateway\/http\/(find-route|query|parameters|json|schema|formats|rules)\.js|pipeline\.js readInput$/,
  ],
  ['fingerprint', /^gateway\/http\/fingerprint\.js/],
  ['earlier reply', /^engine\/kernel\/shard\.js earlierReply$/],
  ['decision', /^engine\/(decide\.js|kernel\/shard\.js (turn|decided|fireDueTimers))/],
  [
    'memory',
    /^(engine\/kernel\/apply\.js|persistence\/(memory|timers|reply-register|index\/.*|snapshot\/.*)\.js)/,
  ],
  ['journal', /^(persistence\/(journal|codec|checksum|disk-space)\b|lmdb\/)/],
  [
    'after the flush',
    /^(persistence\/(outbox|stream)\/|gateway\/webhooks\/|persistence\/shard-host\.js onFlushed$)/,
  ],
  ['view', /^gateway\/(resources\/|routes\/.* view$)/],
  ['QR image', /^gateway\/documents\/qr-code\//],
  ['serialization', /^(gateway\/http\/serialize\.js| write\d+ *$)/],
  ['metrics and log', /^(gateway\/observability\/|prom-client\/|pino\/)/],
  ['answer out', /^gateway\/http\/(uws\.js (send|write|start|finish)|response-head\.js)/],
  ['garbage collection', /\(garbage collector\)$/],
]

/** Prints what each stage of a request takes, for each workload, beside a bare handler that answers as many bytes. */
export const benchBudget = async (options: Options, cleanup: Cleanup): Promise<void> => {
  const { workers, seed } = options
  const generator = (await findWrk(cleanup)) ?? autocannonGenerator
  const fresh = await createCompanies(cleanup, {
    count: options.companies,
    workers,
    random: newRandom(seed),
    ...(options.workloads.some(divides) && { scopes: 'charges.create,charges.read,marketplace.manage' }),
  })
  printConditions({ ...machine(), generator: generator.name, workers, connections: options.connections[0] })
  const setup = { ...options, generator, companies: fresh.companies }
  for (const workload of options.workloads)
    print(workload, await budgetOf(cleanup, workload, options, fresh, setup))
}

/** Microseconds of processor time for a request, by stage. */
export type Budget = {
  readonly stages: ReadonlyMap<string, number>
  readonly service: Measurement
  readonly bare: Measurement
}

const budgetOf = async (
  cleanup: Cleanup,
  workload: WorkloadName,
  { connections: [connections], workers }: Options,
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
  const measured = await measure(cleanup, watched, workload, connections!, setup)
  const [fromUs, toUs] = readUs.slice(-2) as [number, number]
  const times = timesByStage(path, stages, { fromUs, toUs })
  await remove()
  const bare = await startBareUws(cleanup, workers, measured.answerBytes)
  return {
    stages: new Map([...times].map(([stage, us]) => [stage, us / measured.requests])),
    service: measured,
    bare: await measure(cleanup, bare, workload, connections!, setup),
  }
}

const print = (workload: WorkloadName, { stages, service, bare }: Budget): void => {
  const bareUs = bare.cpu.us
  const line = (name: string, us: number): string =>
    `${name.padEnd(20)} ${us.toFixed(1).padStart(8)} ${`× ${(us / bareUs).toFixed(2)}`.padStart(9)}`
  console.log(
    `\n${workload}: microseconds of a request, and × the bare handler with ${service.answerBytes} bytes`,
  )
  for (const [stage, us] of stages) console.log(line(stage, us))
  const js = [...stages.values()].reduce((sum, us) => sum + us, 0)
  console.log(line('sum', js))
  console.log(line('other threads', service.cpu.us - js))
  console.log(line('whole process', service.cpu.us))
  console.log(`by thread            ${threadsText(service.cpu.threadsUs)}`)
  console.log(line('bare handler', bareUs))
}
