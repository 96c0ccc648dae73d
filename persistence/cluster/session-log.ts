import { randomUUID } from 'node:crypto'
import type { NatsConnection } from '@nats-io/transport-node'
import type { SessionFact } from '../../engine/people/session.ts'
import { bounds } from '../base/bounds.ts'
import { delay } from '../base/delay.ts'
import { requireWrittenFact, sessionFactVersions } from '../codec/fact-versions.ts'
import { oneAfterTheOther, sharedRuns } from '../journal/fact-log.ts'
import { prunedAt, type SessionLog } from '../journal/session-log.ts'
import { DirectoryUnavailable } from './directory-log.ts'
import {
  appendAfter,
  consumeAfter,
  type FollowedStream,
  followAlways,
  newFollowedStream,
  newSignal,
  refollowWhenReconnected,
} from './followed-stream.ts'
import type { ClusterLog } from './log.ts'
import { sessionStream, sessionSubject } from './names.ts'

type ReplicatedSessionsOptions = {
  readonly connection: NatsConnection
  readonly cluster: string
  readonly realNow: () => number
  /** The version that every node of the cluster reads. */
  readonly writtenVersion: () => number
  readonly log: ClusterLog
}

/**
 * A cluster's facts about signing in: a stream that drops facts after two days, followed by every node. A record
 * is appended on condition that the stream ends where this node thinks it does, so a code is spent once, whichever
 * nodes receive it. A decision to record nothing, or a refusal, is also made on all that the stream had: a
 * browser's next request may reach another node before the last fact does. No facts are on a node's own disk: a
 * start reads the stream. Resolves when this node has what the stream had.
 */
export const openReplicatedSessions = async (options: ReplicatedSessionsOptions): Promise<SessionLog> => {
  const { connection, cluster, log } = options
  const names = { stream: sessionStream(cluster), subject: sessionSubject(cluster) }
  const followed = await newFollowedStream(connection, names)
  const { state } = await followed.manager.streams.info(names.stream)
  const sessions = newSessionState(followed, options.realNow, state.first_seq)
  void followAlways(
    followed,
    () => followSessions(sessions),
    (error) => {
      if (!followed.isStopped) log.warn({ err: error }, 'the facts about sessions are not followed for now')
    },
  )
  void refollowWhenReconnected(connection, followed)
  while (sessions.applied < state.last_seq) await sessions.progress.next()

  /** Callers during a run share the next one: the present one may have begun before the fact they look for. */
  const catchUp = sharedRuns(() => fetchNews(sessions))
  const appendInOrder = oneAfterTheOther((decide: Decide) => appendFacts(sessions, decide, catchUp))
  const append = (decide: Decide): Promise<void> =>
    appendInOrder(() => {
      const facts = decide()
      for (const fact of facts ?? []) requireWrittenFact(sessionFactVersions, fact, options.writtenVersion())
      return facts
    })
  return {
    follow: (listener) => {
      sessions.onFacts = listener
      return sessions.known.splice(0)
    },
    append,
    catchUp,
    prune: (nowMs) => append(() => [prunedAt(nowMs)]),
    heardAtMs: () => sessions.heardAtMs,
    close: async () => {
      followed.isStopped = true
      followed.messages?.stop()
    },
  }
}

type SessionRecord = { readonly id: string; readonly facts: readonly SessionFact[] }
type Decide = () => readonly SessionFact[] | null
type SessionState = ReturnType<typeof newSessionState>

const newSessionState = (followed: FollowedStream, realNow: () => number, firstSequence: number) => {
  /** Facts that came before there was a follower. */
  const known: (readonly SessionFact[])[] = []
  return {
    followed,
    realNow,
    known,
    onFacts: async (facts: readonly SessionFact[]): Promise<void> => void known.push(facts),
    /** The record after which this node knows all facts. */
    applied: Math.max(0, firstSequence - 1),
    heardAtMs: realNow(),
    progress: newSignal(),
    /** This node's records that have come back. */
    taken: new Set<string>(),
  }
}

const followSessions = (sessions: SessionState): Promise<void> =>
  consumeAfter(
    sessions.followed,
    sessions.applied,
    async (message) => {
      const { seq } = message
      const { id, facts } = message.json<SessionRecord>()
      if (seq <= sessions.applied) return
      await sessions.onFacts(facts)
      sessions.taken.add(id)
      sessions.applied = seq
      sessions.heardAtMs = sessions.realNow()
      sessions.progress.give()
    },
    {
      onHeartbeat: () => {
        sessions.heardAtMs = sessions.realNow()
      },
    },
  )

/**
 * Resolves when this node has all that the stream has now. Throws `DirectoryUnavailable` if that does not come.
 */
const fetchNews = async (sessions: SessionState): Promise<void> => {
  const { followed, progress } = sessions
  const { state } = await followed.manager.streams.info(followed.stream).catch((cause: unknown) => {
    throw new DirectoryUnavailable('NATS does not answer, so what other nodes have recorded is not known', {
      cause,
    })
  })
  for (let tries = 0; sessions.applied < state.last_seq; ) {
    const before = sessions.applied
    await Promise.race([progress.next(), delay(bounds.natsRetryMs)])
    if (sessions.applied > before) continue
    if (++tries === bounds.newsTriesMax)
      throw new DirectoryUnavailable('what other nodes have recorded does not arrive')
    // The stream is ahead of its consumer, so the missing part is read again.
    followed.messages?.stop()
  }
}

const appendFacts = async (
  sessions: SessionState,
  decide: Decide,
  catchUp: () => Promise<void>,
): Promise<void> => {
  const { followed, taken, progress } = sessions
  const id = randomUUID()
  let hasCaughtUp = false
  for (let attempt = 0; attempt < bounds.directoryAttemptsMax && !taken.has(id); attempt++) {
    const end = sessions.applied
    // Decided again each time, on exactly the state that the record would follow.
    const { facts, refusal } = attempted(decide)
    if (facts === null) {
      if (!hasCaughtUp) await catchUp()
      if (!hasCaughtUp && sessions.applied > end) {
        hasCaughtUp = true
        continue
      }
      if (refusal !== undefined) throw refusal
      return
    }
    const record: SessionRecord = { id, facts }
    const isStored = await appendAfter(followed, end, JSON.stringify(record)).then(
      () => true,
      () => false,
    )
    if (isStored) while (!taken.has(id)) await progress.next()
    else if (sessions.applied === end) await Promise.race([progress.next(), delay(bounds.natsRetryMs)])
  }
  if (!taken.delete(id))
    throw new DirectoryUnavailable(
      'NATS does not answer, so whether this was done is not known: look before you do it again',
    )
}

/** The facts decided on; null and the error when `decide` throws. */
const attempted = (decide: Decide) => {
  try {
    return { facts: decide(), refusal: undefined }
  } catch (refusal) {
    return { facts: null, refusal }
  }
}
