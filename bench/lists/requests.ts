import { request } from 'undici'
import type { Company } from '../target.ts'

/** Asks once, and reads the whole answer. */
export const answerOf = async (url: string, { secret }: Company): Promise<string> => {
  const { statusCode, body } = await request(url, { headers: { Authorization: `Bearer ${secret}` } })
  const text = await body.text()
  if (statusCode !== 200) throw new Error(`${url} was answered with ${statusCode}: ${text}`)
  return text
}

/** The number of rows exported of a period; stops when `isWanted` returns false. */
export const exportOnce = async (
  origin: string,
  { secret }: Company,
  period: string,
  isWanted: () => boolean = () => true,
): Promise<number> => {
  const { statusCode, body } = await request(`${origin}/v1/transactions/export?${period}`, {
    headers: { Authorization: `Bearer ${secret}` },
  })
  if (statusCode !== 200) throw new Error(`an export was answered with ${statusCode}: ${await body.text()}`)
  let lines = 0
  for await (const chunk of body) {
    lines += linesIn(chunk as Buffer)
    if (!isWanted()) break
  }
  return Math.max(0, lines - 1)
}

/** Counts lines by searching, not byte by byte: the client shares its cores with the service. */
const linesIn = (chunk: Buffer): number => {
  let lines = 0
  for (let at = chunk.indexOf(10); at !== -1; at = chunk.indexOf(10, at + 1)) lines += 1
  return lines
}

/** Times `count` runs after as many uncounted ones: the first runs of a process take several times as long. */
export const times = async (count: number, work: () => Promise<unknown>): Promise<Percentiles> => {
  for (let n = 0; n < count; n++) await work()
  const taken: number[] = []
  for (let n = 0; n < count; n++) taken.push(await timeOf(work))
  return percentilesOf(taken)
}

/** Milliseconds. */
export type Percentiles = { readonly p50: number; readonly p99: number }

export const timeOf = async (work: () => Promise<unknown>): Promise<number> => {
  const from = performance.now()
  await work()
  return performance.now() - from
}

export const percentilesOf = (taken: readonly number[]): Percentiles => {
  const sorted = [...taken].sort((a, b) => a - b)
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))]!
  return { p50: at(0.5), p99: at(0.99) }
}
