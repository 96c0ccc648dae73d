import { entrySequenceOf } from '../../engine/shared/ids.ts'
import { bounds } from '../base/bounds.ts'
import { delay } from '../base/delay.ts'
import { type EventStream, type HeldEvent, StreamAway, type StreamMessage } from '../stream/stream.ts'
import { type Backlog, backlogOf, consumeDeliveries } from './consumer.ts'
import { hasLetGo, newestLike } from './lost-events.ts'
import { newPlanning } from './planning.ts'
import { publish } from './publish.ts'
import type { StreamSettings } from './stream-config.ts'
import { type ConnectNats, keepLinked, newStreamLink, noteStored, type StreamLink } from './stream-link.ts'
import { errorText, type StreamLog, trouble } from './troubles.ts'

/**
 * The public events on JetStream, for the service's own webhooks and other systems of the company that runs it: subject
 * `pay.events.<environment>.<companyId>.<event type>`, body the webhook's envelope, message id the event's id.
 */
export type JetStreamEvents = EventStream & {
  readonly state: () => StreamState
  /** The backlog of the consumer that webhooks are planned from; null while the stream cannot be used. */
  readonly backlog: () => Promise<Backlog | null>
  readonly close: () => Promise<void>
}

/**
 * CONNECTED: events can be published. AWAY: NATS is not reached, or the stream is not configured as required.
 * REFUSING: the stream did not take the last event, for example because its disk is full.
 */
export type StreamState = 'CONNECTED' | 'AWAY' | 'REFUSING'

/** Opens the stream in the background: until it can be used, publishing rejects with `StreamAway`. */
export const openEventStream = (
  connect: ConnectNats,
  settings: StreamSettings,
  log: StreamLog,
): JetStreamEvents => {
  const link = newStreamLink(settings, log)
  keepLinked(link, connect).catch((error) => {
    if (!link.ending.signal.aborted) link.troubles.report(trouble.connection, error)
  })
  return {
    publish: (message) => publish(link, message),
    consume: (handle, mayConsume = () => true) => void consume(link, handle, mayConsume),
    holds: (event) => holds(link, event),
    onRecreated: (listener) => {
      link.listeners.add(listener)
      if (link.wholeSinceMs !== null) listener(link.wholeSinceMs)
      return () => void link.listeners.delete(listener)
    },
    state: () => (link.client === null ? 'AWAY' : link.isRefusing ? 'REFUSING' : 'CONNECTED'),
    backlog: async () => (link.client === null ? null : await backlogOf(link.client).catch(() => null)),
    close: () => close(link),
  }
}

/** Hands out events until the stream is closed, while this process may consume. */
const consume = async (
  link: StreamLink,
  handle: (message: StreamMessage) => Promise<void>,
  mayConsume: () => boolean,
): Promise<void> => {
  const { troubles, ending } = link
  const plan = newPlanning({
    handle,
    onTrouble: (error) => troubles.report(trouble.planning, error),
    pause: () => delay(bounds.streamPauseMs),
  })
  while (!ending.signal.aborted) {
    if (link.client === null) {
      await new Promise<void>((resolve) => void link.whenUsable.push(resolve))
      continue
    }
    if (!mayConsume()) {
      await delay(bounds.natsRetryMs)
      continue
    }
    const looking = setInterval(() => void (mayConsume() || link.messages?.close()), bounds.natsRetryMs)
    try {
      link.messages = await consumeDeliveries(link.client, plan)
      troubles.over(trouble.consumer)
      await link.messages.closed()
    } catch (error) {
      if (link.isLinked && !ending.signal.aborted) troubles.report(trouble.consumer, error)
    }
    clearInterval(looking)
    link.lookAgain()
    await delay(bounds.natsRetryMs)
  }
}

const holds = async (link: StreamLink, event: HeldEvent): Promise<boolean> => {
  const { client } = link
  if (client === null) throw new StreamAway('NATS is away')
  try {
    const newest = await newestLike(client, event)
    if (newest === null) return await hasLetGo(client, event.atMs)
    noteStored(link, newest)
    // Events are published in the order of the journal, and the stream drops the oldest first.
    return entrySequenceOf(newest.id) >= entrySequenceOf(event.id)
  } catch (error) {
    throw new StreamAway(`the event stream does not say what it has: ${errorText(error)}`)
  }
}

const close = async (link: StreamLink): Promise<void> => {
  link.ending.abort()
  link.lookAgain()
  await link.messages?.close()
  // Flushes what was sent last, but a server that hangs must not delay the end.
  if (link.isLinked)
    await Promise.race([link.connection!.drain().catch(() => undefined), delay(bounds.natsTimeoutMs)])
  await link.connection?.close()
}
