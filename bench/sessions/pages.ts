import { get, type IncomingMessage } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { Pool } from 'undici'
import { newRandom, oneOf } from '../random.ts'
import type { Visitor } from './people.ts'

/** The pages and requests read during a load. */
export type PagesRead = {
  readonly seconds: number
  readonly pages: number
  readonly requests: number
  readonly failed: number
  readonly p50Ms: number
  readonly p99Ms: number
}

type Options = { readonly origin: string; readonly pageEveryMs: number; readonly seed: number }

/**
 * Has each visitor open a page at intervals, until the returned function is called: an open loop, so slow
 * responses make it no slower.
 */
export const readPages = (visitors: readonly Visitor[], options: Options): (() => Promise<PagesRead>) => {
  const pool = new Pool(options.origin, { connections: visitors.length })
  const taken: number[] = []
  const begunAtMs = performance.now()
  let [requests, failed, isEnding] = [0, 0, false]

  const read = async (path: string, visitor: Visitor): Promise<string> => {
    requests += 1
    const { statusCode, body } = await pool.request({ method: 'GET', path, headers: visitor.headers() })
    const text = await body.text()
    if (statusCode !== 200) throw new Error(`${path} was answered with ${statusCode}: ${text}`)
    return text
  }

  const open = async (page: Page, visitor: Visitor): Promise<void> => {
    const from = performance.now()
    try {
      await page((path) => read(path, visitor))
      taken.push(performance.now() - from)
    } catch (error) {
      if (failed === 0) console.error('bench:', error)
      failed += 1
    }
  }

  const visit = async (visitor: Visitor, seed: number): Promise<void> => {
    const random = newRandom(seed)
    const opened: Promise<void>[] = []
    await sleep(random() * options.pageEveryMs)
    while (!isEnding) {
      opened.push(open(oneOf(random, pages), visitor))
      await sleep((0.5 + random()) * options.pageEveryMs)
    }
    await Promise.all(opened)
  }

  const visits = visitors.map((visitor, n) => visit(visitor, options.seed + n))
  return async () => {
    isEnding = true
    const seconds = (performance.now() - begunAtMs) / 1000
    await Promise.all(visits)
    await pool.close()
    taken.sort((a, b) => a - b)
    const at = (share: number): number =>
      taken[Math.min(taken.length - 1, Math.floor(share * taken.length))] ?? 0
    return { seconds, pages: taken.length, requests, failed, p50Ms: at(0.5), p99Ms: at(0.99) }
  }
}

type Page = (read: (path: string) => Promise<string>) => Promise<unknown>

const day = (ago: number): string => new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10)

const all =
  (...paths: readonly string[]): Page =>
  (read) =>
    Promise.all(paths.map(read))

/** The requests of pages of the dashboard, as their components send them. */
const pages: readonly Page[] = [
  (read) =>
    all(
      '/v1/session',
      '/v1/company',
      '/v1/notifications?unread=true&pageSize=1',
      '/v1/transactions?pageSize=7',
      `/v1/overview?from=${day(29)}&to=${day(0)}`,
      '/v1/recurring/overview',
    )(read),
  all('/v1/transactions?pageSize=25', '/v1/transactions/facets'),
  async (read) => {
    const { data } = JSON.parse(await read('/v1/transactions?pageSize=25')) as { data: { id: string }[] }
    await Promise.all(data.slice(0, 1).map(({ id }) => read(`/v1/transactions/${id}`)))
  },
  all('/v1/customers?pageSize=25'),
  all('/v1/webhooks/deliveries?pageSize=25', '/v1/webhooks/endpoints'),
  all('/v1/keys'),
]

/** Opens a live stream for each visitor, as an open dashboard does. The returned function ends all of them. */
export const listenLive = async (visitors: readonly Visitor[], origin: string): Promise<() => void> => {
  const open = (visitor: Visitor): Promise<IncomingMessage> =>
    new Promise((resolve, reject) => {
      get(`${origin}/v1/live`, { agent: false, headers: visitor.headers() }, resolve).on('error', reject)
    })
  const streams = await Promise.all(visitors.map(open))
  for (const stream of streams) {
    if (stream.statusCode !== 200) throw new Error(`a live stream was answered with ${stream.statusCode}`)
    stream.resume()
    stream.on('error', () => undefined)
  }
  return () => {
    for (const stream of streams) stream.destroy()
  }
}
