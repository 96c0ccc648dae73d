import type { Cleanup } from '../cleanup.ts'
import { openListPeer } from '../lists/peer.ts'
import { answerOf, type Percentiles, percentilesOf, timeOf, times } from '../lists/requests.ts'
import { type ListFilter, listFilters } from '../lists/rows.ts'
import type { Options } from '../options.ts'
import { openPostgres } from '../postgres.ts'
import { threadsUs } from '../processes.ts'
import { openService } from '../service.ts'
import type { Company } from '../target.ts'
import type { HistoryData } from './data.ts'
import { dropPages, type RunningService } from './measure-service.ts'
import { historyRows } from './rows.ts'
import type { Sample } from './slice.ts'

/** The lists that people open first. */
const recentLists = (endMs: number): readonly ListFilter[] =>
  [30, 90].map((days) => ({
    title: `last ${days} days`,
    query: `from=${dayBefore(endMs, days)}`,
    where: `created_at >= '${dayBefore(endMs, days)}T03:00:00Z'`,
  }))

/** Those of the other bench, which go over all of it, and one that only the first year has. */
const filtersOver = (endMs: number): readonly ListFilter[] => [
  ...listFilters(endMs),
  {
    title: 'a month of the first year',
    query: `from=${dayBefore(endMs, 395)}&to=${dayBefore(endMs, 365)}`,
    where: `created_at >= '${dayBefore(endMs, 395)}T03:00:00Z' AND created_at < '${dayBefore(endMs, 364)}T03:00:00Z'`,
  },
]

const dayBefore = (endMs: number, days: number): string =>
  new Date(endMs - days * 86_400_000).toISOString().slice(0, 10)

export type Asked = Percentiles & {
  readonly title: string
  /** Processor time of the service for each. */
  readonly cpuUs: number
  readonly peer: Percentiles | null
}

/** Lists with totals, one after the other, on a service that has had time to warm up. */
export const askLists = async (
  { child, origin }: RunningService,
  data: HistoryData,
  peer: Peer | null,
  count: number,
): Promise<readonly Asked[]> => {
  const company = data.companies[0]!
  const asked: Asked[] = []
  for (const filter of [...recentLists(data.endMs), ...filtersOver(data.endMs)]) {
    const list = () => answerOf(`${origin}/v1/transactions?${filter.query}`, company)
    for (let n = 0; n < count; n++) await list()
    const { percentiles, cpuUs } = await withCpu(child.pid, count, list)
    const theirs = peer && (await times(Math.min(count, peerRequests), () => peer.list(filter)))
    asked.push({ title: filter.title, ...percentiles, cpuUs, peer: theirs })
  }
  return asked
}

const peerRequests = 50

export type Peer = Awaited<ReturnType<typeof openListPeer>>

/** PostgreSQL with the first company's rows, or as many of them as asked for. */
export const openHistoryPeer = async (
  cleanup: Cleanup,
  data: HistoryData,
  { peerRows }: Options,
): Promise<Peer> => {
  const rows = function* () {
    let left = peerRows ?? data.rowsEach
    for (const row of historyRows(0, data)) if (left-- > 0) yield row
  }
  return openListPeer(await openPostgres(cleanup), rows())
}

/**
 * Every filter as the first question about old data after a start, with no page of the data in the cache of files. Lists of
 * the last day come before it, so that it does not pay for code that never ran.
 */
export const askCold = async (
  cleanup: Cleanup,
  data: HistoryData,
  { workers, rounds, listRequests }: Options,
): Promise<readonly Omit<Asked, 'peer' | 'cpuUs'>[]> => {
  const company = data.companies[0]!
  const lastDay = `from=${dayBefore(data.endMs, 1)}`
  const asked: Omit<Asked, 'peer' | 'cpuUs'>[] = []
  for (const { title, query } of filtersOver(data.endMs)) {
    const taken: number[] = []
    for (let round = 0; round < rounds; round++) {
      const { child, origin } = await startCold(cleanup, data, workers)
      const lists = `${origin}/v1/transactions`
      for (let n = 0; n < listRequests; n++)
        await answerOf(`${lists}?${lastDay}&${query.replace(/(from|to|q)=[^&]*&?/g, '')}`, company)
      taken.push(await timeOf(() => answerOf(`${lists}?${query}`, company)))
      await child.stop()
    }
    asked.push({ title, ...percentilesOf(taken) })
  }
  return asked
}

/**
 * Transactions of a year ago by each of their ids, every one asked for once, on a service that has just started. A third of them
 * is asked for over and over before, until the code is warm.
 */
export const askOne = async (
  cleanup: Cleanup,
  data: HistoryData,
  { workers, listRequests: count }: Options,
): Promise<readonly Omit<Asked, 'peer'>[]> => {
  const company = data.companies[0]!
  const { child, origin } = await startCold(cleanup, data, workers)
  const lists = `${origin}/v1/transactions`
  const lookups: readonly [string, Sample['method'], (sample: Sample) => string][] = [
    ['one by id', 'PIX', ({ id }) => `${lists}/${id}`],
    ['one by external id', 'PIX', ({ externalId }) => `${lists}?externalId=${externalId}`],
    ['one by end-to-end id', 'PIX', ({ key }) => `${lists}?endToEndId=${key}`],
    ['one by NSU', 'CREDIT_CARD', ({ key }) => `${lists}?nsu=${key}`],
  ]
  const asked: Omit<Asked, 'peer'>[] = []
  for (const [place, [title, method, urlOf]] of lookups.entries()) {
    // Each lookup has transactions of its own: none is known from the lookup before.
    const urls = data.samples
      .filter((sample) => sample.method === method)
      .filter((_, n) => n % lookups.length === place)
      .map(urlOf)
    const known = urls.slice(0, Math.ceil(urls.length / 3))
    for (let n = 0; n < warmUpsOfEach * count; n++) await find(known[n % known.length]!, company)
    const left = urls.slice(known.length)
    const { percentiles, cpuUs } = await withCpu(child.pid, left.length, () => find(left.pop()!, company))
    asked.push({ title, ...percentiles, cpuUs })
  }
  await child.stop()
  return asked
}

const warmUpsOfEach = 5

/** A lookup that finds nothing fails: it would measure a miss. */
const find = async (url: string, company: Company): Promise<void> => {
  const text = await answerOf(url, company)
  if (!text.includes('"id":"txn_')) throw new Error(`${url} finds nothing: ${text}`)
}

const startCold = async (
  cleanup: Cleanup,
  { path }: HistoryData,
  workers: number,
): Promise<RunningService> => {
  await dropPages(cleanup, path)
  return openService(cleanup, path, workers)
}

const withCpu = async (pid: number, count: number, ask: () => Promise<unknown>) => {
  const before = threadsUs(pid)
  const taken: number[] = []
  for (let n = 0; n < count; n++) taken.push(await timeOf(ask))
  return { percentiles: percentilesOf(taken), cpuUs: (threadsUs(pid) - before) / count }
}

/** The exact processor time of all threads. */
