import type { Waiter } from '../../../engine/kernel/handler.ts'
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

  const call = (shard: number, kind: Kind, message: Message, to: Waiter<unknown>): void => {
    if (inFlight >= bounds.callsElsewhereMax) {
      to.reject(tooMany)
      return
    }
    inFlight += 1
    counters.elsewhere += 1
    const settle = (): void => {
      inFlight -= 1
    }
    attempt({
      shard,
      kind,
      message,
      isRead: kind === 'query' || (kind === 'serve' && isReadOnly(message as RelayedRequest)),
      startedAtMs: stopwatch(),
      to: {
        resolve: (value) => {
          settle()
          to.resolve(value)
        },
        reject: (error) => {
          settle()
          to.reject(error)
        },
      },
      isFirst: true,
      pauseMs: bounds.ownerPauseMsMin,
      redirectedTo: null,
    })
  }

  const attempt = (search: Search): void => {
    const { shard, kind, message, isRead, isFirst, startedAtMs } = search
    if (isCutOff()) {
      search.to.reject(cutOff)
      return
    }
    const owner = search.redirectedTo ?? ownerOf(shard)
    if (owner === null) {
      pause(search)
      return
    }
    const to: Waiter<unknown> = {
      resolve: (value) => search.to.resolve(value),
      reject: (error) => searchOn(search, error),
    }
    if (owner.node === self.node) {
      try {
        here(kind, message, to)
      } catch (error) {
        to.reject(error)
      }
      return
    }
    const leftMs = Math.max(0, startedAtMs + bounds.nodeCallTimeoutMs - stopwatch())
    options.call(owner, kind, message, isRead && isFirst ? bounds.nodeReadTimeoutMs : leftMs, to)
  }

  const searchOn = (search: Search, error: unknown): void => {
    if (!(error instanceof ShardMoved) && !(search.isRead && error instanceof Unanswered)) {
      search.to.reject(error)
      return
    }
    counters.repeats += 1
    search.isFirst = false
    // Tries the place that a node names at once, but not the place that this one names in turn: two could
    // redirect to each other for ever.
    search.redirectedTo = search.redirectedTo === null && error instanceof MovedTo ? error.owner : null
    if (search.redirectedTo !== null) attempt(search)
    else pause(search)
  }

  const pause = (search: Search): void => {
    if (stopwatch() >= search.startedAtMs + bounds.ownerSearchMs) {
      search.to.reject(ownerless)
      return
    }
    const { pauseMs } = search
    search.pauseMs = Math.min(bounds.ownerPauseGrowth * pauseMs, bounds.ownerPauseMsMax)
    wait(pauseMs).then(
      () => attempt(search),
      (error: unknown) => search.to.reject(error),
    )
  }

  return (shard) => ({
    owner: () => ownerOf(shard),
    call: (kind, message, to) => call(shard, kind, message, to),
  })
}

/** A call on its way to the owner of its shard. */
type Search = {
  readonly shard: number
  readonly kind: Kind
  readonly message: Message
  readonly isRead: boolean
  readonly startedAtMs: number
  readonly to: Waiter<unknown>
  isFirst: boolean
  pauseMs: number
  redirectedTo: WorkerPlace | null
}

const ownerless = new ShardUnavailable('no node that can be reached owns the shard')
const cutOff = new ShardUnavailable('this node is cut off from the cluster')
const tooMany = new ShardUnavailable('too many calls wait for other nodes')
