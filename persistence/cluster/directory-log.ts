import { type ConsumerMessages, JetStreamApiCodes, JetStreamApiError, jetstream } from '@nats-io/jetstream'
import { type NatsConnection, nanos } from '@nats-io/transport-node'
import type { Commit, DirectoryEvent } from '../../engine/directory/directory.ts'
import type { Journal } from '../../engine/kernel/ports.ts'
import { delay } from '../base/delay.ts'
import { limits } from '../base/limits.ts'
import { Damaged } from '../disk/damage.ts'
import type { DirectoryLog } from '../journal/directory-log.ts'
import { oneAfterTheOther } from '../journal/fact-log.ts'
import { flushedUpTo } from '../journal/journal.ts'
import { managerOf } from '../nats/manager.ts'
import { stopWhenLost } from '../nats/stop-when-lost.ts'
import { openDirectoryPositions } from './directory-positions.ts'
import { continues, type DirectoryRecord, readRecord, recordText } from './directory-record.ts'
import type { ClusterLog } from './log.ts'
import { directoryPositionSubject, directoryStream, directorySubject } from './names.ts'
import { putBack } from './put-back.ts'
import { ClusterRefusal } from './refusal.ts'

export type ReplicatedDirectoryOptions = {
  readonly connection: NatsConnection
  readonly cluster: string
  readonly node: string
  readonly leaseMs: number
  /** The records' texts on this node's disk; opened again after a failed write. */
  readonly openJournal: () => Journal<string>
  /** Puts an empty journal in the place of a damaged one, and resolves to where that is now. */
  readonly setAside: () => Promise<string>
  readonly newRecordId: () => string
  readonly log: ClusterLog
  /** The log and this node's disk diverged while it ran. */
  readonly onFork: (error: ClusterRefusal) => void
}

/** It is unknown whether the fact is in the log: check before doing it again. */
export class DirectoryUnavailable extends Error {}

/**
 * The directory of a cluster: a stream where record n has sequence n, followed into this node's journal. A fact is
 * appended on condition that the stream ends where this node thinks it does, so sending it again after a lost
 * acknowledgement never stores it twice. Once `append` resolves, every living node acts by the fact; one that is heard
 * and does not follow is waited for as long as a lease.
 *
 * Resolves when this node has everything the stream had. Throws `ClusterRefusal` when a record on disk differs from the
 * stream's: neither side is overwritten. A stream that ends before the journal gets its records back (`putBack`), and a
 * damaged journal those of the stream.
 */
