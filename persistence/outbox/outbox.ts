import { publicEventsOf } from '../../engine/events/public-events.ts'
import type { PublicEvent } from '../../engine/kernel/public-event.ts'
import type { FlushedEntry } from '../../engine/kernel/step.ts'
import type { AccountId } from '../../engine/shared/ids.ts'
import { firstWhere } from '../base/bisect.ts'
import { limits } from '../base/limits.ts'
import type { EventStream, StreamMessage } from '../stream/stream.ts'

/**
 * The relay from a shard's journal to the stream. The journal is the queue: the outbox only knows how far it has been
 * read, and keeps the newest events in memory. While the stream takes nothing, entries wait in the journal and are read
 * again later.
 */
export type Outbox = {
  /** Takes the entries that are on disk, in order. */
  readonly offer: (entry: FlushedEntry) => void
  /** The sequence up to which everything is published. */
  readonly published: () => number
  /** How many entries are on disk and not published. */
  readonly lag: () => number
  /** Resolves when everything offered so far is published. */
  readonly caughtUp: () => Promise<void>
  readonly stop: () => void
}

export type HasSubscribers = (
  accountId: AccountId,
  type: PublicEvent['type'] | null,
  sequence: number,
) => boolean

export type OutboxOptions = {
  readonly shard: number
  readonly stream: EventStream
  /** Everything up to here was published before; the stream may have lost it since. */
  readonly after: number
  /** Everything up to here is on disk; later entries are offered. */
  readonly until: number
  /** The entries after a sequence as they were flushed, in order; only the sequence when an entry's actors are gone. */
  readonly readFrom: (after: number) => Iterable<FlushedEntry | number>
  /** Whether a type, or (null) any type, has subscribers: other events are not rendered. */
  readonly hasSubscribers: HasSubscribers
  readonly render: (event: PublicEvent, accountId: AccountId) => Pick<StreamMessage, 'body' | 'objectId'>
  readonly onPublished?: (events: number) => void
  /** Waits between tries while the stream takes nothing. */
  readonly pause: () => Promise<void>
  readonly onError: (error: unknown) => void
}

