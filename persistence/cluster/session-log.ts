import { randomUUID } from 'node:crypto'
import { type ConsumerMessages, JetStreamApiCodes, JetStreamApiError, jetstream } from '@nats-io/jetstream'
import type { NatsConnection } from '@nats-io/transport-node'
import type { SessionFact } from '../../engine/people/session.ts'
import { delay } from '../base/delay.ts'
import { limits } from '../base/limits.ts'
import { oneAfterTheOther, sharedRuns } from '../journal/fact-log.ts'
import { prunedAt, type SessionLog } from '../journal/session-log.ts'
import { managerOf } from '../nats/manager.ts'
import { DirectoryUnavailable } from './directory-log.ts'
import type { ClusterLog } from './log.ts'
import { sessionStream, sessionSubject } from './names.ts'

type SessionRecord = { readonly id: string; readonly facts: readonly SessionFact[] }

/**
 * The facts about signing in of a cluster: a stream that forgets what is two days old, followed by every node. A record is appended on
 * condition that the stream ends where this node thinks it does, so a code is spent once, whichever nodes it is sent to. What records
 * nothing, or is refused, is decided on all that the stream had, too: a browser's next request reaches another node before the news of the
 * last one. Nothing of it is on a node's own disk: a start reads the stream. Resolves when this node has what the stream had.
 */
export const openReplicatedSessions = async ({
  connection,
  cluster,
  realNow,
  log,
}: {
  readonly connection: NatsConnection
  readonly cluster: string
  readonly realNow: () => number
  readonly log: ClusterLog
}): Promise<SessionLog> => {
  const client = jetstream(connection, { timeout: limits.natsTimeoutMs })
  const manager = await managerOf(connection)
  const [stream, subject] = [sessionStream(cluster), sessionSubject(cluster)]
  const { state } = await manager.streams.info(stream)
  /** Facts that came before there was a follower. */
  const known: (readonly SessionFact[])[] = []
  let onFacts = async (facts: readonly SessionFact[]): Promise<void> => void known.push(facts)
  /** The record after which this node knows all facts. */
  let applied = Math.max(0, state.first_seq - 1)
  let heardAtMs = realNow()
  let messages: ConsumerMessages | null = null
  let isClosed = false
  const waiting: (() => void)[] = []
  /** This node's records that have come back. */
  const taken = new Set<string>()

  const progress = (): Promise<void> => new Promise((resolve) => void waiting.push(resolve))
  const wake = (): void => {
    heardAtMs = realNow()
    for (const resolve of waiting.splice(0)) resolve()
  }

  const take = async (sequence: number, { id, facts }: SessionRecord): Promise<void> => {
    if (sequence <= applied) return
    await onFacts(facts)
    taken.add(id)
    applied = sequence
    wake()
  }

  const followOnce = async (): Promise<void> => {
    const consumer = await client.consumers.get(stream, { opt_start_seq: applied + 1 })
    messages = await consumer.consume({ expires: 5000, idle_heartbeat: 1000 })
    void hearUntilLost(messages)
    for await (const message of messages) await take(message.seq, message.json<SessionRecord>())
  }

  const hearUntilLost = async (of: ConsumerMessages): Promise<void> => {
    for await (const { type } of of.status()) {
      if (type === 'heartbeat') heardAtMs = realNow()
      if (lost.has(type)) of.stop()
    }
  }

  const follow = async (): Promise<void> => {
    while (!isClosed) {
      await followOnce().catch((error: unknown) => {
        if (!isClosed) log.warn({ err: error }, 'the facts about sessions are not followed for now')
      })
      await delay(limits.followPauseMs)
    }
  }

  /** Resolves when this node has what the stream has now. */
  const fetchNews = async (): Promise<void> => {
    const { last_seq: end } = await manager.streams.info(stream).then(
      ({ state }) => state,
      (error: unknown) => {
        throw new DirectoryUnavailable(
          'NATS does not answer, so what other nodes have recorded is not known',
          {
            cause: error,
          },
        )
      },
    )
    for (let tries = 0; applied < end; ) {
      const before = applied
      await Promise.race([progress(), delay(limits.natsRetryMs)])
      if (applied > before) continue
      if (++tries === limits.newsTriesMax)
        throw new DirectoryUnavailable('what other nodes have recorded does not arrive')
      // The stream is ahead of its consumer, so the missing part is read again.
      messages?.stop()
    }
  }

  /** Those who ask meanwhile share the next look: the present one may be older than what they look for. */
  const catchUp = sharedRuns(fetchNews)

  const append: SessionLog['append'] = async (decide) => {
    const id = randomUUID()
    let hasCaughtUp = false
    for (let attempt = 0; attempt < limits.directoryAttemptsMax && !taken.has(id); attempt++) {
      const end = applied
      // Decided again each time, on exactly the state that the record would follow.
      const { facts, refusal } = attempted(decide)
      if (facts === null) {
        if (!hasCaughtUp) await catchUp()
        if (!hasCaughtUp && applied > end) {
          hasCaughtUp = true
          continue
        }
        if (refusal !== undefined) throw refusal
        return
      }
      const record: SessionRecord = { id, facts }
      const expect = { lastSequence: end, streamName: stream }
      const outcome = await client
        .publish(subject, JSON.stringify(record), { expect, timeout: limits.logAnswerMs, retries: 0 })
        .then(
          () => 'STORED' as const,
          (error: unknown) => (isWrongSequence(error) ? ('BEHIND' as const) : ('UNKNOWN' as const)),
        )
      if (outcome === 'STORED') while (!taken.has(id)) await progress()
      else if (applied === end) await Promise.race([progress(), delay(limits.natsRetryMs)])
    }
    if (!taken.delete(id))
      throw new DirectoryUnavailable(
        'NATS does not answer, so whether this was done is not known: look before you do it again',
      )
  }

  /** The servers count messages to a broken connection as delivered, so the consumer would not send them again. */
  const refollowWhenReconnected = async (): Promise<void> => {
    for await (const { type } of connection.status()) if (type === 'reconnect') messages?.stop()
  }

  void follow()
  void refollowWhenReconnected()
  while (applied < state.last_seq) await progress()

  const appendInOrder = oneAfterTheOther(append)
  return {
    follow: (listener) => {
      onFacts = listener
      return known.splice(0)
    },
    append: appendInOrder,
    catchUp,
    prune: (nowMs) => appendInOrder(() => [prunedAt(nowMs)]),
    heardAtMs: () => heardAtMs,
    close: async () => {
      isClosed = true
      messages?.stop()
    },
  }
}

/** What was decided; no facts and the error where that was thrown. */
const attempted = (decide: () => readonly SessionFact[] | null) => {
  try {
    return { facts: decide(), refusal: undefined }
  } catch (refusal) {
    return { facts: null, refusal }
  }
}

const isWrongSequence = (error: unknown): boolean =>
  error instanceof JetStreamApiError && error.code === JetStreamApiCodes.StreamWrongLastSequence

const lost: ReadonlySet<string> = new Set([
  'heartbeats_missed',
  'consumer_not_found',
  'consumer_deleted',
  'stream_not_found',
  'no_responders',
])
