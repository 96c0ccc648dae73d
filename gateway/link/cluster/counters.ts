/** A worker's counters of its calls to other nodes, published by `gateway/observability/cluster-metrics.ts`. */
export type ClusterCounters = {
  /** Calls and requests for shards that another node owns, or that have no owner. */
  elsewhere: number
  /** Repeats: the shard had moved or had no owner, or a read got no answer. */
  repeats: number
  /** Calls sent, and the messages that carried them; a message in parts counts once. */
  calls: number
  batches: number
  /** Calls without a known outcome: they may have been carried out. */
  unanswered: number
}

/** Counters at zero. */
export const newClusterCounters = (): ClusterCounters => ({
  elsewhere: 0,
  repeats: 0,
  calls: 0,
  batches: 0,
  unanswered: 0,
})