/** Starts at once with what is not published yet. */
export const openOutbox = (options: OutboxOptions): Outbox => {
  const { shard, stream, hasSubscribers, render, readFrom } = options
  let queue = newQueue()
  let offered = Math.max(options.after, options.until)
  let published = options.after
  let running = false
  let stopped = false
  let waiting: (() => void)[] = []
  /** An unreachable stream is reported once, not at every try. */
  let isAway = false
  /** Since when the stream has lost nothing; null when that is unknown or does not matter. */
  let streamMs: number | null = null
  let publishedToMs: number | null = null
  /** Another outbox's publications are in doubt until the stream confirms the newest one. */
  let isInDoubt = options.after > 0 && stream.holds !== undefined
  let newest: PendingEvent | null = null

  const start = (): void => {
    if (running) return
    running = true
    setImmediate(() => void run())
  }

  const run = async (): Promise<void> => {
    while (!stopped) {
      if (isInDoubt) {
        await lookForNewest()
        continue
      }
      if (streamMs !== publishedToMs) goBack()
      if (published >= offered) break
      const last = await publishAll(next())
      if (!stopped) published = last
    }
    running = false
    for (const resolve of waiting) resolve()
    waiting = []
  }

  /**
   * The stream is new or has lost something, possibly before it was planned for delivery, so recent events are
   * published again. At the start this changes nothing if the stream is older than the last published entry.
   */
  const goBack = (): void => {
    const sinceMs = streamMs!
    const isStart = publishedToMs === null
    publishedToMs = sinceMs
    if (published === 0 || (isStart && atMsOf(published) >= sinceMs)) return
    republishSince(sinceMs)
  }

  /**
   * If the stream holds the newest published event it also holds the earlier ones; otherwise recent events are
   * published again.
   */
  const lookForNewest = async (): Promise<void> => {
    newest ??= await findNewest()
    try {
      if (newest !== null && !(await isHeld(newest))) republishSince(newest.atMs)
      isInDoubt = false
    } catch (error) {
      // A stream that is not there yet is no trouble to report.
      if (!isAway && streamMs !== null) options.onError(error)
      isAway = streamMs !== null
      await options.pause()
    }
  }

  /** Publishes again from shortly before this time. */
  const republishSince = (atMs: number): void => {
    published = Math.min(published, lastBefore(atMs - limits.publishedAgainMs))
  }

  const isHeld = ({ event: { id, type }, accountId, atMs }: PendingEvent): Promise<boolean> =>
    stream.holds!({ id, type, accountId, atMs })

  /** The newest published event; null if the last entries published none. */
  const findNewest = async (): Promise<PendingEvent | null> => {
    const first = Math.max(0, published - limits.outboxLookBackMax)
    for (let sequence = published; sequence > first && !stopped; sequence--) {
      const [entry] = readFrom(sequence - 1)
      const events = entry === undefined || typeof entry === 'number' ? [] : pendingEventsOf(entry, [])
      if (events.length > 0) return events.at(-1)!
      // After a burst of deliveries it is far back, so other work runs in between.
      if (sequence % limits.outboxLookSlice === 0) await new Promise(setImmediate)
    }
    return null
  }

  /** The last sequence before a time. */
  const lastBefore = (atMs: number): number =>
    firstWhere(0, published, (sequence) => atMsOf(sequence + 1) >= atMs)

  /** The time of the first entry from here on whose actors still exist. */
  const atMsOf = (sequence: number): number => {
    for (const entry of readFrom(sequence - 1)) if (typeof entry !== 'number') return entry.atMs
    return Number.POSITIVE_INFINITY
  }

  /** The next events to publish: from memory, or read from the journal again. */
  const next = (): Batch => {
    if (queue.first === published + 1) {
      const batch = queue
      queue = newQueue()
      return batch
    }
    const last = Math.min(offered, queue.first - 1, published + limits.outboxAgainMax)
    const events: PendingEvent[] = []
    for (const entry of readFrom(published)) {
      const sequence = typeof entry === 'number' ? entry : entry.sequence
      // An entry whose actors are gone is represented by its sequence alone.
      if (typeof entry !== 'number') pendingEventsOf(entry, events)
      if (sequence >= last) return { events, last: sequence }
    }
    return { events, last }
  }

  const publishAll = async ({ events, last }: Batch): Promise<number> => {
    for (let first = 0; first < events.length; first += limits.outboxInFlightMax)
      await publishSome(events.slice(first, first + limits.outboxInFlightMax).map(messageOf))
    return last
  }

  const publishSome = async (messages: readonly StreamMessage[]): Promise<void> => {
    for (let pending = messages; pending.length > 0 && !stopped; ) {
      const results = await Promise.allSettled(pending.map(stream.publish))
      const failed = pending.filter((_, n) => results[n]!.status === 'rejected')
      options.onPublished?.(pending.length - failed.length)
      if (failed.length < pending.length) isAway = false
      if (failed.length === 0) return
      const refusal = results.find((result) => result.status === 'rejected')
      if (!isAway) options.onError(refusal!.reason)
      isAway = true
      pending = failed
      await options.pause()
    }
  }

  /** Adds those of an entry to others. */
  const pendingEventsOf = (entry: FlushedEntry, events: PendingEvent[]): readonly PendingEvent[] => {
    const { accountId, atMs, sequence, traceparent } = entry
    if (hasSubscribers(accountId, null, sequence))
      for (const event of publicEventsOf(entry, shard))
        if (hasSubscribers(accountId, event.type, sequence))
          events.push({ event, accountId, atMs, traceparent })
    return events
  }

  const messageOf = ({ event, accountId, atMs, traceparent }: PendingEvent): StreamMessage => ({
    id: event.id,
    type: event.type,
    accountId,
    atMs,
    traceparent,
    ...render(event, accountId),
  })

  const unsubscribe = stream.onRecreated?.((sinceMs) => {
    streamMs = sinceMs
    start()
  })
  if (published < offered || isInDoubt) start()

  return {
    offer: (entry) => {
      offered = Math.max(offered, entry.sequence)
      // Further events wait in the journal only: a stream that is away for long must not fill the memory.
      if (queue.events.length < limits.outboxEventsMax) {
        queue.first = Math.min(queue.first, entry.sequence)
        pendingEventsOf(entry, queue.events)
        queue.last = entry.sequence
      }
      start()
    },
    published: () => published,
    lag: () => offered - published,
    caughtUp: () => (running ? new Promise((resolve) => void waiting.push(resolve)) : Promise.resolve()),
    stop: () => {
      stopped = true
      unsubscribe?.()
    },
  }
}

/** An event with subscribers, not rendered yet. */
type PendingEvent = Pick<FlushedEntry, 'accountId' | 'atMs' | 'traceparent'> & { readonly event: PublicEvent }

/** The events up to an entry. */
type Batch = { readonly events: readonly PendingEvent[]; readonly last: number }

/** Consecutive entries, most of which may have no events. */
type Queue = { readonly events: PendingEvent[]; first: number; last: number }

const newQueue = (): Queue => ({ events: [], first: Number.POSITIVE_INFINITY, last: 0 })
