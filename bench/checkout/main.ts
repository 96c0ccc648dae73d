import { autocannonGenerator } from '../autocannon.ts'
import type { Cleanup } from '../cleanup.ts'
import { machine } from '../conditions.ts'
import { createCharges, loadFor, warmUp } from '../measure.ts'
import type { Options } from '../options.ts'
import { newRandom } from '../random.ts'
import { type Failures, median, printConditions } from '../report.ts'
import { createCompanies, startService } from '../service.ts'
import { get, type LoadRequest, requestsOf } from '../workloads.ts'
import { findWrk } from '../wrk.ts'
import { createPages, openStreams, pageOrigin, views } from './payer-pages.ts'

/**
 * The cost of pages where payers pay: a view beside a read of the API, in turns in one service; and what open pages that wait for a payment take
 * of its memory, and of the creates beside them.
 */
export const benchCheckout = async (options: Options, cleanup: Cleanup): Promise<readonly Failures[]> => {
  const { workers, seed, seconds, rounds, openPages } = options
  const generator = (await findWrk(cleanup)) ?? autocannonGenerator
  const fresh = await createCompanies(cleanup, { count: options.companies, workers, random: newRandom(seed) })
  const [connections] = options.connections as [number]
  printConditions({
    ...machine(),
    generator: generator.name,
    workers,
    openPages,
    connections,
    seconds,
    rounds,
    seed,
  })
  const setup = { ...options, generator, companies: fresh.companies }
  const start = () => startService(cleanup, fresh, workers, [], { CHECKOUT_ORIGIN: pageOrigin })
  const failures: Failures[] = []

  const service = await start()
  const { origin } = service
  const choosing = await createPages(origin, fresh.companies, 500, false)
  const paying = await createPages(origin, fresh.companies, 500, true)
  const charges = await createCharges(service, fresh.companies, seed, 500)
  const kinds: Readonly<Record<string, readonly LoadRequest[]>> = {
    'read of a charge': charges.map(({ id, secret }) => get(`/v1/pix/charges/${id}`, secret)),
    'page to choose at': views(choosing),
    'page with a PIX code': views(paying),
  }
  const us = new Map<string, number[]>(Object.keys(kinds).map((name) => [name, []]))
  for (const requests of Object.values(kinds))
    await warmUp(cleanup, service, { origin, requests, connections }, setup)
  for (let round = 0; round < rounds; round++)
    for (const [name, requests] of Object.entries(kinds)) {
      const { result, cpu } = await loadFor(
        cleanup,
        service,
        { origin, requests, connections },
        seconds,
        generator,
      )
      failures.push(result)
      us.get(name)!.push(cpu.us)
    }
  await service.stop()
  console.log('\nprocessor time of a request')
  for (const [name, values] of us)
    console.log(`${name.padEnd(22)} ${median(values).toFixed(1).padStart(8)} us`)

  console.log(`\ncreates beside ${openPages} open pages   requests/s   p50 ms   p99 ms   memory MB`)
  const p99s = { alone: [] as number[], beside: [] as number[] }
  for (let round = 0; round < rounds; round++)
    for (const beside of ['alone', 'beside'] as const) {
      const one = await start()
      const pages = await createPages(one.origin, fresh.companies, openPages, true)
      const before = one.residentBytes()
      const end = beside === 'alone' ? null : await openStreams(one.origin, pages)
      const grown = one.residentBytes() - before
      const requests = requestsOf('create', {
        companies: fresh.companies,
        charges: [],
        marketplaces: [],
        seed,
        count: 10_000,
      })
      const load = { origin: one.origin, requests, connections }
      await warmUp(cleanup, one, load, setup)
      const { result } = await loadFor(cleanup, one, load, seconds, generator)
      end?.()
      await one.stop()
      failures.push(result)
      p99s[beside].push(result.p99Us)
      console.log(
        [
          beside.padEnd(32),
          (result.requests / result.seconds).toFixed(0).padStart(10),
          (result.p50Us / 1000).toFixed(2).padStart(8),
          (result.p99Us / 1000).toFixed(2).padStart(8),
          (beside === 'alone' ? '' : (grown / 2 ** 20).toFixed(1)).padStart(10),
        ].join(' '),
      )
    }
  console.log(`p99 of creates beside open pages: × ${(median(p99s.beside) / median(p99s.alone)).toFixed(2)}`)
  return failures
}
