import { publicEventsOf } from '../../engine/events/events-of-entry.ts'
import type { PublicEvent } from '../../engine/kernel/event-types.ts'
import type { FlushedEntry } from '../../engine/kernel/step.ts'
import type { AccountId } from '../../engine/shared/ids.ts'
import { firstWhere } from '../base/bisect.ts'
import { bounds } from '../base/bounds.ts'
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
  const relay = newRelay(options)
  const unsubscribe = options.stream.onRecreated?.((sinceMs) => {
    relay.streamMs = sinceMs
    start(relay)
  })
  if (relay.published < relay.offered || relay.isInDoubt) start(relay)
  return {
    offer: (entry) => offer(relay, entry),
    published: () => relay.published,
    lag: () => relay.offered - relay.published,
    caughtUp: () =>
      relay.isRunning ? new Promise((resolve) => void relay.waiting.push(resolve)) : Promise.resolve(),
    stop: () => {
      relay.isStopped = true
      unsubscribe?.()
    },
  }
}

type Relay = ReturnType<typeof newRelay>

const newRelay = (options: OutboxOptions) => ({
  ...options,
  queue: newQueue(),
  offered: Math.max(options.after, options.until),
  published: options.after,
  isRunning: false,
  isStopped: false,
  waiting: [] as (() => void)[],
  /** An unreachable stream is reported once, not at every try. */
  isAway: false,
  /** Since when the stream has lost nothing; null when that is unknown or does not matter. */
  streamMs: null as number | null,
  publishedToMs: null as number | null,
  /** Another outbox's publications are in doubt until the stream confirms the newest one. */
  isInDoubt: options.after > 0 && options.stream.holds !== undefined,
  newest: null as PendingEvent | null,
})

const offer = (relay: Relay, entry: FlushedEntry): void => {
  const { queue } = relay
  relay.offered = Math.max(relay.offered, entry.sequence)
  // Further events wait in the journal only: a stream that is away for long must not fill the memory.
  if (queue.events.length < bounds.outboxEventsMax) {
    queue.first = Math.min(queue.first, entry.sequence)
    pendingEventsOf(relay, entry, queue.events)
    queue.last = entry.sequence
  }
  start(relay)
}

const start = (relay: Relay): void => {
  if (relay.isRunning) return
  relay.isRunning = true
  setImmediate(run, relay)
}

const run = async (relay: Relay): Promise<void> => {
  while (!relay.isStopped) {
    if (relay.isInDoubt) {
      await lookForNewest(relay)
      continue
    }
    if (relay.streamMs !== relay.publishedToMs) goBack(relay, relay.streamMs!)
    if (relay.published >= relay.offered) break
    const last = await publishAll(relay, next(relay))
    if (!relay.isStopped) relay.published = last
  }
  relay.isRunning = false
  for (const resolve of relay.waiting.splice(0)) resolve()
}

/**
 * The stream is new or has lost something, possibly before it was planned for delivery, so recent events are
 * published again. At the start this changes nothing if the stream is older than the last published entry.
 */
const goBack = (relay: Relay, sinceMs: number): void => {
  const isStart = relay.publishedToMs === null
  relay.publishedToMs = sinceMs
  if (relay.published === 0 || (isStart && atMsOf(relay, relay.published) >= sinceMs)) return
  republishSince(relay, sinceMs)
}

/**
 * If the stream holds the newest published event it also holds the earlier ones; otherwise recent events are
 * published again.
 */
const lookForNewest = async (relay: Relay): Promise<void> => {
  relay.newest ??= await findNewest(relay)
  try {
    if (relay.newest !== null) {
      const { event, accountId, atMs } = relay.newest
      const { id, type } = event
      if (!(await relay.stream.holds!({ id, type, accountId, atMs }))) republishSince(relay, atMs)
    }
    relay.isInDoubt = false
  } catch (error) {
    // A stream that is not there yet needs no report.
    if (!relay.isAway && relay.streamMs !== null) relay.onError(error)
    relay.isAway = relay.streamMs !== null
    await relay.pause()
  }
}

