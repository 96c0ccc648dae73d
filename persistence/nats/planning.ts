import type { JsMsg } from '@nats-io/jetstream'
import type { AccountId, EventId } from '../../engine/shared/ids.ts'
import type { StreamMessage } from '../stream/stream.ts'
import { messageOf } from './message.ts'

/**
 * Handles the events of each account in order: events that arrive during one round wait and then go together, so
 * that one flush of the shard serves them all. A failed round is repeated before anything after it. The returned
 * function takes an event from the stream, which may hand out the same event again.
 */
export const newPlanning = (options: {
  readonly handle: (message: StreamMessage) => Promise<void>
  readonly onTrouble: (error: unknown) => void
  /** Waits between tries of a failed round. */
  readonly pause: () => Promise<void>
}): ((message: JsMsg) => void) => {
  const { handle, onTrouble, pause } = options
  /** The last message per event: that one is acknowledged. */
  const inHand = new Map<EventId, JsMsg>()
  /** Events waiting behind those being handled. */
  const waiting = new Map<AccountId, StreamMessage[]>()

  const take = (message: JsMsg): void => {
    const event = messageOf(message)
    const isKnown = inHand.has(event.id)
    inHand.set(event.id, message)
    if (isKnown) return
    const line = waiting.get(event.accountId)
    if (line !== undefined) line.push(event)
    else void handleLine(event)
  }

  const handleLine = async (first: StreamMessage): Promise<void> => {
    const line: StreamMessage[] = [first]
    waiting.set(first.accountId, line)
    while (line.length > 0) await handleAll(line.splice(0))
    waiting.delete(first.accountId)
  }

  const handleAll = async (events: readonly StreamMessage[]): Promise<void> => {
    for (let pending = events; ; ) {
      const results = await Promise.allSettled(pending.map(handleOne))
      pending = pending.filter((_, n) => results[n]!.status === 'rejected')
      if (pending.length === 0) return
      onTrouble((results.find(({ status }) => status === 'rejected') as PromiseRejectedResult).reason)
      await pause()
    }
  }

  const handleOne = async (event: StreamMessage): Promise<void> => {
    await handle(event)
    const message = inHand.get(event.id)!
    inHand.delete(event.id)
    acknowledge(message)
  }

  return take
}

/** Without an acknowledgement (the connection ended) the event is handed out again, and found to be handled. */
const acknowledge = (message: JsMsg): void => {
  try {
    message.ack()
  } catch {
    // As above.
  }
}
