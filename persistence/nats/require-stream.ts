import {
  JetStreamApiCodes,
  JetStreamApiError,
  type JetStreamManager,
  type StreamConfig,
  type StreamInfo,
} from '@nats-io/jetstream'
import type { NatsConnection } from '@nats-io/transport-node'
import { managerOf } from './manager.ts'

/** The stream exists with another configuration. This service never changes it. */
export class StreamMismatch extends Error {}

/** The stream is missing and must not be created now. */
export class StreamMissing extends Error {}

/** The required configuration; anything not named may vary. */
export type WantedStream = Partial<StreamConfig> & { readonly name: string }

/** A stream with the required configuration. */
export type FoundStream = {
  /** The creation time as the server reports it; a different time means a different stream. */
  readonly created: string
  /** The creation time by this node's clock, in epoch milliseconds, accurate to the server's response time. */
  readonly createdMs: number
  readonly config: Readonly<StreamConfig>
}

/**
 * Checks a stream, or creates it if missing, with the `preferred` options too. Throws `StreamMismatch` for another
 * configuration, `StreamMissing` when it must not be created, and JetStream's error when the check fails.
 */
export const requireStream = async (
  connection: NatsConnection,
  wanted: WantedStream,
  mayCreate = true,
  preferred: Partial<StreamConfig> = {},
): Promise<FoundStream> => {
  const manager = await managerOf(connection)
  // The server silently drops options it does not know, so the resulting configuration is read back.
  const found = await find(manager, wanted.name)
  if (found === null && !mayCreate) throw new StreamMissing(`stream ${wanted.name} is missing`)
  const { config, created, ts } = found ?? (await create(manager, { ...wanted, ...preferred }))
  const wrong = Object.entries(wanted).flatMap(([name, value]) => {
    const has = JSON.stringify(config[name as keyof StreamConfig])
    return has === JSON.stringify(value) ? [] : [`${name} ${has}, not ${JSON.stringify(value)}`]
  })
  if (wrong.length === 0) return { created, createdMs: byOwnClock(created, ts), config }
  throw new StreamMismatch(
    `stream ${wanted.name} has ${wrong.join(', and ')}: change the stream or the setting`,
  )
}

/** Converts a server's time to this node's clock; unchanged for servers before 2.10, which omit their own time. */
export const byOwnClock = (shown: string, serverNow: string | undefined): number =>
  Date.parse(shown) + (serverNow === undefined ? 0 : Date.now() - Date.parse(serverNow))

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
    // Another process was first, and created it differently.
    if (error instanceof JetStreamApiError && error.code === nameInUse)
      return manager.streams.info(wanted.name)
    throw error
  }
}

/** "stream name already in use with a different configuration" in the server's error list. */
const nameInUse = 10058
