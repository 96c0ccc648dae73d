import { entrySequenceOf } from '../../engine/shared/ids.ts'
import { bounds } from '../base/bounds.ts'
import { delay } from '../base/delay.ts'
import { type EventStream, type HeldEvent, StreamAway } from '../stream/stream.ts'
import { hasLetGo, newestLike } from './lost-events.ts'
import { publish } from './publish.ts'
import type { StreamSettings } from './stream-config.ts'
import { type ConnectNats, keepLinked, newStreamLink, noteStored, type StreamLink } from './stream-link.ts'
import { errorText, type StreamLog, trouble } from './troubles.ts'

/**
 * The public events on JetStream, for other systems of the company that runs the service: subject
 * `pay.events.<environment>.<companyId>.<event type>`, body the webhook's envelope, message id the event's id.
 */
export type JetStreamEvents = EventStream & {
  readonly state: () => StreamState
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
    holds: (event) => holds(link, event),
    onRecreated: (listener) => {
      link.listeners.add(listener)
      if (link.wholeSinceMs !== null) listener(link.wholeSinceMs)
      return () => void link.listeners.delete(listener)
    },
    state: () => (link.client === null ? 'AWAY' : link.isRefusing ? 'REFUSING' : 'CONNECTED'),
    close: () => close(link),
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
  // Flushes what was sent last, but a server that hangs must not delay the end.
  if (link.isLinked)
    await Promise.race([link.connection!.drain().catch(() => undefined), delay(bounds.natsTimeoutMs)])
  await link.connection?.close()
}
