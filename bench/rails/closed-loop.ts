import { Pool } from 'undici'
import { newTag } from '../generator.ts'
import { type LoadRequest, markHolder } from '../workloads.ts'

/** What a load came to, in microseconds and requests a second. */
export type LoopResult = {
  readonly perSecond: number
  readonly p50Us: number
  readonly p99Us: number
  readonly requests: number
  readonly failures: number
}

/**
 * So many clients that each send the next request when their last one was answered, measured in this process to the microsecond: of banks that take
 * 50 ms, the generators of other benches say no more than whole milliseconds.
 */
export const loop = async (
  origin: string,
  next: () => LoadRequest,
  { connections, seconds }: { readonly connections: number; readonly seconds: number },
): Promise<LoopResult> => {
  const pool = new Pool(origin, { connections, pipelining: 1 })
  const tag = newTag()
  const took: number[] = []
  let sent = 0
  let failures = 0
  const startedAt = performance.now()
  const untilMs = startedAt + seconds * 1000
  const send = async (): Promise<void> => {
    const { verb, path, headers, body } = next()
    const mark = tag + String(sent++).padStart(markHolder.length - tag.length, '0')
    const key = headers['Idempotency-Key']
    const from = performance.now()
    const answer = await pool.request({
      method: verb,
      path,
      headers: { ...headers, ...(key !== undefined && { 'Idempotency-Key': key.replace(markHolder, mark) }) },
      body: body?.replace(markHolder, mark) ?? null,
    })
    await answer.body.dump()
    took.push(performance.now() - from)
    if (answer.statusCode !== 201) failures += 1
  }
  await Promise.all(
    Array.from({ length: connections }, async () => {
      while (performance.now() < untilMs) await send()
    }),
  )
  const elapsed = (performance.now() - startedAt) / 1000
  await pool.close()
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
