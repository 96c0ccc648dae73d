import { setTimeout as sleep } from 'node:timers/promises'
import { request } from 'undici'
import type { Cleanup } from '../cleanup.ts'
import { machine } from '../conditions.ts'
import type { Options } from '../options.ts'
import { newRandom } from '../random.ts'
import { printConditions } from '../report.ts'
import { createCompanies, openService, startService } from '../service.ts'
import type { Company } from '../target.ts'
import { seedSubscriptions } from './seed-service.ts'

/**
 * Very many subscriptions of one company that are due at once: how many invoices are issued and paid a second, and
 * how the company's own requests fare meanwhile.
 */
export const benchBilling = async (options: Options, cleanup: Cleanup): Promise<void> => {
  const { subscriptions, workers, seed } = options
  const fresh = await createCompanies(cleanup, {
    count: 1,
    workers,
    random: newRandom(seed),
    scopes: 'charges.create,charges.read,subscriptions.read,subscriptions.manage',
    daysAgo: 4,
  })
  printConditions({ ...machine(), subscriptions, workers, shards: fresh.shards, seed })
  const company = fresh.companies[0]!

  const idle = await startService(cleanup, fresh, workers)
  const alone = await requestsWhile(idle.origin, company, options.seconds * 1000, async () => true)
  await idle.stop()

  const seeding = performance.now()
  await seedSubscriptions(fresh, subscriptions, seed)
  console.log(`seeded ${subscriptions} subscriptions in ${seconds(performance.now() - seeding)}`)

  const starting = performance.now()
  const service = await openService(cleanup, fresh.path, workers)
  console.log(`start: ${seconds(performance.now() - starting)} (ready to serve, billing begins)`)
  const beside = await requestsWhile(service.origin, company, 0, async () => {
    const { activeSubscriptions } = (await ask(service.origin, company, '/v1/recurring/overview')) as {
      activeSubscriptions: number
    }
    return activeSubscriptions === subscriptions
  })
  console.log(
    `billed and paid: ${Math.round(subscriptions / (beside.ms / 1000))} a second, in ${seconds(beside.ms)}`,
  )
  for (const kind of ['create', 'read'] as const)
    console.log(
      `${kind.padEnd(7)} p50 ${ms(alone[kind].p50)} p99 ${ms(alone[kind].p99)} alone, p50 ${ms(beside[kind].p50)} p99 ${ms(beside[kind].p99)} during the run (p99 x ${(beside[kind].p99 / alone[kind].p99).toFixed(2)}, ${beside[kind].count} requests)`,
    )
  await service.child.stop()
}

/**
 * One client that creates a charge and reads it, fifty times a second, until enough time has passed and the work is done.
 */
const requestsWhile = async (
  origin: string,
  company: Company,
  leastMs: number,
  isDone: () => Promise<boolean>,
) => {
  const taken = { create: [] as number[], read: [] as number[] }
  const from = performance.now()
  for (let n = 0; ; n++) {
    await sleep(Math.max(0, from + n * pairEveryMs - performance.now()))
    const created = await timed(taken.create, () =>
      ask(origin, company, '/v1/pix/charges', { amount: 1990, externalId: `bench-${n}` }),
    )
    await timed(taken.read, () => ask(origin, company, `/v1/pix/charges/${(created as { id: string }).id}`))
    if (n % 20 === 0 && performance.now() - from >= leastMs && (await isDone())) break
  }
  return {
    ms: performance.now() - from,
    create: percentiles(taken.create),
    read: percentiles(taken.read),
  }
}

const pairEveryMs = 20

const timed = async <Value>(taken: number[], work: () => Promise<Value>): Promise<Value> => {
  const from = performance.now()
  const value = await work()
  taken.push(performance.now() - from)
  return value
}

const ask = async (origin: string, { secret }: Company, path: string, body?: object): Promise<unknown> => {
  const { statusCode, body: answer } = await request(origin + path, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { Authorization: `Bearer ${secret}`, 'Content-Type': 'application/json' },
    body: body === undefined ? null : JSON.stringify(body),
  })
  const text = await answer.text()
  if (statusCode >= 400) throw new Error(`${path} was answered with ${statusCode}: ${text}`)
  return JSON.parse(text)
}

const percentiles = (taken: readonly number[]) => {
  const sorted = [...taken].sort((a, b) => a - b)
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))]!
  return { count: sorted.length, p50: at(0.5), p99: at(0.99) }
}

const seconds = (ms: number): string => `${(ms / 1000).toFixed(2)} s`
const ms = (value: number): string => `${value.toFixed(1)} ms`
