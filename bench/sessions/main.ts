import { join } from 'node:path'
import { request } from 'undici'
import { readMasterKey } from '../../persistence/home/master-key.ts'
import { autocannonGenerator } from '../autocannon.ts'
import type { Cleanup } from '../cleanup.ts'
import { machine } from '../conditions.ts'
import type { Generator } from '../generator.ts'
import { loadFor, warmUp } from '../measure.ts'
import type { Options } from '../options.ts'
import { newRandom } from '../random.ts'
import { type Failures, median, printConditions } from '../report.ts'
import { createCompanies, type FreshData, startService } from '../service.ts'
import type { Target } from '../target.ts'
import { createRequest, get, type LoadRequest, requestsOf } from '../workloads.ts'
import { findWrk } from '../wrk.ts'
import { checkCosts } from './checks.ts'
import { listenLive, type PagesRead, readPages } from './pages.ts'
import { signInVisitors, type Visitor } from './people.ts'

/**
 * The cost of people at the dashboard for payments: creates alone, beside pages that people read, and beside their
 * live streams as well; and the cost of authenticating a person, beside a key.
 */
export const benchSessions = async (options: Options, cleanup: Cleanup): Promise<readonly Failures[]> => {
  const { workers, seed, people, pageEveryMs, seconds, rounds } = options
  const generator = (await findWrk(cleanup)) ?? autocannonGenerator
  const fresh = await createCompanies(cleanup, { count: options.companies, workers, random: newRandom(seed) })
  const { visitors, registers } = await signInVisitors(fresh, people, seed)
  const [connections] = options.connections as [number]
  printConditions({
    ...machine(),
    generator: generator.name,
    workers,
    people,
    pageEveryMs,
    connections,
    seconds,
    rounds,
    seed,
  })
  const bench = { options, cleanup, generator, fresh, visitors }
  const failures = await printBeside(bench, connections)
  await printReads(bench, connections)
  const masterKey = readMasterKey(join(fresh.path, 'master.key'))!
  const { keyUs, sessionUs } = checkCosts(registers, visitors, masterKey, options.checks)
  console.log(`\nthe check itself: ${keyUs.toFixed(2)} us by key, ${sessionUs.toFixed(2)} by session`)
  return failures
}

type Bench = {
  readonly options: Options
  readonly cleanup: Cleanup
  readonly generator: Generator
  readonly fresh: FreshData
  readonly visitors: readonly Visitor[]
}

const besides = ['alone', 'pages', 'pages and live'] as const
type Beside = (typeof besides)[number]

/** In turns, each on a service of its own, so that none inherits the charges of another. */
const printBeside = async (bench: Bench, connections: number): Promise<readonly Failures[]> => {
  const { rounds, seed } = bench.options
  const failures: Failures[] = []
  const p99s = new Map<Beside, number[]>(besides.map((beside) => [beside, []]))
  console.log(
    '\ncreates beside     requests/s   p50 ms   p99 ms   cpu us  pages/s requests/s   p50 ms   p99 ms',
  )
  for (let round = 0; round < rounds; round++)
    for (const beside of besides) {
      const requests = requestsOf('create', {
        companies: bench.fresh.companies,
        charges: [],
        marketplaces: [],
        seed,
        count: 10_000,
      })
      const { result, cpu, read } = await createsBeside(bench, beside, requests, connections)
      p99s.get(beside)!.push(result.p99Us)
      failures.push({
        statusErrors: result.statusErrors + (read?.failed ?? 0),
        socketErrors: result.socketErrors,
      })
      console.log(
        [
          beside.padEnd(18),
          (result.requests / result.seconds).toFixed(0).padStart(10),
          (result.p50Us / 1000).toFixed(2).padStart(8),
          (result.p99Us / 1000).toFixed(2).padStart(8),
          cpu.us.toFixed(1).padStart(8),
          ...(read === null
            ? []
            : [
                (read.pages / read.seconds).toFixed(1).padStart(8),
                (read.requests / read.seconds).toFixed(1).padStart(10),
                read.p50Ms.toFixed(2).padStart(8),
                read.p99Ms.toFixed(2).padStart(8),
              ]),
        ].join(' '),
      )
    }
  const p99Of = (beside: Beside): number => median(p99s.get(beside)!)
  for (const beside of besides.slice(1))
    console.log(`p99 of creates beside ${beside}: × ${(p99Of(beside) / p99Of('alone')).toFixed(2)}`)
  return failures
}

const createsBeside = async (
  { options, cleanup, generator, fresh, visitors }: Bench,
  beside: Beside,
  requests: readonly LoadRequest[],
  connections: number,
) => {
  const service = await startService(cleanup, fresh, options.workers)
  const load = { origin: service.origin, requests, connections }
  const { origin } = service
  const deafen = beside === 'pages and live' ? await listenLive(visitors, origin) : null
  // Reading starts before the warm-up, so that the code of pages is compiled then, too.
  const endReading = beside === 'alone' ? null : readPages(visitors, { ...options, origin })
  await warmUp(cleanup, service, load, { ...options, generator, companies: fresh.companies })
  const { result, cpu } = await loadFor(cleanup, service, load, options.seconds, generator)
  const read: PagesRead | null = (await endReading?.()) ?? null
  deafen?.()
  await service.stop()
  return { result, cpu, read }
}

/** The same read by key and by session, in turns. */
const printReads = async (
  { options, cleanup, generator, fresh, visitors }: Bench,
  connections: number,
): Promise<void> => {
  const service = await startService(cleanup, fresh, options.workers)
  const paths = await createdPaths(service, visitors, options.seed)
  const byKey = (): LoadRequest[] => visitors.map(({ company }, n) => get(paths[n]!, company.secret))
  const bySession = (): LoadRequest[] =>
    visitors.map(({ headers }, n) => ({ verb: 'GET', path: paths[n]!, headers: headers(), body: null }))
  const cpuUs = async (requests: readonly LoadRequest[]): Promise<number> => {
    const load = { origin: service.origin, requests, connections }
    const { result, cpu } = await loadFor(cleanup, service, load, options.seconds, generator)
    if (result.statusErrors > 0) throw new Error(`${result.statusErrors} reads were refused`)
    return cpu.us
  }
  const load = { origin: service.origin, requests: byKey(), connections }
  await warmUp(cleanup, service, load, { ...options, generator, companies: fresh.companies })
  await cpuUs(bySession())
  const [keyUs, sessionUs]: [number[], number[]] = [[], []]
  for (let round = 0; round < options.rounds; round++) {
    keyUs.push(await cpuUs(byKey()))
    sessionUs.push(await cpuUs(bySession()))
  }
  await service.stop()
  console.log(
    `\nread of a charge: ${median(keyUs).toFixed(1)} us of processor time by key, ${median(sessionUs).toFixed(1)} by session`,
  )
}

/** The path of a charge of each visitor's company. */
const createdPaths = (
  service: Target,
  visitors: readonly Visitor[],
  seed: number,
): Promise<readonly string[]> => {
  const random = newRandom(seed)
  return Promise.all(
    visitors.map(async ({ company }) => {
      const { path, headers, body } = createRequest(random, company)
      const key = `${company.id}-${Math.floor(random() * 2 ** 32)}`
      const answer = await request(service.origin + path, {
        method: 'POST',
        headers: { ...headers, 'Idempotency-Key': key },
        body: body!.replace(/#mark\d+#/, key),
      })
      const { id } = (await answer.body.json()) as { readonly id: string }
      return `${path}/${id}`
    }),
  )
}
