import type { Answerer, QueryResult, Reader } from '../kernel/reader.ts'
import type { Work } from '../kernel/work.ts'
import { bounds } from '../shared/bounds.ts'
import type { AccountId } from '../shared/ids.ts'
import type { Delivery, DeliveryStatus } from './delivery.ts'
import { labelFits } from './label.ts'
import type { EndpointHealth, ReadEndpointHealth } from './queries.ts'

/** Counts deliveries by their labels; only a sample of states is read, for the latency. */
export const readEndpointHealth: Answerer<ReadEndpointHealth> = function* (
  { accountId, endpointId },
  reader,
) {
  const fromMs = reader.realMs - bounds.endpointHealthMs
  const those = (statuses: readonly DeliveryStatus[], page: Partial<Page> = {}) =>
    pageOf(reader, accountId, labelFits({ endpointId, statuses }), {
      fromMs: null,
      offset: 0,
      limit: 0,
      ...page,
    })
  const { total: accepted } = yield* those(['SUCCEEDED'], { fromMs })
  const { total: failing } = yield* those(['RETRYING', 'EXHAUSTED'], { fromMs })
  const { total: open } = yield* those(openStatuses)
  const [oldest] = open === 0 ? [] : (yield* those(openStatuses, { offset: open - 1, limit: 1 })).states
  const { states: newest } = yield* those(attemptedStatuses, { fromMs, limit: bounds.endpointLatencySample })
  const health: EndpointHealth = {
    attempted: accepted + failing,
    accepted,
    p95LatencyMs: p95(newest.flatMap(({ attempts }) => attempts.map(({ latencyMs }) => latencyMs))),
    open,
    oldestOpenAtMs: oldest?.createdAtMs ?? null,
  }
  return reader.result(health) satisfies QueryResult<EndpointHealth>
}

const openStatuses = ['PENDING', 'RETRYING'] as const
const attemptedStatuses = ['SUCCEEDED', 'RETRYING', 'EXHAUSTED'] as const

type Page = { readonly fromMs: number | null; readonly offset: number; readonly limit: number }

const pageOf = (
  { memory }: Reader,
  accountId: AccountId,
  fits: (label: string) => boolean,
  page: Page,
): Work<{ readonly states: readonly Delivery[]; readonly total: number }> =>
  memory.listing(accountId, 'delivery', { ...page, asOf: null, toMs: null, fits, matches: null })

/** By nearest rank. */
const p95 = (latencies: readonly number[]): number | null =>
  latencies.length === 0 ? null : latencies.toSorted((a, b) => a - b)[Math.ceil(latencies.length * 0.95) - 1]!
