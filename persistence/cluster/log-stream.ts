import type { JetStreamClient, JetStreamManager } from '@nats-io/jetstream'
import { bounds } from '../base/bounds.ts'
import {
  appendAfter,
  consumeAfter,
  type FollowedStream,
  followAlways,
  type LogNames,
  WrongLastSequence,
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
): LogStream => {
  let followed: FollowedStream | null = null
  let restartedAtMs = Number.NEGATIVE_INFINITY

  /** The log has what has not arrived: the consumer may be lost, which its client would notice after two heartbeats. */
  const followAnew = (): void => {
    if (followed === null || followed.isStopped) return
    if (performance.now() - restartedAtMs < 2 * bounds.consumerHeartbeatMs) return
    restartedAtMs = performance.now()
    followed.messages?.stop()
  }

  return {
    append: async (bytes, expected) => {
      try {
        const { seq } = await appendAfter({ client, ...names }, expected, bytes)
        // The fence allows no other place: another sequence would acknowledge a repeat that is not stored yet.
        if (seq !== expected + 1) throw new Error(`the record after ${expected} was stored as ${seq}`)
      } catch (error) {
        if (error instanceof WrongLastSequence && error.last > expected) followAnew()
        throw error
      }
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
      const own: FollowedStream = { client, manager, ...names, messages: null, isStopped: false }
      followed = own
      const followOnce = (): Promise<void> =>
        consumeAfter(
          own,
          after(),
          ({ seq, data, info }) => take({ sequence: seq, bytes: Buffer.from(data) }, info.pending),
          { fetchMax: bounds.logFetchMax, heartbeatMs: bounds.consumerHeartbeatMs },
        )
      const onFollowTrouble = (error: unknown): void => {
        if (!own.isStopped) onTrouble(error)
      }
      followAlways(own, followOnce, onFollowTrouble)
        .then(() => own.messages?.close())
        .catch(onTrouble)
      return {
        stop: () => {
          own.isStopped = true
          own.messages?.stop()
        },
        restart: () => own.messages?.stop(),
      }
    },
  }
}

/** Where a log begins and ends (see `LogStream.ends`). */
export const streamEnds = async (
  manager: Pick<JetStreamManager, 'streams'>,
  stream: string,
): Promise<StreamEnds> => {
  const { first_seq: first, last_seq: last } = (await manager.streams.info(stream)).state
  // A new stream says 0.
  return { first: Math.max(1, first), last }
}
