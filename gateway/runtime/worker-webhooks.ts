import type { ShardHost } from '../../persistence/shard/shard-host.ts'
import { bounds } from '../base/bounds.ts'
import { delay } from '../base/delay.ts'
import { newEndpointHeaders, newSecrets } from '../base/seal.ts'
import { type Router, shardOf } from '../link/router.ts'
import type { Metrics } from '../observability/metrics.ts'
import { watchAttempts } from '../observability/watch-calls.ts'
import { type Attempts, openAttempts } from '../webhooks/attempt.ts'
import { type Cancelling, openCancelling } from '../webhooks/cancelling.ts'
import { openDeliveryPool } from '../webhooks/delivering.ts'
import { openPlanner } from '../webhooks/planner.ts'
import type { Pool } from '../webhooks/pool.ts'
import { openTicker, type Ticker } from '../webhooks/ticker.ts'
import type { WorkerBase } from './worker-base.ts'

/** The webhooks of a worker, from the plan of a delivery to its attempts. */
export type WorkerWebhooks = {
  readonly plan: ReturnType<typeof openPlanner>
  readonly ticker: Ticker
  readonly pool: Pool
  readonly attempts: Attempts
  readonly cancelling: Cancelling
}

/** Opens the webhooks of a worker over its shards. */
export const openWorkerWebhooks = (
  { start, log, tracing, directory, endpoints }: WorkerBase,
  hosts: ReadonlyMap<number, ShardHost>,
  router: Router,
  metrics: Metrics,
): WorkerWebhooks => {
  const attempts = openAttempts({ realNow: Date.now })
  const pool = openDeliveryPool({
    shards: router,
    endpoints,
    secretOf: newSecrets(Buffer.from(start.masterKey)),
    headersOf: newEndpointHeaders(Buffer.from(start.masterKey)),
    attempt: attempts.attempt,
    watch: watchAttempts(metrics, tracing),
    giveBack: ({ accountId, id }) => hosts.get(shardOf(accountId, start.shards))?.handOutAgain(id),
    onFault: (error, { id }) => log.error({ err: error, delivery: id }, 'an attempt could not be made'),
  })
  return {
    plan: openPlanner({ endpoints, perform: router.perform, later: setImmediate }),
    ticker: openTicker(hosts, pool.enqueue),
    pool,
    attempts,
    cancelling: openCancelling({
      directory,
      shards: start.shards,
      host: (shard) => hosts.get(shard)!,
      pause: () => delay(bounds.recordRetryMs),
      onTrouble: (error) => log.error({ err: error }, 'deliveries of an endpoint cannot be cancelled'),
    }),
  }
}
