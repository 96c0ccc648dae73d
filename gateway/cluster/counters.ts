/** What a worker counts of its calls to other nodes; `gateway/observability/metrics.ts` tells it. */
export type ClusterCounters = {
  /** Calls and requests for shards that another node owns, or nobody. */
  elsewhere: number
  /** Times that one of them was asked again: its shard had moved or had no owner, or a read got no answer. */
  repeats: number
  /** Calls that left, and the messages that they left in: a long one counts once. */
  calls: number
  batches: number
  /** Calls that came to nothing known: they may have been done. */
  unanswered: number
}

export const newClusterCounters = (): ClusterCounters => ({
  elsewhere: 0,
  repeats: 0,
  calls: 0,
  batches: 0,
  unanswered: 0,
})
