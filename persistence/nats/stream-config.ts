import {
  JetStreamApiCodes,
  JetStreamApiError,
  type JetStreamManager,
  jetstreamManager,
  RetentionPolicy,
  StorageType,
  type StreamConfig,
  type StreamInfo,
} from '@nats-io/jetstream'
import { type NatsConnection, nanos } from '@nats-io/transport-node'
import { limits } from '../limits.ts'
import { allSubjects } from './message.ts'

export type StreamSettings = {
  readonly replicas: number
  /** How long events are kept; 0 for ever. */
  readonly maxAgeMs: number
  /** How many bytes of them; -1 for any number. The oldest go first. */
  readonly maxBytes: number
}

export const eventStreamName = 'PAY_EVENTS'

/** A stream that is there, but not as it has to be: it is never changed by this service. */
export class StreamMismatch extends Error {}

/** Checks the stream, or creates it where it is missing. Answers when it was created, in epoch milliseconds. */
export const requireEventStream = async (
  connection: NatsConnection,
  { replicas, maxAgeMs, maxBytes }: StreamSettings,
): Promise<number> => {
  const manager = await jetstreamManager(connection, { timeout: limits.natsTimeoutMs, checkAPI: false })
  const wanted = {
    name: eventStreamName,
    subjects: [allSubjects],
    retention: RetentionPolicy.Limits,
    storage: StorageType.File,
    num_replicas: replicas,
    max_age: nanos(maxAgeMs),
    max_bytes: maxBytes,
    duplicate_window: nanos(limits.duplicateWindowMs),
  } satisfies Partial<StreamConfig>
  // What the server does not know it drops without a word: what it made of the configuration is read back.
  const { config, created } = (await find(manager)) ?? (await manager.streams.add(wanted))
  const wrong = Object.entries(wanted).flatMap(([name, value]) => {
    const has = JSON.stringify(config[name as keyof StreamConfig])
    return has === JSON.stringify(value) ? [] : [`${name} ${has}, not ${JSON.stringify(value)}`]
  })
  if (wrong.length === 0) return Date.parse(created)
  throw new StreamMismatch(
    `stream ${eventStreamName} has ${wrong.join(', and ')}: change the stream or the setting`,
  )
}

const find = async (manager: JetStreamManager): Promise<StreamInfo | null> => {
  try {
    return await manager.streams.info(eventStreamName)
  } catch (error) {
    if (error instanceof JetStreamApiError && error.code === JetStreamApiCodes.StreamNotFound) return null
    throw error
  }
}
