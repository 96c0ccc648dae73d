import type { FlushedEntry } from '../engine/apply.ts'
import type { AccountId } from '../engine/ids.ts'
import { type PublicEvent, publicEventsOf } from '../engine/public-events.ts'
import { limits } from './limits.ts'
import type { EventStream, StreamMessage } from './stream.ts'

/**
 * The relay from a shard's journal to the stream. The journal is the queue: this is only how far it has been read, with
 * the newest entries at hand. While the stream takes nothing, entries wait in the journal and are read again later.
 */
export type Outbox = {
  /** An entry that is on disk, in order. */
  readonly offer: (entry: FlushedEntry) => void
  /** The sequence up to which everything has been published. */
  readonly published: () => number
  /** How many entries are on disk and not published. */
  readonly lag: () => number
  /** Resolves when everything that was offered has been published. */
  readonly caughtUp: () => Promise<void>
  readonly stop: () => void
}

export type IsHeard = (accountId: AccountId, type: PublicEvent['type'] | null, atMs: number) => boolean

export type OutboxOptions = {
  readonly shard: number
  readonly stream: EventStream
  /** Up to here everything was published before. */
  readonly after: number
  /** Up to here everything is on disk; what follows is offered. */
  readonly until: number
  /** The entries after a sequence as they were flushed, in order; only its sequence where its actors are no more. */
  readonly again: (after: number) => Iterable<FlushedEntry | number>
  /** Whether anybody listens for a type, or (null) for any: an event that nobody hears is not rendered. */
  readonly isHeard: IsHeard
  readonly render: (event: PublicEvent, accountId: AccountId) => Pick<StreamMessage, 'body' | 'objectId'>
  /** Waits between tries while the stream takes nothing. */
  readonly pause: () => Promise<void>
  readonly onError: (error: unknown) => void
}

export const openOutbox = (options: OutboxOptions): Outbox => {
  const { shard, stream, isHeard, render, again } = options
  let queue: FlushedEntry[] = []
  let offered = Math.max(options.after, options.until)
  let published = options.after
  let running = false
  let stopped = false
  let waiting: (() => void)[] = []
  /** A stream that is away is told of once, not at every try. */
  let isAway = false

  const start = (): void => {
    if (running) return
    running = true
    setImmediate(() => void run())
  }

  const run = async (): Promise<void> => {
    while (published < offered && !stopped) {
      const last = await publishAll(next())
      if (!stopped) published = last
    }
    running = false
    for (const resolve of waiting) resolve()
    waiting = []
  }

  /** What follows on what was published: at hand, or read again from the journal. */
  const next = (): readonly (FlushedEntry | number)[] => {
    if (queue[0]?.sequence === published + 1) {
      const batch = queue
      queue = []
      return batch
    }
    const until = Math.min(offered, (queue[0]?.sequence ?? Number.POSITIVE_INFINITY) - 1)
    const last = Math.min(until, published + limits.outboxAgainMax)
    const batch: (FlushedEntry | number)[] = []
    for (const entry of again(published)) {
      batch.push(entry)
      if (sequenceOf(entry) >= last) break
    }
    return batch
  }

  /** Answers the sequence of the last. One that nothing is left to tell of stands there as its sequence alone. */
  const publishAll = async (batch: readonly (FlushedEntry | number)[]): Promise<number> => {
    const entries = batch.filter((entry) => typeof entry !== 'number')
    const messages = entries.flatMap(messagesOf)
    for (let first = 0; first < messages.length; first += limits.outboxInFlightMax)
      await publishSome(messages.slice(first, first + limits.outboxInFlightMax))
    return sequenceOf(batch.at(-1)!)
  }

  const publishSome = async (messages: readonly StreamMessage[]): Promise<void> => {
    for (let pending = messages; pending.length > 0 && !stopped; ) {
      const results = await Promise.allSettled(pending.map(stream.publish))
      const failed = results.flatMap((result, n) => (result.status === 'rejected' ? [{ result, n }] : []))
      if (failed.length < pending.length) isAway = false
      if (failed.length === 0) return
      if (!isAway) options.onError(failed[0]!.result.reason)
      isAway = true
      pending = failed.map(({ n }) => pending[n]!)
      await options.pause()
    }
  }

  const messagesOf = (entry: FlushedEntry): StreamMessage[] => {
    const { accountId, atMs } = entry
    if (!isHeard(accountId, null, atMs)) return []
    return publicEventsOf(entry, shard)
      .filter(({ type }) => isHeard(accountId, type, atMs))
      .map((event) => ({ id: event.id, type: event.type, accountId, atMs, ...render(event, accountId) }))
  }

  if (published < offered) start()

  return {
    offer: (entry) => {
      offered = Math.max(offered, entry.sequence)
      // Beyond these, entries wait in the journal alone: a stream that is away for long must not fill the memory.
      if (queue.length < limits.outboxEntriesMax) queue.push(entry)
      start()
    },
    published: () => published,
    lag: () => offered - published,
    caughtUp: () => (running ? new Promise((resolve) => void waiting.push(resolve)) : Promise.resolve()),
    stop: () => {
      stopped = true
    },
  }
}

const sequenceOf = (entry: FlushedEntry | number): number =>
  typeof entry === 'number' ? entry : entry.sequence
