import { autocannonGenerator } from '../autocannon.ts'
import type { Cleanup } from '../cleanup.ts'
import { machine } from '../conditions.ts'
import type { Generator } from '../generator.ts'
import type { Options } from '../options.ts'
import { openPostgres } from '../postgres.ts'
import { ownBytes, residentBytes } from '../processes.ts'
import { newRandom } from '../random.ts'
import { printConditions } from '../report.ts'
import { createCompanies, openService } from '../service.ts'
import type { Company } from '../target.ts'
import { requestsOf } from '../workloads.ts'
import { findWrk } from '../wrk.ts'
import { openListPeer } from './peer.ts'
import { answerOf, exportOnce, times } from './requests.ts'
import { listFilters, seedRows } from './rows.ts'
import { seedService } from './seed-service.ts'

/**
 * One company with a year of transactions: how fast the service starts with them, what they cost in memory, how fast
 * lists with totals are beside the same query in PostgreSQL, and what an export does to other requests.
 */
export const benchLists = async (options: Options, cleanup: Cleanup): Promise<void> => {
  const { rows, workers, seed } = options
  const endMs = Date.now() - 60_000
  const fresh = await createCompanies(cleanup, {
    count: 1,
    workers,
    random: newRandom(seed),
    scopes: 'charges.create,charges.read,transactions.read,transactions.export',
  })
  printConditions({ ...machine(), rows, workers, shards: fresh.shards, seed })

  const empty = await openService(cleanup, fresh.path, workers)
  const emptyBytes = ownBytes(empty.child.pid)
  await empty.child.stop()
  const seeding = performance.now()
  await seedService(fresh, seedRows(rows, seed, endMs))
  console.log(`seeded ${rows} transactions in ${seconds(performance.now() - seeding)}`)

  const starting = performance.now()
  const service = await openService(cleanup, fresh.path, workers)
  console.log(`start with them: ${seconds(performance.now() - starting)} (ready to serve)`)
  const own = ownBytes(service.child.pid)
  const mapped = residentBytes(service.child.pid) - own
  console.log(
    `memory: ${((own - emptyBytes) / rows).toFixed(0)} bytes a transaction, less that of an empty service; ${(mapped / rows).toFixed(0)} more are pages of files that were read, which the system may drop`,
  )

  const company = fresh.companies[0]!
  const url = options.peers.includes('fastify-postgres') ? await openPostgres(cleanup) : null
  const peer = url === null ? null : await openListPeer(url, seedRows(rows, seed, endMs))
  console.log(
    '\nlist of 25 with totals            service p50      p99   peer p50      p99   ratio of p50, p99',
  )
  for (const filter of listFilters(endMs)) {
    const ours = await times(options.listRequests, () =>
      answerOf(`${service.origin}/v1/transactions?${filter.query}`, company),
    )
    const theirs = peer && (await times(options.listRequests, () => peer.list(filter)))
    const ratio = theirs && `${(theirs.p50 / ours.p50).toFixed(1)}  ${(theirs.p99 / ours.p99).toFixed(1)}`
    const columns = [ours.p50, ours.p99, ...(theirs ? [theirs.p50, theirs.p99] : [])]
    console.log(
      `${filter.title.padEnd(30)} ${columns.map((ms) => `${ms.toFixed(2)} ms`.padStart(10)).join('')}   ${ratio ?? ''}`,
    )
  }
  await peer?.close()
  for (const days of [30, 366]) {
    const from = new Date(endMs - (days - 1) * 86_400_000).toISOString().slice(0, 10)
    const { p50, p99 } = await times(options.listRequests, () =>
      answerOf(`${service.origin}/v1/overview?from=${from}`, company),
    )
    console.log(
      `${`overview of ${days} days`.padEnd(30)} ${[p50, p99].map((ms) => `${ms.toFixed(2)} ms`.padStart(10)).join('')}`,
    )
  }

  const generator = (await findWrk(cleanup)) ?? autocannonGenerator
  const alone = await createsWhile(cleanup, generator, service.origin, company, options)
  // Exports up to the last day, without the charges that the bench creates: an export has a maximum of rows.
  const lastDay = new Date(endMs - 86_400_000).toISOString().slice(0, 10)
  let exported = 0
  let isRunning = true
  const exporting = (async () => {
    const from = performance.now()
    while (isRunning) exported += await exportOnce(service.origin, company, `to=${lastDay}`, () => isRunning)
    return (performance.now() - from) / 1000
  })()
  const beside = await createsWhile(cleanup, generator, service.origin, company, options)
  isRunning = false
  const exportSeconds = await exporting
  console.log(`\nexport beside creates: ${Math.round(exported / exportSeconds)} rows a second`)
  console.log(
    `creates at ${createConnections} connections: p99 ${ms(alone.p99Us)} alone, ${ms(beside.p99Us)} beside an export (x ${(beside.p99Us / alone.p99Us).toFixed(2)}); ${Math.round(alone.requests / alone.seconds)}/s and ${Math.round(beside.requests / beside.seconds)}/s`,
  )
  const from = performance.now()
  const whole = await exportOnce(service.origin, company, `to=${lastDay}`)
  console.log(`export alone: ${whole} rows in ${seconds(performance.now() - from)}`)
  await service.child.stop()
}

const createConnections = 8

const createsWhile = (
  cleanup: Cleanup,
  generator: Generator,
  origin: string,
  company: Company,
  { seed, seconds }: Options,
) => {
  const ingredients = { companies: [company], charges: [], marketplaces: [], seed, count: 10_000 }
  const requests = requestsOf('create-one', ingredients)
  return generator.load(cleanup, { origin, requests, connections: createConnections, seconds })
}

const seconds = (ms: number): string => `${(ms / 1000).toFixed(2)} s`
const ms = (us: number): string => `${(us / 1000).toFixed(1)} ms`
