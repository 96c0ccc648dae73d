import type { JetStreamClient, JetStreamManager } from '@nats-io/jetstream'
import { bounds } from '../base/bounds.ts'
import {
  appendAfter,
  consumeAfter,
  type FollowedStream,
  followAlways,
  type LogNames,
} from './followed-stream.ts'
import type { Placed } from './record.ts'

/** The log of a shard as all nodes see it: totally ordered, and stored by a quorum before it acknowledges. */
export type LogStream = {
  /**
   * Stores a record right after `expected`. Throws `WrongLastSequence` if the log ends elsewhere; after any other error
   * the record may or may not be stored.
   */
  readonly append: (bytes: Uint8Array, expected: number) => Promise<void>
  /** A record, read from the stream's leader; null if there is none. */
  readonly read: (sequence: number) => Promise<Buffer | null>
  /** The sequences of its first and last records, as the stream's leader knows them; the first is one more than the last where there are none. */
  readonly ends: () => Promise<StreamEnds>
  /**
   * Drops the records before this sequence. A log that ends before it is empty from then on, and this is the sequence of its next record.
   * Resolves when a quorum has done so.
   */
  readonly beginAt: (sequence: number) => Promise<void>
  /** Hands out records after a sequence as they come, in order, until `stop`. */
  readonly follow: (
    after: () => number,
    take: (record: Pick<Placed, 'sequence' | 'bytes'>, behind: number) => void,
  ) => Following
}

/** The cluster's log has dropped the records that follow on this node's: the shard has to be fetched from another node. */
export class LogBehind extends Error {}

export type StreamEnds = { readonly first: number; readonly last: number }

export type Following = {
  readonly stop: () => void
  /** Subscribes again: after a lost connection, whose messages in flight are gone. */
  readonly restart: () => void
}

/** Opens a shard's log on JetStream. */
export const openLogStream = (
  client: JetStreamClient,
  manager: JetStreamManager,
  names: LogNames,
  onTrouble: (error: unknown) => void,
): LogStream => ({
  append: async (bytes, expected) => {
    const { seq } = await appendAfter({ client, ...names }, expected, bytes)
    // The fence allows no other place: another sequence would acknowledge a repeat that is not stored yet.
    if (seq !== expected + 1) throw new Error(`the record after ${expected} was stored as ${seq}`)
  },
  read: async (sequence) => {
    const message = await manager.streams.getMessage(names.stream, { seq: sequence })
    return message === null ? null : Buffer.from(message.data)
  },
  ends: () => streamEnds(manager, names.stream),
  beginAt: async (sequence) => {
    await manager.streams.purge(names.stream, { seq: sequence })
  },
  follow: (after, take) => {
    const followed: FollowedStream = { client, manager, ...names, messages: null, isStopped: false }
    const followOnce = (): Promise<void> =>
      consumeAfter(
        followed,
        after(),
        ({ seq, data, info }) => take({ sequence: seq, bytes: Buffer.from(data) }, info.pending),
        { fetchMax: bounds.logFetchMax },
      )
    const onFollowTrouble = (error: unknown): void => {
      if (!followed.isStopped) onTrouble(error)
    }
    followAlways(followed, followOnce, onFollowTrouble)
      .then(() => followed.messages?.close())
      .catch(onTrouble)
    return {
      stop: () => {
        followed.isStopped = true
        followed.messages?.stop()
      },
      restart: () => followed.messages?.stop(),
    }
  },
})

/** Where a log begins and ends (see `LogStream.ends`). */
export const streamEnds = async (
  manager: Pick<JetStreamManager, 'streams'>,
  stream: string,
): Promise<StreamEnds> => {
  const { first_seq: first, last_seq: last } = (await manager.streams.info(stream)).state
  // A new stream says 0.
  return { first: Math.max(1, first), last }
}
