import { setTimeout as sleep } from 'node:timers/promises'
import { request } from 'undici'
import { autocannonGenerator } from '../autocannon.ts'
import type { Cleanup } from '../cleanup.ts'
import { machine } from '../conditions.ts'
import type { Generator } from '../generator.ts'
import type { Options } from '../options.ts'
import { printConditions } from '../report.ts'
import type { Company } from '../target.ts'
import { requestsOf } from '../workloads.ts'
import { findWrk } from '../wrk.ts'
import { type Merchants, openMerchants } from './merchants.ts'
import { openReceiver, type Receiver } from './open-receiver.ts'
import { seedCharges } from './seed-charges.ts'
import { allHeard, type EventService, startEventService } from './service.ts'
import { benchStreams } from './streams.ts'

/**
 * How many public events are published, and how many webhooks delivered for the first time, a second, when the
 * receiver answers at once: beside new charges at full speed, and for very many events that come together.
 */
export const benchEvents = async (options: Options, cleanup: Cleanup): Promise<void> => {
  const { workers, seed, burst, seconds } = options
  const generator = (await findWrk(cleanup)) ?? autocannonGenerator
  const receiver = await openReceiver(cleanup)
  const merchants = await openMerchants(cleanup, options, options.companies, (id) => [
    `${receiver.origin}/${id}`,
  ])
  const half = Math.floor(merchants.companies.length / 2)
  const [live, waiting] = [merchants.companies.slice(0, half), merchants.companies.slice(half)]
  await seedCharges(merchants, waiting, Math.ceil(burst / waiting.length), seed, hourMs)
  // The service publishes the last ten minutes of a journal to a new stream again: only these charges.
  await seedCharges(merchants, live.slice(0, 1), 1, seed, hourMs / 2)
  const connections = options.connections[0]!
  const conditions = { generator: generator.name, workers, shards: merchants.shards, connections, seconds }
  printConditions({ ...machine(), ...conditions, companies: options.companies, burst, seed })
  console.log(
    '\nstream     load     charges/s published/s deliveries/s   p50 ms   p99 ms repeats  cpu us each',
  )
  for (const stream of benchStreams(cleanup)) {
    const service = await startEventService(cleanup, merchants, workers, stream, receiver)
    const bench = { service, receiver, merchants, generator, cleanup, options }
    if (options.warmUpSeconds > 0) await besideCreates(bench, live, options.warmUpSeconds)
    printRow(stream.name, 'creates', await besideCreates(bench, live, seconds))
    printRow(stream.name, 'burst', await together(bench, waiting))
    await service.stop()
  }
}

const hourMs = 3_600_000

type Bench = {
  readonly service: EventService
  readonly receiver: Receiver
  readonly merchants: Merchants
  readonly generator: Generator
  readonly cleanup: Cleanup
  readonly options: Options
}

type Result = {
  readonly chargesPerSecond: number | null
  readonly publishedPerSecond: number
  readonly deliveriesPerSecond: number
  readonly p50Ms: number | null
  readonly p99Ms: number | null
  readonly repeats: number
  /** Processor time of the service, for everything that led to a delivery. */
  readonly cpuUsEach: number
}

/** Two events a charge, while the load lasts; what is left over afterwards has to arrive too. */
const besideCreates = async (
  bench: Bench,
  companies: readonly Company[],
  seconds: number,
): Promise<Result> => {
  const { service, receiver, generator, cleanup, options } = bench
  const requests = requestsOf('create', {
    companies,
    charges: [],
    marketplaces: [],
    seed: options.seed,
    count: requestsPrepared,
  })
  const before = await standing(bench)
  const load = await generator.load(cleanup, {
    origin: service.origin,
    requests,
    connections: options.connections[0]!,
    seconds,
  })
  const [heard, published] = [await receiver.count(), await service.published()]
  const elapsed = (performance.now() - before.atMs) / 1000
  const report = await settle(bench, before)
  return {
    chargesPerSecond: load.requests / load.seconds,
    publishedPerSecond: (published - before.published) / elapsed,
    deliveriesPerSecond: (heard - before.heard) / elapsed,
    p50Ms: report.p50Ms,
    p99Ms: report.p99Ms,
    repeats: report.repeats,
    cpuUsEach: (1000 * (service.cpuMs() - before.cpuMs)) / report.deliveries,
  }
}

/** All charges of these companies expire in the same moment: the Sandbox's clock is moved past it. */
const together = async (bench: Bench, companies: readonly Company[]): Promise<Result> => {
  const { service } = bench
  const before = await standing(bench)
  const advancing = companies.map(({ secret }) => advanceClock(service.origin, secret))
  let published = before.published
  let publishedAtMs = performance.now()
  const expected = Math.ceil(bench.options.burst / companies.length) * companies.length
  while (published - before.published < expected) {
    // Reading the metrics costs the service time, too.
    await sleep(250)
    published = await service.published()
    publishedAtMs = performance.now()
  }
  await Promise.all(advancing)
  const report = await settle(bench, before)
  return {
    chargesPerSecond: null,
    publishedPerSecond: (published - before.published) / ((publishedAtMs - before.atMs) / 1000),
    deliveriesPerSecond: report.deliveries / ((report.lastAtMs - report.firstAtMs) / 1000),
    p50Ms: null,
    p99Ms: null,
    repeats: report.repeats,
    cpuUsEach: (1000 * (service.cpuMs() - before.cpuMs)) / report.deliveries,
  }
}

const standing = async ({ service, receiver }: Bench) => ({
  heard: await receiver.count(),
  published: await service.published(),
  cpuMs: service.cpuMs(),
  atMs: performance.now(),
})

/** Every event that was published has one endpoint: as many deliveries have to arrive, signed by its secret. */
const settle = async (
  { service, receiver, merchants }: Bench,
  before: { readonly heard: number; readonly published: number },
) => {
  for (let published = -1; published !== (await service.published()); ) {
    published = await service.published()
    await allHeard(receiver, before.heard + published - before.published)
    await sleep(200)
  }
  const report = await receiver.report()
  const bad = merchants.badSignatures(report)
  if (bad > 0) throw new Error(`${bad} of ${report.samples.length} signatures are wrong`)
  return report
}

const requestsPrepared = 10_000

const advanceClock = async (origin: string, secret: string): Promise<void> => {
  const { statusCode, body } = await request(`${origin}/v1/sandbox/clock/advance`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${secret}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ by: 'P31D' }),
  })
  await body.dump()
  // A clock that is still on its way is answered with 202; it goes on.
  if (statusCode >= 400) throw new Error(`the clock was answered with ${statusCode}`)
}

const printRow = (stream: string, load: string, result: Result): void => {
  const number = (value: number | null, digits = 0): string =>
    value === null ? '-' : value.toLocaleString('en-US', { maximumFractionDigits: digits })
  console.log(
    [
      stream.padEnd(10),
      load.padEnd(8),
      number(result.chargesPerSecond).padStart(9),
      number(result.publishedPerSecond).padStart(11),
      number(result.deliveriesPerSecond).padStart(12),
      number(result.p50Ms).padStart(8),
      number(result.p99Ms).padStart(8),
      number(result.repeats).padStart(7),
      number(result.cpuUsEach).padStart(12),
    ].join(' '),
  )
}
