import type { ConsumerMessages } from '@nats-io/jetstream'

/** Stops a consumer that its server has lost: the client would wait half a minute between its tries. */
export const stopWhenLost = async (messages: ConsumerMessages, onHeartbeat?: () => void): Promise<void> => {
  for await (const { type } of messages.status()) {
    if (type === 'heartbeat') onHeartbeat?.()
    if (lost.has(type)) messages.stop()
  }
}

const lost: ReadonlySet<string> = new Set([
  'heartbeats_missed',
  'consumer_not_found',
  'consumer_deleted',
  'stream_not_found',
  'no_responders',
])
