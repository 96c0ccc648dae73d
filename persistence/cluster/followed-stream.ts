import {
  type ConsumerMessages,
  JetStreamApiCodes,
  JetStreamApiError,
  type JetStreamClient,
  type JetStreamManager,
  type JsMsg,
  jetstream,
  type OrderedConsumerOptions,
  type PubAck,
} from '@nats-io/jetstream'
import type { NatsConnection } from '@nats-io/transport-node'
import { bounds } from '../base/bounds.ts'
import { delay } from '../base/delay.ts'
import { managerOf } from '../nats/manager.ts'
import { stopWhenLost } from '../nats/stop-when-lost.ts'

/** A log on JetStream that this process follows, and appends to behind a fence. */
export type FollowedStream = LogNames & {
  readonly client: JetStreamClient
  readonly manager: JetStreamManager
  /** What its current consumer hands out. */
  messages: ConsumerMessages | null
  isStopped: boolean
}

export type LogNames = { readonly stream: string; readonly subject: string }

type ConsumerSettings = Pick<Partial<OrderedConsumerOptions>, 'inactive_threshold'> & {
  readonly onHeartbeat?: () => void
  /** Records requested at once. */
  readonly fetchMax?: number
}

/** A log that is not followed yet. */
export const newFollowedStream = async (
  connection: NatsConnection,
  names: LogNames,
): Promise<FollowedStream> => {
  const client = jetstream(connection, { timeout: bounds.natsTimeoutMs })
  return { client, manager: await managerOf(connection), ...names, messages: null, isStopped: false }
}

/** Follows a log with one consumer after the other, until it is stopped or `onTrouble` throws. */
export const followAlways = async (
  followed: FollowedStream,
  followOnce: () => Promise<void>,
  onTrouble: (error: unknown) => void,
): Promise<void> => {
  while (!followed.isStopped) {
    try {
      await followOnce()
    } catch (error) {
      onTrouble(error)
    }
    if (!followed.isStopped) await delay(bounds.followPauseMs)
  }
}

/** Takes the records after a sequence as they come, in order, until the consumer is lost or stopped. */
export const consumeAfter = async (
  followed: FollowedStream,
  sequence: number,
  take: (message: JsMsg) => Promise<void> | void,
  { onHeartbeat, fetchMax, ...config }: ConsumerSettings = {},
): Promise<void> => {
  const start = { opt_start_seq: sequence + 1, ...config }
  const consumer = await followed.client.consumers.get(followed.stream, start)
  const fetched = fetchMax === undefined ? {} : { max_messages: fetchMax }
  const messages = await consumer.consume({ ...fetched, expires: 5000, idle_heartbeat: 1000 })
  followed.messages = messages
  if (followed.isStopped) return messages.stop()
  void stopWhenLost(messages, onHeartbeat)
  for await (const message of messages) {
    if (followed.isStopped) break
    const taken = take(message)
    if (taken !== undefined) await taken
  }
}

/**
 * Ends the current consumer whenever the connection is back: the servers count messages to a broken connection as delivered, so it would not
 * get them again.
 */
export const refollowWhenReconnected = async (
  connection: NatsConnection,
  followed: FollowedStream,
  onReconnected: () => void = () => undefined,
): Promise<void> => {
  for await (const { type } of connection.status()) {
    if (type !== 'reconnect') continue
    followed.messages?.stop()
    onReconnected()
  }
}

/**
 * Stores a record right after `expected`. Throws `WrongLastSequence` if the log ends elsewhere; after any other error the record may or may not
 * be stored. Asking again is harmless.
 */
export const appendAfter = async (
  { client, stream, subject }: Pick<FollowedStream, 'client' | 'stream' | 'subject'>,
  expected: number,
  bytes: Uint8Array | string,
  timeout: number = bounds.logAnswerMs,
): Promise<PubAck> => {
  try {
    const expect = { lastSequence: expected, streamName: stream }
    return await client.publish(subject, bytes, { timeout, retries: 0, expect })
  } catch (error) {
    const last = lastSequenceIn(error)
    throw last === null ? error : new WrongLastSequence(last, { cause: error })
  }
}

/** The log ends at another sequence than the writer expected. */
export class WrongLastSequence extends Error {
  readonly last: number
  constructor(last: number, options?: ErrorOptions) {
    super(`the log ends at ${last}`, options)
    this.last = last
  }
}

const lastSequenceIn = (error: unknown): number | null => {
  if (!(error instanceof JetStreamApiError) || error.code !== JetStreamApiCodes.StreamWrongLastSequence)
    return null
  const found = /sequence: (\d+)/.exec(error.message)
  return found === null ? null : Number(found[1])
}

/** Wakes all current waiters. */
export const newSignal = () => {
  const waiters: (() => void)[] = []
  return {
    next: (): Promise<void> => new Promise((resolve) => void waiters.push(resolve)),
    give: (): void => {
      for (const wake of waiters.splice(0)) wake()
    },
  }
}
