import { Pool } from 'undici'
import { newTag } from '../generator.ts'
import type { Random } from '../random.ts'
import { type LoadRequest, markHolder } from '../workloads.ts'

/** What a load came to, in microseconds and requests a second. */
export type LoadResult = {
  readonly perSecond: number
  readonly p50Us: number
  readonly p99Us: number
  readonly requests: number
  readonly failures: number
}

/** A request and its answer; whether that was the right one. */
export type Exchange = () => Promise<boolean>

/** A shape of load: how long it lasts, and when it sends. */
export type Load = { readonly seconds: number } & (
  | /** So many clients that each send the next request when their last one was answered. */ {
      readonly clients: number
    }
  | /** Requests that come at random times, whatever became of those before (a Poisson process). */ {
      readonly perSecond: number
    }
)

/**
 * Puts a load on something, and measures it in this process to the microsecond: of banks that take 50 ms, the generators of other benches say no more
 * than whole milliseconds. Clients that wait for a bank of 50 ms end up in step with one another, so that each waits for the work of all: what one
 * request takes is seen where they come at random.
 */
export const run = async (exchange: Exchange, load: Load, random: Random): Promise<LoadResult> => {
  const took: number[] = []
  let failures = 0
  const one = async (): Promise<void> => {
    const from = performance.now()
    const isRight = await exchange()
    took.push(performance.now() - from)
    if (!isRight) failures += 1
  }
  const startedAt = performance.now()
  const untilMs = startedAt + load.seconds * 1000
  if ('clients' in load)
    await Promise.all(
      Array.from({ length: load.clients }, async () => {
        while (performance.now() < untilMs) await one()
      }),
    )
  else await Promise.all(await sentAtRandom(one, load.perSecond, untilMs, random))
  const elapsed = (performance.now() - startedAt) / 1000
  took.sort((one, other) => one - other)
  const at = (share: number): number =>
    1000 * took[Math.min(took.length - 1, Math.floor(share * took.length))]!
  return {
    perSecond: took.length / elapsed,
    p50Us: at(0.5),
    p99Us: at(0.99),
    requests: took.length,
    failures,
  }
}

const sentAtRandom = async (
  one: () => Promise<void>,
  perSecond: number,
  untilMs: number,
  random: Random,
): Promise<readonly Promise<void>[]> => {
  const sent: Promise<void>[] = []
  for (let nextMs = performance.now(); nextMs < untilMs; ) {
    nextMs += (-Math.log(1 - random()) * 1000) / perSecond
    const pauseMs = nextMs - performance.now()
    if (pauseMs > 1) await new Promise((resolve) => setTimeout(resolve, pauseMs))
    sent.push(one())
  }
  return sent
}

/** Creates at a service, each with a key of its own. */
export const createsAt = (
  origin: string,
  next: () => LoadRequest,
  connections: number,
): { readonly exchange: Exchange; readonly close: () => Promise<void> } => {
  const pool = new Pool(origin, { connections, pipelining: 1 })
  const tag = newTag()
  let sent = 0
  return {
    exchange: async () => {
      const { verb, path, headers, body } = next()
      const mark = tag + String(sent++).padStart(markHolder.length - tag.length, '0')
      const key = headers['Idempotency-Key']
      const answer = await pool.request({
        method: verb,
        path,
        headers: {
          ...headers,
          ...(key !== undefined && { 'Idempotency-Key': key.replace(markHolder, mark) }),
        },
        body: body?.replace(markHolder, mark) ?? null,
      })
      await answer.body.dump()
      return answer.statusCode === 201
    },
    close: () => pool.close(),
  }
}
