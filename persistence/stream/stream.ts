import type { EventType } from '../../engine/kernel/event-types.ts'
import type { AccountId, EventId } from '../../engine/shared/ids.ts'
import type { Traceparent } from '../../engine/shared/traceparent.ts'

/** A public event on its way: rendered once, the same bytes for every endpoint and attempt. */
export type StreamMessage = {
  /** The event's id, by which repeats are dropped. */
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

/** The fields by which a stream looks for an event. */
export type HeldEvent = Omit<StreamMessage, 'objectId' | 'body' | 'traceparent'>

/** Where public events go: to the planner of webhooks, or to a JetStream stream. */
export type EventStream = {
  /** Resolves when the message is safe with its consumers; then the outbox moves its cursor. */
  readonly publish: (message: StreamMessage) => Promise<void>
  /**
   * Reports since when the stream has lost nothing (epoch milliseconds): what is known now, and again when the stream
   * was recreated or has lost acknowledged events. Returns a function that unsubscribes. Absent if a stream cannot lose
   * anything.
   */
  readonly onRecreated?: (listener: (sinceMs: number) => void) => () => void
  /**
   * Whether the stream has an acknowledged event, or a later one of its company and type, or has dropped it because of
   * age. Rejects with `StreamAway` when it cannot tell now. Absent if a stream cannot lose anything.
   */
  readonly holds?: (event: HeldEvent) => Promise<boolean>
}

/** The stream takes nothing now; refused messages are published again later. */
export class StreamAway extends Error {}

/** How far a shard has come with its events. */
export type EventProgress = {
  /** The webhooks of all events up to this entry are planned. */
  readonly published: number
  /** All events up to this entry are on the stream, where there is one; null from an earlier version, which planned from the stream. */
  readonly streamed: number | null
}

/** Up to where nothing is left to do. */
export const toldUpTo = ({ published, streamed }: EventProgress): number =>
  Math.min(published, streamed ?? published)

/** Both are done up to an entry. */
export const doneAt = (sequence: number): EventProgress => ({ published: sequence, streamed: sequence })
