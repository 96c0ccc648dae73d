import { ShardMoved, ShardUnavailable } from '../../../engine/kernel/unavailable.ts'
import { bounds } from '../../base/bounds.ts'
import { type Kind, type Message, MovedTo, type Serve, Unanswered, type WorkerPlace } from '../link.ts'
import { isReadOnly, type RelayedRequest } from '../relay.ts'
import type { ClusterCounters } from './counters.ts'
import type { NodeLinks } from './node-links.ts'

/** Calls the owner of a shard, wherever it is at the moment. */
export type Remote = {
  readonly owner: () => WorkerPlace | null
  /**
   * Searches for the owner for as long as a failover may take, then rejects with `ShardUnavailable`. A command is repeated only
   * if it was certainly not carried out; a read also if no answer came.
   */
  readonly call: Serve
}

/** Opens the remotes of the shards that are hosted here. */
export const openRemotes = (options: {
  readonly self: WorkerPlace
  /** The current owner of a shard, which may be this node; null if it has none that is alive. */
  readonly ownerOf: (shard: number) => WorkerPlace | null
  readonly call: NodeLinks['call']
  /** Whether this node is cut off from NATS, so that it cannot reach any other node. */
  readonly isCutOff: () => boolean
  /** Serves here as if another node had asked: rejects with `ShardMoved` if the shard is not owned here. */
  readonly here: Serve
  /** A monotonic clock in milliseconds. */
  readonly stopwatch: () => number
  /** Resolves after so many milliseconds. */
  readonly wait: (ms: number) => Promise<void>
  readonly counters: ClusterCounters
}): ((shard: number) => Remote) => {
  const { self, ownerOf, isCutOff, here, stopwatch, wait, counters } = options
  let inFlight = 0

  const call = async (shard: number, kind: Kind, message: Message): Promise<unknown> => {
    if (inFlight >= bounds.callsElsewhereMax) throw tooMany
    inFlight += 1
    counters.elsewhere += 1
    try {
      return await search(shard, kind, message)
    } finally {
      inFlight -= 1
    }
  }

  const search = async (shard: number, kind: Kind, message: Message): Promise<unknown> => {
    const isRead = kind === 'query' || (kind === 'serve' && isReadOnly(message as RelayedRequest))
    const startedAt = stopwatch()
    const endsAt = startedAt + bounds.ownerSearchMs
    const leftMs = (): number => Math.max(0, startedAt + bounds.nodeCallTimeoutMs - stopwatch())
    let isFirst = true
    let pauseMs: number = bounds.ownerPauseMsMin
    let redirectedTo: WorkerPlace | null = null
    for (;;) {
      if (isCutOff()) throw cutOff
      const owner: WorkerPlace | null = redirectedTo ?? ownerOf(shard)
      try {
        if (owner?.node === self.node) return await here(kind, message)
        const timeoutMs = isRead && isFirst ? bounds.nodeReadTimeoutMs : leftMs()
        if (owner !== null) return await options.call(owner, kind, message, timeoutMs)
      } catch (error) {
        if (!(error instanceof ShardMoved) && !(isRead && error instanceof Unanswered)) throw error
        counters.repeats += 1
        isFirst = false
        // Tries the place that a node names at once, but not the place that this one names in turn: two could
        // redirect to each other for ever.
        redirectedTo = redirectedTo === null && error instanceof MovedTo ? error.owner : null
        if (redirectedTo !== null) continue
      }
      if (stopwatch() >= endsAt) throw ownerless
      await wait(pauseMs)
      pauseMs = Math.min(bounds.ownerPauseGrowth * pauseMs, bounds.ownerPauseMsMax)
    }
  }

  return (shard) => ({
    owner: () => ownerOf(shard),
    call: (kind, message) => call(shard, kind, message),
  })
}

const ownerless = new ShardUnavailable('no node that can be reached owns the shard')
const cutOff = new ShardUnavailable('this node is cut off from the cluster')
const tooMany = new ShardUnavailable('too many calls wait for other nodes')
