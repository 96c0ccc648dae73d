import type { JsMsg } from '@nats-io/jetstream'
import type { AccountId, EventId } from '../../engine/shared/ids.ts'
import type { StreamMessage } from '../stream/stream.ts'
import { messageOf } from './message.ts'

/** The events that the stream has handed out and that are not handled yet. */
export type Planning = {
  /** One that was handed out, maybe not for the first time. */
  readonly take: (message: JsMsg) => void
}

/**
 * Events of one account are handled in their order: what comes while some are handled waits for these, and then goes
 * together, so that one flush of the shard serves all of it. Those that could not be handled are tried again, before what
 * follows them, until they are.
 */
export const newPlanning = (options: {
  readonly handle: (message: StreamMessage) => Promise<void>
  readonly onTrouble: (error: unknown) => void
  /** Waits between the tries of what could not be handled. */
  readonly pause: () => Promise<void>
}): Planning => {
  const { handle, onTrouble, pause } = options
  /** By event, the message by which it was handed out last: that one is acknowledged. */
  const inHand = new Map<EventId, JsMsg>()
  /** What waits behind what is being handled. */
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

  return { take }
}

/** Without an acknowledgement, because the connection has ended, the event is handed out again and found to be handled. */
const acknowledge = (message: JsMsg): void => {
  try {
    message.ack()
  } catch {
    // As above.
  }
}
