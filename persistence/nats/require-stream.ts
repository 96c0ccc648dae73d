import {
  JetStreamApiCodes,
  JetStreamApiError,
  type JetStreamManager,
  jetstreamManager,
  type StreamConfig,
} from '@nats-io/jetstream'
import type { NatsConnection } from '@nats-io/transport-node'
import { limits } from '../limits.ts'

/** A stream that is there, but not as it has to be: it is never changed by this service. */
export class StreamMismatch extends Error {}

/** What a stream has to be; what is not named may be anything. */
export type WantedStream = Partial<StreamConfig> & { readonly name: string }

/**
 * Checks a stream, or creates it where it is missing.
 * Throws `StreamMismatch` for one that is configured otherwise, and what JetStream throws where it cannot say.
 */
export const requireStream = async (connection: NatsConnection, wanted: WantedStream): Promise<void> => {
  const manager = await jetstreamManager(connection, { timeout: limits.natsTimeoutMs })
  // What the server does not know it drops without a word: what it made of the configuration is read back.
  const config = (await configOf(manager, wanted.name)) ?? (await create(manager, wanted))
  const wrong = Object.entries(wanted).find(
    ([name, value]) => JSON.stringify(config[name as keyof StreamConfig]) !== JSON.stringify(value),
  )
  if (wrong === undefined) return
  const [name, value] = wrong
  throw new StreamMismatch(
    `stream ${wanted.name} has ${name} ${JSON.stringify(config[name as keyof StreamConfig])}, not ${JSON.stringify(value)}: change the stream or the setting`,
  )
}

const configOf = async (manager: JetStreamManager, name: string): Promise<StreamConfig | null> => {
  try {
    return (await manager.streams.info(name)).config
  } catch (error) {
    if (error instanceof JetStreamApiError && error.code === JetStreamApiCodes.StreamNotFound) return null
    throw error
  }
}

const create = async (manager: JetStreamManager, wanted: WantedStream): Promise<StreamConfig> => {
  try {
    return (await manager.streams.add(wanted)).config
  } catch (error) {
    // Somebody else was quicker, and made it otherwise.
    if (error instanceof JetStreamApiError && error.code === nameInUse)
      return (await manager.streams.info(wanted.name)).config
    throw error
  }
}

/** "stream name already in use with a different configuration" in the server's list of errors. */
const nameInUse = 10058
