import { sep } from 'node:path'
import { Pool } from 'undici'
import type { Cleanup } from '../cleanup.ts'
import { openMerchants } from '../events/merchants.ts'
import { openReceiver } from '../events/open-receiver.ts'
import { allHeard } from '../events/service.ts'
import { inParallel } from '../in-parallel.ts'
import { createCharges } from '../measure.ts'
import type { Options } from '../options.ts'
import { cpuTime } from '../processes.ts'
import { openService, readMetrics } from '../service.ts'
import { filesIn } from './measure-service.ts'

/** Bytes of a data directory by the part that they belong to. */
export type Parts = Readonly<Record<Part, number>>
const parts = ['journal', 'state', 'archive', 'other'] as const
type Part = (typeof parts)[number]

export const partsOf = (dataDir: string): Parts => {
  const sums = { journal: 0, state: 0, archive: 0, other: 0 }
  for (const { path, bytes } of filesIn(dataDir)) {
    const folders = path.slice(dataDir.length).split(sep)
    sums[parts.find((part) => folders.includes(part)) ?? 'other'] += bytes
  }
  return sums
}

/** The parts, each by so many transactions. */
export const each = (bytes: Parts, count: number): Parts => mapped((part) => bytes[part] / count)

const mapped = (read: (part: Part) => number): Parts =>
  Object.fromEntries(parts.map((part) => [part, read(part)])) as Parts

/**
 * What a PIX charge takes that was created, paid and told of by webhooks, before anything is packed; and how much of the
 * journal's share is what was written to it, the rest being what its pages have left over.
 */
export const measurePaidCharge = async (
  cleanup: Cleanup,
  options: Options,
): Promise<{ readonly disk: Parts; readonly writtenBytes: number }> => {
  const { workers, seed, historyCharges: count } = options
  const receiver = await openReceiver(cleanup)
  const { path, companies } = await openMerchants(cleanup, options, 1, (id) => [`${receiver.origin}/${id}`])
  const before = partsOf(path)
  const { child, origin } = await openService(cleanup, path, workers)
  const target = {
    origin,
    journal: async () => null,
    residentBytes: () => 0,
    cpuTime: () => cpuTime(child.pid),
    stop: child.stop,
  }
  const charges = await createCharges(target, companies, seed, count)
  const pool = new Pool(origin, { connections: 32 })
  await inParallel(32, charges, async ({ id, secret }) => {
    const { statusCode, body } = await pool.request({
      method: 'POST',
      path: `/v1/sandbox/pix/charges/${id}/pay`,
      headers: { Authorization: `Bearer ${secret}`, 'Content-Type': 'application/json' },
      body: '{}',
    })
    const text = await body.text()
    if (statusCode !== 200) throw new Error(`a payment was answered with ${statusCode}: ${text}`)
  })
  await pool.close()
  await allHeard(receiver, eventsEach * count)
  const writtenBytes = (await readMetrics(path))('payments_journal_bytes_total') / count
  await child.stop()
  const after = partsOf(path)
  const grown = mapped((part) => after[part] - before[part])
  return { disk: each(grown, count), writtenBytes }
}

/** From its creation to its settlement; each is delivered once. */
const eventsEach = 6