/** Publishes again from shortly before this time. */
const republishSince = (relay: Relay, atMs: number): void => {
  const sinceMs = atMs - bounds.publishedAgainMs
  const last = firstWhere(0, relay.published, (sequence) => atMsOf(relay, sequence + 1) >= sinceMs)
  relay.published = Math.min(relay.published, last)
}

/** The newest published event; null if the last entries published none. */
const findNewest = async (relay: Relay): Promise<PendingEvent | null> => {
  const first = Math.max(0, relay.published - bounds.outboxLookBackMax)
  for (let sequence = relay.published; sequence > first && !relay.isStopped; sequence--) {
    const [entry] = relay.readFrom(sequence - 1)
    const events: PendingEvent[] = []
    if (entry !== undefined && typeof entry !== 'number') pendingEventsOf(relay, entry, events)
    if (events.length > 0) return events.at(-1)!
    // After a burst of deliveries the newest event is far back, so other work runs in between.
    if (sequence % bounds.outboxLookSlice === 0) await new Promise(setImmediate)
  }
  return null
}

/** The time of the first entry from here on whose actors still exist. */
const atMsOf = ({ readFrom }: Relay, sequence: number): number => {
  for (const entry of readFrom(sequence - 1)) if (typeof entry !== 'number') return entry.atMs
  return Number.POSITIVE_INFINITY
}

/** The next events to publish: from memory, or read from the journal again. */
const next = (relay: Relay): Batch => {
  const { queue, published, offered } = relay
  if (queue.first === published + 1) {
    relay.queue = newQueue()
    return queue
  }
  const last = Math.min(offered, queue.first - 1, published + bounds.outboxAgainMax)
  const events: PendingEvent[] = []
  for (const entry of relay.readFrom(published)) {
    const sequence = typeof entry === 'number' ? entry : entry.sequence
    // An entry whose actors are gone is represented by its sequence alone.
    if (typeof entry !== 'number') pendingEventsOf(relay, entry, events)
    if (sequence >= last) return { events, last: sequence }
  }
  return { events, last }
}

const publishAll = async (relay: Relay, { events, last }: Batch): Promise<number> => {
  for (let first = 0; first < events.length; first += bounds.outboxInFlightMax) {
    const some = events.slice(first, first + bounds.outboxInFlightMax)
    await publishSome(
      relay,
      some.map((event) => messageOf(relay, event)),
    )
  }
  return last
}

const publishSome = async (relay: Relay, messages: readonly StreamMessage[]): Promise<void> => {
  for (let pending = messages; pending.length > 0 && !relay.isStopped; ) {
    const results = await Promise.allSettled(pending.map(relay.stream.publish))
    const failed = pending.filter((_, n) => results[n]!.status === 'rejected')
    relay.onPublished?.(pending.length - failed.length)
    if (failed.length < pending.length) relay.isAway = false
    if (failed.length === 0) return
    const refusal = results.find((result) => result.status === 'rejected')
    if (!relay.isAway) relay.onError(refusal!.reason)
    relay.isAway = true
    pending = failed
    await relay.pause()
  }
}

/** Adds the events of an entry that have subscribers. */
const pendingEventsOf = (
  { hasSubscribers, shard }: Relay,
  entry: FlushedEntry,
  events: PendingEvent[],
): void => {
  const { accountId, atMs, sequence, traceparent } = entry
  if (!hasSubscribers(accountId, null, sequence)) return
  for (const event of publicEventsOf(entry, shard))
    if (hasSubscribers(accountId, event.type, sequence)) events.push({ event, accountId, atMs, traceparent })
}

const messageOf = (
  { render }: Relay,
  { event, accountId, atMs, traceparent }: PendingEvent,
): StreamMessage => ({
  id: event.id,
  type: event.type,
  accountId,
  atMs,
  traceparent,
  ...render(event, accountId),
})

/** An event with subscribers, not rendered yet. */
type PendingEvent = Pick<FlushedEntry, 'accountId' | 'atMs' | 'traceparent'> & { readonly event: PublicEvent }

/** The events up to an entry. */
type Batch = { readonly events: readonly PendingEvent[]; readonly last: number }

/** Consecutive entries, most of which may have no events. */
type Queue = { readonly events: PendingEvent[]; first: number; last: number }

const newQueue = (): Queue => ({ events: [], first: Number.POSITIVE_INFINITY, last: 0 })