export const openReplicatedDirectory = async (options: ReplicatedDirectoryOptions): Promise<DirectoryLog> => {
  const { connection, cluster, node, leaseMs, log } = options
  const client = jetstream(connection, { timeout: limits.natsTimeoutMs })
  const manager = await managerOf(connection)
  const stream = directoryStream(cluster)
  const subject = directorySubject(cluster)
  let journal: Journal<string>
  /** Facts received before there was a follower. */
  const known: DirectoryEvent[] = []
  let onFact: (fact: DirectoryEvent) => Promise<void> = async (fact) => void known.push(fact)
  let applied = 0
  const progress = newSignal()
  /** This node's facts on their way, by the ids of their records. */
  const sending = new Map<string, 'SENT' | 'TAKEN' | 'APPLIED'>()
  let messages: ConsumerMessages | null = null
  let failure: Error | null = null
  let isOpen = false
  let isClosed = false

  const positions = openDirectoryPositions({
    now: () => performance.now(),
    beatMs: limits.heartbeatMs,
    deadMs: (leaseMs * 3) / 4,
    waitMs: leaseMs,
    onLate: (nodes) => log.warn({ nodes }, 'a change is answered before these nodes have heard of it'),
  })
  const positionSubject = directoryPositionSubject(cluster)
  const tellPosition = (): void => {
    // A node that still fetches what it lacks is not waited for.
    if (!isOpen) return
    const position: DirectoryPosition = { node, applied: isClosed ? null : applied }
    connection.publish(positionSubject, JSON.stringify(position))
  }

  const lastText = (): string | null => (journal.appended() === 0 ? null : journal.at(journal.appended()))

  const apply = async (sequence: number, record: DirectoryRecord): Promise<void> => {
    // It was applied before the journal was damaged, and has come again.
    if (sequence <= applied) return
    await onFact(record.fact)
    applied = sequence
    if (sending.has(record.id)) sending.set(record.id, 'APPLIED')
    progress.give()
    tellPosition()
  }

  /** Opens the journal and applies what is new in it; a damaged one is set aside, and its records come again. */
  const open = async (): Promise<void> => {
    try {
      journal = options.openJournal()
      for (const { sequence, record } of journal.replay(applied)) await apply(sequence, readRecord(record))
    } catch (error) {
      if (!(error instanceof Damaged)) throw error
      await journal?.close()
      const aside = await options.setAside()
      log.error({ aside }, `${error.message}: it is fetched again from the cluster`)
      journal = options.openJournal()
    }
  }
  await open()

  /** Records are applied one by one, each after it is on disk. */
  let applying = Promise.resolve()

  const take = (sequence: number, text: string): void => {
    if (sequence <= journal.appended()) return
    if (sequence > journal.appended() + 1) throw new Error(`${stream} skips to record ${sequence}`)
    const record = readRecord(text)
    if (!continues(record, lastText())) throw forked(sequence)
    journal.append(text)
    if (sending.has(record.id)) sending.set(record.id, 'TAKEN')
    progress.give()
    applying = applying.then(async () => {
      await flushedUpTo(journal, sequence)
      await apply(sequence, record)
    })
    applying.catch((error: Error) => {
      failure = error
      messages?.stop()
    })
  }

  const reopen = async (): Promise<void> => {
    await journal.close()
    await open()
    failure = null
    applying = Promise.resolve()
  }

  /** Follows the stream until its consumer is lost or the journal fails. */
  const followOnce = async (onEnd: (sequence: number) => void): Promise<void> => {
    if (failure !== null) await reopen()
    await applying
    onEnd(await putBack({ client, manager, stream, subject, journal, log, forked }))
    const consumer = await client.consumers.get(stream, {
      opt_start_seq: journal.appended() + 1,
      inactive_threshold: nanos(limits.lostConsumerMs),
    })
    messages = await consumer.consume({ expires: 5000, idle_heartbeat: 1000 })
    void stopWhenLost(messages)
    for await (const message of messages) take(message.seq, message.string())
    if (failure !== null) throw failure
  }

  const followAlways = async (onEnd: (sequence: number) => void): Promise<void> => {
    while (!isClosed) {
      try {
        await followOnce(onEnd)
      } catch (error) {
        if (error instanceof ClusterRefusal) throw error
        if (!isClosed) log.warn({ err: error }, 'the directory of the cluster is not followed for now')
      }
      await delay(limits.followPauseMs)
    }
  }

  const appliedAll = async (): Promise<void> => {
    while (applied < journal.appended()) await progress.next()
  }

  const append: Commit = async (decide) => {
    const id = options.newRecordId()
    let trouble: unknown
    const isTaken = (): boolean => sending.get(id) !== 'SENT'
    sending.set(id, 'SENT')
    try {
      for (let attempt = 0; attempt < limits.directoryAttemptsMax && !isTaken(); attempt++) {
        if (applied < journal.appended()) await Promise.race([appliedAll(), delay(limits.natsRetryMs)])
        const end = journal.appended()
        // Decided again each time, on exactly the state that the record would follow.
        if (applied < end || isTaken()) continue
        const fact = decide()
        if (fact === null) return
        const text = recordText({ id, node, fact }, lastText())
        const expect = { lastSequence: end, streamName: stream }
        await client
          .publish(subject, text, { expect, timeout: limits.logAnswerMs, retries: 0 })
          // Another record came first, or the answer was lost: what the stream delivers next tells which.
          .catch((error: unknown) => {
            trouble = error
          })
        if (journal.appended() > end) continue
        await Promise.race([progress.next(), delay(limits.natsRetryMs)])
        // The stream is ahead of its consumer, so the missing part is read again.
        if (journal.appended() === end && isWrongSequence(trouble)) messages?.stop()
      }
      if (!isTaken())
        throw new DirectoryUnavailable(
          'NATS does not answer, so whether this was done is not known: look before you do it again',
          { cause: trouble },
        )
      while (sending.get(id) !== 'APPLIED') await progress.next()
    } finally {
      sending.delete(id)
    }
  }

  const forked = (sequence: number): ClusterRefusal =>
    new ClusterRefusal(
      `record ${sequence} of ${stream} does not continue what node ${node} has on disk; nothing was changed. If the other nodes agree with the stream, give this one an empty data directory`,
    )

  const close = async (): Promise<void> => {
    isClosed = true
    clearInterval(beating)
    tellPosition()
    heard.unsubscribe()
    messages?.stop()
    await journal.close()
  }

  /** The servers count messages to a broken connection as delivered, so the consumer would not send them again. */
  const refollowWhenReconnected = async (): Promise<void> => {
    for await (const { type } of connection.status()) {
      if (type !== 'reconnect') continue
      messages?.stop()
      positions.resumed()
    }
  }
  void refollowWhenReconnected()

  const heard = connection.subscribe(positionSubject, {
    callback: (error, message) => {
      if (error !== null) return
      const position = message.json<DirectoryPosition>()
      if (position.node !== node) positions.hear(position.node, position.applied)
    },
  })
  const beating = setInterval(() => {
    tellPosition()
    positions.tick()
  }, limits.heartbeatMs)

  await new Promise<void>((resolve, reject) => {
    const onEnd = async (sequence: number): Promise<void> => {
      while (applied < sequence) await progress.next()
      isOpen = true
      tellPosition()
      resolve()
    }
    followAlways(onEnd).catch((error: ClusterRefusal) => {
      if (isOpen) options.onFork(error)
      else void close().then(() => reject(error))
    })
  })

  const appendInOrder = oneAfterTheOther(append)
  return {
    follow: (listener) => {
      onFact = listener
      return known.splice(0)
    },
    append: async (decide) => {
      await appendInOrder(decide)
      // Also where there was nothing to do: whatever this was decided on may be new to other nodes.
      await positions.everyNodeHas(applied)
    },
    rewrite: null,
    close,
  }
}

type DirectoryPosition = { readonly node: string; readonly applied: number | null }

const isWrongSequence = (error: unknown): boolean =>
  error instanceof JetStreamApiError && error.code === JetStreamApiCodes.StreamWrongLastSequence

/** Wakes all current waiters. */
const newSignal = () => {
  const waiters: (() => void)[] = []
  return {
    next: (): Promise<void> => new Promise((resolve) => void waiters.push(resolve)),
    give: (): void => {
      for (const wake of waiters.splice(0)) wake()
    },
  }
}
