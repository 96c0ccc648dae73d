import type { DirectoryFact } from '../../engine/companies/directory.ts'
import { bounds } from '../base/bounds.ts'
import { delay } from '../base/delay.ts'
import { directoryFactVersions, requireWrittenFact } from '../codec/fact-versions.ts'
import type { DirectoryLog } from '../journal/directory-log.ts'
import { oneAfterTheOther } from '../journal/fact-log.ts'
import { type DirectoryPositions, openDirectoryPositions } from './directory-positions.ts'
import { recordText } from './directory-record.ts'
import {
  appendAfter,
  followAlways,
  newFollowedStream,
  refollowWhenReconnected,
  WrongLastSequence,
} from './followed-stream.ts'
import { directoryPositionSubject, directoryStream, directorySubject } from './names.ts'
import {
  type DirectoryPosition,
  followDirectory,
  lastText,
  type OpenDirectory,
  openDirectory,
  publishPosition,
  type ReplicatedDirectoryOptions,
} from './open-directory.ts'
import { ClusterRefusal } from './refusal.ts'

export type ReplicatedDirectory = DirectoryLog & {
  /** The version that nodes write for each other, as far as this one knows. */
  readonly writtenVersion: () => number
}

/** Whether the log holds the fact is unknown: check before you do it again. */
export class DirectoryUnavailable extends Error {}

/**
 * The directory of a cluster: a stream where record n has sequence n, followed into this node's journal. A fact is
 * appended on condition that the stream ends where this node thinks it does, so sending it again after a lost
 * acknowledgement never stores it twice. Once `append` resolves, every living node acts by the fact; one that is heard
 * and does not follow is waited for as long as a lease. It rejects with `UpgradeUnfinished` for a fact of a later version
 * than the cluster writes.
 *
 * Resolves when this node has everything the stream had. Throws `ClusterRefusal` when a record on disk differs from the
 * stream's: neither side is overwritten. A stream that ends before the journal gets its records back (`putBack`), and a
 * damaged journal those of the stream.
 */
export const openReplicatedDirectory = async (
  options: ReplicatedDirectoryOptions,
): Promise<ReplicatedDirectory> => {
  const { connection, cluster, leaseMs, log } = options
  const names = { stream: directoryStream(cluster), subject: directorySubject(cluster) }
  const followed = await newFollowedStream(connection, names)
  const positions = openDirectoryPositions({
    monotonicNow: () => performance.now(),
    beatMs: bounds.heartbeatMs,
    deadMs: (leaseMs * 3) / 4,
    waitMs: leaseMs,
    onLate: (nodes) => log.warn({ nodes }, 'a change is answered before these nodes have heard of it'),
  })
  const directory = await openDirectory(options, followed)
  void refollowWhenReconnected(connection, followed, positions.resumed)
  const stopPositions = exchangePositions(directory, positions)
  const close = async (): Promise<void> => {
    followed.isStopped = true
    stopPositions()
    followed.messages?.stop()
    await directory.journal.close()
  }
  await followToEnd(directory, close)

  const appendInOrder = oneAfterTheOther((decide: () => DirectoryFact | null) => append(directory, decide))
  return {
    follow: (listener) => {
      directory.onFact = listener
      return directory.known.splice(0)
    },
    append: async (decide) => {
      await appendInOrder(decide)
      // Even if nothing was appended: the state behind that decision may be new to other nodes.
      await positions.everyNodeHas(directory.applied)
    },
    rewrite: null,
    writtenVersion: () => directory.writtenVersion,
    close,
  }
}

/** Follows the log from now on. Resolves when this node has all that it had; rejects with `ClusterRefusal`. */
const followToEnd = (directory: OpenDirectory, close: () => Promise<void>): Promise<void> =>
  new Promise((resolve, reject) => {
    const { followed, log } = directory
    const onEnd = async (sequence: number): Promise<void> => {
      while (directory.applied < sequence) await directory.progress.next()
      directory.isOpen = true
      publishPosition(directory)
      resolve()
    }
    const onTrouble = (error: unknown): void => {
      if (error instanceof ClusterRefusal) throw error
      if (!followed.isStopped)
        log.warn({ err: error }, 'the directory of the cluster is not followed for now')
    }
    followAlways(followed, () => followDirectory(directory, onEnd), onTrouble).catch(
      (error: ClusterRefusal) => {
        if (directory.isOpen) directory.onFork(error)
        else void close().then(() => reject(error))
      },
    )
  })

/** Exchanges positions with the other nodes. Returns a function that stops it. */
const exchangePositions = (directory: OpenDirectory, positions: DirectoryPositions): (() => void) => {
  const { connection, cluster, node } = directory
  const heard = connection.subscribe(directoryPositionSubject(cluster), {
    callback: (error, message) => {
      if (error !== null) return
      const position = message.json<DirectoryPosition>()
      if (position.node !== node) positions.hear(position.node, position.applied)
    },
  })
  const beating = setInterval(() => {
    publishPosition(directory)
    positions.tick()
  }, bounds.heartbeatMs)
  return () => {
    clearInterval(beating)
    publishPosition(directory)
    heard.unsubscribe()
  }
}

const append = async (directory: OpenDirectory, decide: () => DirectoryFact | null): Promise<void> => {
  const { followed, node, sending, progress } = directory
  const id = directory.newRecordId()
  let trouble: unknown
  const isTaken = (): boolean => sending.get(id) !== 'SENT'
  sending.set(id, 'SENT')
  try {
    for (let attempt = 0; attempt < bounds.directoryAttemptsMax && !isTaken(); attempt++) {
      if (directory.applied < directory.journal.appended())
        await Promise.race([appliedAll(directory), delay(bounds.natsRetryMs)])
      const { journal } = directory
      const end = journal.appended()
      // Decided again each time, on exactly the state that the record would follow.
      if (directory.applied < end || isTaken()) continue
      const fact = decide()
      if (fact === null) return
      requireWrittenFact(directoryFactVersions, fact, directory.writtenVersion)
      const text = recordText({ id, node, fact }, lastText(journal))
      await appendAfter(followed, end, text)
        // Another record came first, or the answer was lost: the next records of the stream show which.
        .catch((error: unknown) => {
          trouble = error
        })
      if (directory.journal.appended() > end) continue
      await Promise.race([progress.next(), delay(bounds.natsRetryMs)])
      // The stream is ahead of its consumer, so the missing part is read again.
      if (directory.journal.appended() === end && trouble instanceof WrongLastSequence)
        followed.messages?.stop()
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

const appliedAll = async (directory: OpenDirectory): Promise<void> => {
  while (directory.applied < directory.journal.appended()) await directory.progress.next()
}
