import {
  type ConsumerMessages,
  JetStreamApiCodes,
  JetStreamApiError,
  type JetStreamClient,
  type JetStreamManager,
} from '@nats-io/jetstream'
import { delay } from '../base/delay.ts'
import { limits } from '../base/limits.ts'
import type { Placed } from './replica-store.ts'

/** The log of a shard as all nodes see it: totally ordered, and stored by a quorum before it acknowledges. */
export type LogStream = {
  /**
   * Stores a record right after `expected`. Throws `WrongLastSequence` if the log ends elsewhere; after any other error
   * the record may or may not be stored.
   */
  readonly append: (bytes: Uint8Array, expected: number) => Promise<void>
  /** A record, read from the stream's leader; null if there is none. */
  readonly read: (sequence: number) => Promise<Buffer | null>
  /** Hands out records after a sequence as they come, in order, until `stop`. */
  readonly follow: (after: () => number, take: (record: Placed, behind: number) => void) => Following
}

export type Following = {
  readonly stop: () => void
  /** Subscribes again: after a lost connection, whose messages in flight are gone. */
  readonly restart: () => void
}

/** The log ends at another sequence than the writer expected. */
export class WrongLastSequence extends Error {
  readonly last: number
  constructor(last: number) {
    super(`the log ends at ${last}`)
    this.last = last
  }
}

/** Opens a shard's log on JetStream. */
export const openLogStream = (
  client: JetStreamClient,
  manager: JetStreamManager,
  { stream, subject }: { readonly stream: string; readonly subject: string },
  onTrouble: (error: unknown) => void,
): LogStream => {
  const append: LogStream['append'] = async (bytes, expected) => {
    try {
      const ack = await client.publish(subject, bytes, {
        timeout: limits.logAnswerMs,
        retries: 0,
        expect: { lastSequence: expected, streamName: stream },
      })
      // The fence allows no other place: another sequence would acknowledge a repeat that is not stored yet.
      if (ack.seq !== expected + 1) throw new Error(`the record after ${expected} was stored as ${ack.seq}`)
    } catch (error) {
      const last = lastSequenceIn(error)
      throw last === null ? error : new WrongLastSequence(last)
    }
  }

  const read: LogStream['read'] = async (sequence) => {
    const message = await manager.streams.getMessage(stream, { seq: sequence })
    return message === null ? null : Buffer.from(message.data)
  }

  const follow: LogStream['follow'] = (after, take) => {
    let isStopped = false
    let messages: ConsumerMessages | null = null
    const run = async (): Promise<void> => {
      while (!isStopped) {
        try {
          const consumer = await client.consumers.get(stream, { opt_start_seq: after() + 1 })
          const current = await consumer.consume({
            max_messages: limits.logFetchMax,
            expires: 5000,
            idle_heartbeat: 1000,
          })
          messages = current
          if (isStopped) break
          void closeWhenLost(current)
          for await (const message of current) {
            if (isStopped) break
            take({ sequence: message.seq, bytes: Buffer.from(message.data) }, message.info.pending)
          }
        } catch (error) {
          if (!isStopped) onTrouble(error)
        }
        if (!isStopped) await delay(limits.logRetryMs)
      }
      await messages?.close()
    }
    void run().catch(onTrouble)
    return {
      stop: () => {
        isStopped = true
        messages?.stop()
      },
      restart: () => messages?.stop(),
    }
  }

  return { append, read, follow }
}

/** A consumer is not told when its server dies: the client would wait half a minute between its tries. */
const closeWhenLost = async (messages: ConsumerMessages): Promise<void> => {
  for await (const { type } of messages.status()) {
    if (type === 'heartbeats_missed' || type === 'consumer_not_found' || type === 'no_responders')
      messages.stop()
  }
}

const lastSequenceIn = (error: unknown): number | null => {
  if (!(error instanceof JetStreamApiError) || error.code !== JetStreamApiCodes.StreamWrongLastSequence)
    return null
  const found = /sequence: (\d+)/.exec(error.message)
  return found === null ? null : Number(found[1])
}
