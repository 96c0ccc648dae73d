import type { Cleanup } from './cleanup.ts'
import { measure, type Setup } from './measure.ts'
import type { Options } from './options.ts'
import { type Spread, startBareUws, startFastifyPostgres } from './peers.ts'
import { checkpoint } from './postgres.ts'
import { type FreshData, startService } from './service.ts'
import type { Target } from './target.ts'
import { divides, type WorkloadName } from './workloads.ts'

/** A contender, measured in turns: the service first, then its peers. Each starts fresh for every measurement. */
export type Contender = {
  readonly name: string
  /** The bare handler answers as many bytes as the service did. */
  readonly start: (answerBytes: number) => Promise<Target>
}

export type Arena = {
  readonly fresh: FreshData
  readonly setup: Setup
  /** Null when that peer is not asked for. */
  readonly postgresUrl: string | null
}

export const contendersFor = async (
  cleanup: Cleanup,
  workload: WorkloadName,
  connections: number,
  { workers, peers }: Options,
  arena: Arena,
): Promise<Contender[]> => {
  const { fresh, postgresUrl: url } = arena
  /** PostgreSQL must not write its backlog while another contender is measured. */
  const quietly = async (start: () => Promise<Target>): Promise<Target> => {
    if (url !== null) await checkpoint(url)
    return start()
  }
  const startOurs = () => startService(cleanup, fresh, workers)
  const contenders: Contender[] = [{ name: 'service', start: () => quietly(startOurs) }]
  // The peers have neither cards nor split rules.
  if (workload === 'card' || divides(workload)) return contenders
  if (url !== null) {
    const startWith = (spread: Spread): Promise<Target> =>
      quietly(() => startFastifyPostgres(cleanup, spread, { url, companies: fresh.companies }))
    const spread = await bestSpread(cleanup, workload, connections, workers, arena.setup, startWith)
    contenders.push({ name: 'fastify-postgres', start: () => startWith(spread) })
  }
  // The bare handler's constant represents responses of one size.
  if (peers.includes('bare-uws') && workload !== 'mixed') {
    contenders.push({
      name: 'bare-uws',
      start: (answerBytes) => quietly(() => startBareUws(cleanup, workers, answerBytes)),
    })
  }
  return contenders
}

/** Tries some spreads for a moment each: the peer should lose by its design, not by our settings. */
const bestSpread = async (
  cleanup: Cleanup,
  workload: WorkloadName,
  connections: number,
  workers: number,
  setup: Setup,
  startWith: (spread: Spread) => Promise<Target>,
): Promise<Spread> => {
  const spreads = [workers, workers + 1].flatMap((processes) =>
    poolSizes.map((pool) => ({ processes, pool: Math.ceil(pool / processes) })),
  )
  const trial = { ...setup, seconds: Math.min(setup.seconds, trialSeconds) }
  let best = { spread: spreads[0]!, requestsPerSecond: 0 }
  for (const spread of spreads) {
    const target = await startWith(spread)
    const { requestsPerSecond } = await measure(cleanup, target, workload, connections, trial)
    if (requestsPerSecond > best.requestsPerSecond) best = { spread, requestsPerSecond }
  }
  const { processes, pool } = best.spread
  console.log(`fastify-postgres is best with ${processes} processes of ${pool} database connections`)
  return best.spread
}

const trialSeconds = 3
/** Database connections of all processes together. */
const poolSizes = [16, 32, 64]
