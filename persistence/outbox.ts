import type { FlushedEntry } from '../engine/apply.ts'
import type { AccountId } from '../engine/ids.ts'
import { type PublicEvent, publicEventsOf } from '../engine/public-events.ts'
import type { EventStream, StreamMessage } from './stream.ts'

/** The relay from a shard's journal to the stream. The journal is the queue; this is only how far it has been read. */
export type Outbox = {
  /** An entry that is on disk, in order. */
  readonly offer: (entry: FlushedEntry) => void
  /** Resolves when everything up to this sequence has been published. */
  readonly caughtUp: (sequence: number) => Promise<void>
  readonly stop: () => void
}

export type IsHeard = (accountId: AccountId, type: PublicEvent['type'] | null, atMs: number) => boolean

export type OutboxOptions = {
  readonly shard: number
  readonly stream: EventStream
  /** Whether anybody listens for a type, or (null) for any: an event that nobody hears is not rendered. */
  readonly isHeard: IsHeard
  readonly render: (event: PublicEvent, accountId: AccountId) => Pick<StreamMessage, 'body' | 'objectId'>
  /** Waits between tries while the stream takes nothing. */
  readonly pause: () => Promise<void>
  readonly onError: (error: unknown) => void
}

export const openOutbox = (options: OutboxOptions): Outbox => {
  const { shard, stream, isHeard, render } = options
  let queue: FlushedEntry[] = []
  let offered = 0
  let published = 0
  let running = false
  let stopped = false
  let waiting: { readonly sequence: number; readonly resolve: () => void }[] = []

  const run = async (): Promise<void> => {
    running = true
    while (queue.length > 0 && !stopped) {
      const batch = queue
      queue = []
      await publishAll(batch)
      published = batch.at(-1)!.sequence
      const ready = waiting.filter(({ sequence }) => sequence <= published)
      waiting = waiting.filter(({ sequence }) => sequence > published)
      for (const { resolve } of ready) resolve()
    }
    running = false
  }

  const publishAll = async (batch: readonly FlushedEntry[]): Promise<void> => {
    for (let pending = batch.flatMap(messagesOf); pending.length > 0 && !stopped; ) {
      const results = await Promise.allSettled(pending.map(stream.publish))
      const failed = results.flatMap((result, n) => (result.status === 'rejected' ? [{ result, n }] : []))
      if (failed.length === 0) return
      options.onError(failed[0]!.result.reason)
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

  return {
    offer: (entry) => {
      offered = entry.sequence
      queue.push(entry)
      if (!running) {
        running = true
        setImmediate(() => void run())
      }
    },
    caughtUp: (sequence) =>
      Math.min(sequence, offered) <= published
        ? Promise.resolve()
        : new Promise((resolve) => waiting.push({ sequence: Math.min(sequence, offered), resolve })),
    stop: () => {
      stopped = true
      for (const { resolve } of waiting) resolve()
    },
  }
}
