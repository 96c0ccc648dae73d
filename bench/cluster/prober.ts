import { setTimeout as sleep } from 'node:timers/promises'
import { Pool } from 'undici'
import { newTag } from '../generator.ts'
import { newRandom } from '../random.ts'
import type { Company } from '../target.ts'
import { createRequest, markHolder } from '../workloads.ts'

/** A company and its shard. */
export type Probed = Company & { readonly shard: number }

/** A charge that was created. Milliseconds of `performance.now()`. */
export type Acknowledged = { readonly shard: number; readonly sentAtMs: number; readonly atMs: number }

export type Prober = {
  readonly acknowledged: readonly Acknowledged[]
  readonly stop: () => Promise<void>
}

/**
 * Creates charges of companies, `lanesEach` at a time for each, through all nodes in turns. An unacknowledged
 * charge is sent again with the same key through the next node, as a merchant's client does.
 */
export const startProber = (
  origins: readonly string[],
  companies: readonly Probed[],
  lanesEach: number,
): Prober => {
  const pools = origins.map((origin) => new Pool(origin, { connections: companies.length * lanesEach }))
  const random = newRandom(1)
  const tag = newTag()
  const acknowledged: Acknowledged[] = []
  let isStopped = false
  let made = 0

  const create = async (company: Probed, lane: number): Promise<void> => {
    const { path, headers, body } = createRequest(random, company)
    const mark = tag + String(made++).padStart(markHolder.length - tag.length, '0')
    const sentAtMs = performance.now()
    for (let attempt = 0; !isStopped; attempt++) {
      const pool = pools[(lane + made + attempt) % pools.length]!
      const answer = await pool
        .request({
          method: 'POST',
          path,
          headers: { ...headers, 'Idempotency-Key': `probe-${mark}` },
          body: body!.replace(markHolder, mark),
        })
        .then(async ({ statusCode, body }) => {
          await body.dump()
          return statusCode
        })
        .catch(() => 0)
      if (answer === 201) {
        acknowledged.push({ shard: company.shard, sentAtMs, atMs: performance.now() })
        return
      }
      await sleep(retryMs)
    }
  }

  const lanes = companies.flatMap((company) =>
    Array.from({ length: lanesEach }, async (_, lane) => {
      while (!isStopped) await create(company, lane)
    }),
  )

  return {
    acknowledged,
    stop: async () => {
      isStopped = true
      await Promise.all(lanes)
      await Promise.all(pools.map((pool) => pool.destroy()))
    },
  }
}

const retryMs = 5
