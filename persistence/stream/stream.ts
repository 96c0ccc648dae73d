import type { EventType } from '../../engine/kernel/public-event.ts'
import type { AccountId, EventId } from '../../engine/shared/ids.ts'
import type { Traceparent } from '../../engine/shared/traceparent.ts'

/** A public event on its way: rendered once, the same bytes for every endpoint and attempt. */
export type StreamMessage = {
  /** The event's id: a repeat of it is dropped. */
  readonly id: EventId
  readonly type: EventType
  readonly accountId: AccountId
  readonly objectId: string
  /** Real time of the journal entry. */
  readonly atMs: number
  readonly body: Uint8Array
  /** The trace of the command behind it. */
  readonly traceparent?: Traceparent | undefined
}

/** Where public events are published: in process, or a JetStream stream. */
export type EventStream = {
  /** Resolves when the message is safe with its consumers: the outbox then moves its cursor. */
  readonly publish: (message: StreamMessage) => Promise<void>
  /** Hands out what is published, while this process is the one that consumes. */
  readonly consume: (handle: (message: StreamMessage) => Promise<void>, mayConsume?: () => boolean) => void
  /**
   * Tells since when nothing of the stream was lost (epoch milliseconds): what is known now, and again when it is another
   * stream, with nothing of what the one before held, or has lost what it had acknowledged. Answers how to hear no more of
   * it. Absent where a stream cannot lose anything.
   */
  readonly onRecreated?: (listener: (sinceMs: number) => void) => () => void
  /**
   * Whether an event that the stream has acknowledged is there, or a later one of its company and type, or has gone
   * because it was old. Rejects with `StreamAway` where that cannot be said now. Absent where a stream cannot lose anything.
   */
  readonly holds?: (event: Omit<StreamMessage, 'objectId' | 'body' | 'traceparent'>) => Promise<boolean>
}

/** The stream takes nothing now; what it did not take is published again later. */
export class StreamAway extends Error {}

/** The stream of a single node: a message is safe when its one consumer has journaled what follows from it. */
export const inProcessStream = (): EventStream => {
  let consumer: (message: StreamMessage) => Promise<void> = async () => undefined
  return {
    publish: (message) => consumer(message),
    consume: (handle) => {
      consumer = handle
    },
  }
}
