import {
  JetStreamApiCodes,
  JetStreamApiError,
  type JetStreamManager,
  jetstreamManager,
  type StreamConfig,
  type StreamInfo,
} from '@nats-io/jetstream'
import type { NatsConnection } from '@nats-io/transport-node'
import { limits } from '../limits.ts'

/** A stream that is there, but not as it has to be: it is never changed by this service. */
export class StreamMismatch extends Error {}

/** A stream that is not there, and is not to be made now. */
export class StreamMissing extends Error {}

/** What a stream has to be; what is not named may be anything. */
export type WantedStream = Partial<StreamConfig> & { readonly name: string }

/**
 * Checks a stream, or creates it where it is missing. Answers when it was created, in epoch milliseconds.
 * Throws `StreamMismatch` for one that is configured otherwise, `StreamMissing` where it may not be created, and what
 * JetStream throws where it cannot say.
 */
export const requireStream = async (
  connection: NatsConnection,
  wanted: WantedStream,
  mayCreate = true,
): Promise<number> => {
  const manager = await jetstreamManager(connection, { timeout: limits.natsTimeoutMs, checkAPI: false })
  // What the server does not know it drops without a word: what it made of the configuration is read back.
  const found = await find(manager, wanted.name)
  if (found === null && !mayCreate) throw new StreamMissing(`stream ${wanted.name} is missing`)
  const { config, created } = found ?? (await create(manager, wanted))
  const wrong = Object.entries(wanted).flatMap(([name, value]) => {
    const has = JSON.stringify(config[name as keyof StreamConfig])
    return has === JSON.stringify(value) ? [] : [`${name} ${has}, not ${JSON.stringify(value)}`]
  })
  if (wrong.length === 0) return Date.parse(created)
  throw new StreamMismatch(
    `stream ${wanted.name} has ${wrong.join(', and ')}: change the stream or the setting`,
  )
}

const find = async (manager: JetStreamManager, name: string): Promise<StreamInfo | null> => {
  try {
    return await manager.streams.info(name)
  } catch (error) {
    if (error instanceof JetStreamApiError && error.code === JetStreamApiCodes.StreamNotFound) return null
    throw error
  }
}

const create = async (manager: JetStreamManager, wanted: WantedStream): Promise<StreamInfo> => {
  try {
    return await manager.streams.add(wanted)
  } catch (error) {
    // Somebody else was quicker, and made it otherwise.
    if (error instanceof JetStreamApiError && error.code === nameInUse)
      return manager.streams.info(wanted.name)
    throw error
  }
}

/** "stream name already in use with a different configuration" in the server's list of errors. */
const nameInUse = 10058
