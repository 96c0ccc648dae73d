import { Pool } from 'undici'
import type { Cleanup } from './cleanup.ts'
import { type Generator, type Load, type LoadResult, newTag } from './generator.ts'
import { inParallel } from './in-parallel.ts'
import type { Options } from './options.ts'
import { newRandom } from './random.ts'
import { createSplitRules } from './split-rules.ts'
import type { Company, Target } from './target.ts'
import {
  createRequest,
  divides,
  type KnownCharge,
  markHolder,
  reads,
  requestsOf,
  type WorkloadName,
} from './workloads.ts'

/** One workload at one number of connections, on a target that was started for it. */
export type Measurement = LoadResult & {
  readonly requestsPerSecond: number
  /** The average size of a response with its head. */
  readonly answerBytes: number
  /** Processor time of a request; for the peer over PostgreSQL without PostgreSQL's own. */
  readonly cpu: CpuEach
  readonly residentBytes: number
  /** While the load ran; null for a peer. */
  readonly journal: { readonly commits: number; readonly entriesPerCommit: number } | null
}

export type Setup = Pick<Options, 'seconds' | 'warmUpSeconds' | 'seed' | 'charges'> & {
  readonly generator: Generator
  readonly companies: readonly Company[]
}

/** Creates the charges that the workload reads, warms up, loads, and stops the target. */
export const measure = async (
  cleanup: Cleanup,
  target: Target,
  workload: WorkloadName,
  connections: number,
  setup: Setup,
): Promise<Measurement> => {
  const { generator, companies, seed } = setup
  const charges = await createCharges(target, companies, seed, reads(workload) ? setup.charges : 1)
  const marketplaces = divides(workload) ? await createSplitRules(target, companies, seed) : []
  const requests = requestsOf(workload, { companies, charges, marketplaces, seed, count: requestsPrepared })
  const load = { origin: target.origin, requests, connections }
  await warmUp(cleanup, target, load, setup)
  const before = await target.journal()
  const { result, cpu } = await loadFor(cleanup, target, load, setup.seconds, generator)
  const after = await target.journal()
  const residentBytes = target.residentBytes()
  await target.stop()
  const commits = (after?.commits ?? 0) - (before?.commits ?? 0)
  const entries = (after?.entries ?? 0) - (before?.entries ?? 0)
  return {
    ...result,
    requestsPerSecond: result.requests / result.seconds,
    answerBytes: Math.round(result.bytes / Math.max(1, result.requests)),
    cpu,
    residentBytes,
    journal: after && { commits, entriesPerCommit: entries / Math.max(1, commits) },
  }
}

/** Processor time of a request in microseconds, in all and by thread, the busiest first. */
export type CpuEach = {
  readonly us: number
  readonly userUs: number
  readonly systemUs: number
  readonly threadsUs: readonly number[]
}

/** Loads a target, and reads its processor time. */
export const loadFor = async (
  cleanup: Cleanup,
  target: Target,
  load: Omit<Load, 'seconds'>,
  seconds: number,
  generator: Generator,
): Promise<{ readonly result: LoadResult; readonly cpu: CpuEach }> => {
  const before = target.cpuTime()
  const result = await generator.load(cleanup, { ...load, seconds })
  const after = target.cpuTime()
  const each = (us: number): number => us / Math.max(1, result.requests)
  const userUs = each(after.userUs - before.userUs)
  const systemUs = each(after.systemUs - before.systemUs)
  const threadsUs = [...after.threads]
    .map(([thread, us]) => each(us - (before.threads.get(thread) ?? 0)))
    .sort((a, b) => b - a)
  return { result, cpu: { us: userUs + systemUs, userUs, systemUs, threadsUs } }
}

/** Loads until a request takes as much processor time as in the load before: the first thousands take five times as much. */
export const warmUp = async (
  cleanup: Cleanup,
  target: Target,
  load: Omit<Load, 'seconds'>,
  { warmUpSeconds, generator }: Setup,
): Promise<void> => {
  if (warmUpSeconds === 0) return
  let beforeUs = Number.POSITIVE_INFINITY
  for (let times = 0; times < warmUpsMax; times++) {
    const { cpu } = await loadFor(cleanup, target, load, warmUpSeconds, generator)
    if (cpu.us > beforeUs * steadyShare) return
    beforeUs = cpu.us
  }
}

const warmUpsMax = 6
/** The target is warm when the next load takes at least this share of the one before. */
const steadyShare = 0.97

/** As many different requests as a load has before it repeats them, with other marks. */
const requestsPrepared = 10_000
const connectionsToCreate = 32

export const createCharges = async (
  target: Target,
  companies: readonly Company[],
  seed: number,
  count: number,
): Promise<KnownCharge[]> => {
  const random = newRandom(seed + 1)
  const tag = newTag()
  const pool = new Pool(target.origin, { connections: connectionsToCreate })
  const companyOf = (index: number): Company => companies[index % companies.length]!
  const orders = Array.from({ length: count }, (_, index) => createRequest(random, companyOf(index)))
  const charges = await inParallel(
    connectionsToCreate,
    orders,
    async ({ verb, path, headers, body }, index) => {
      const mark = tag + String(index).padStart(markHolder.length - tag.length, '0')
      const answer = await pool.request({
        method: verb,
        path,
        headers: { ...headers, 'Idempotency-Key': `pedido-${mark}` },
        body: body!.replace(markHolder, mark),
      })
      const text = await answer.body.text()
      if (answer.statusCode !== 201)
        throw new Error(`a charge was answered with ${answer.statusCode}: ${text}`)
      const { id } = JSON.parse(text) as { id: string }
      return { id, secret: companyOf(index).secret }
    },
  )
  await pool.close()
  return charges
}
