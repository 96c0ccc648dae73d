import type { NatsConnection } from '@nats-io/transport-node'
import { nanos } from '@nats-io/transport-node'
import { type DirectoryFact, firstWrittenVersion } from '../../engine/companies/directory.ts'
import type { Journal } from '../../engine/kernel/ports.ts'
import { bounds } from '../base/bounds.ts'
import { Damaged } from '../disk/damage.ts'
import { flushedUpTo } from '../journal/journal.ts'
import { continues, type DirectoryRecord, readRecord, writtenFrom } from './directory-record.ts'
import { consumeAfter, type FollowedStream, newFollowedStream, newSignal } from './followed-stream.ts'
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
  /** Replaces a damaged journal by an empty one, and resolves to the new path of the damaged file. */
  readonly setAside: () => Promise<string>
  readonly newRecordId: () => string
  readonly log: ClusterLog
  /** The log and this node's disk diverged while it ran, or the log got what this node does not read. */
  readonly onFork: (error: ClusterRefusal) => void
}

/** The state that the parts of a replicated directory share. */
export type OpenDirectory = Unopened & { journal: Journal<string> }
type Unopened = ReturnType<typeof unopened>

const unopened = (options: ReplicatedDirectoryOptions, followed: FollowedStream) => {
  /** Facts received before there was a follower. */
  const known: DirectoryFact[] = []
  return {
    ...options,
    followed,
    known,
    onFact: async (fact: DirectoryFact): Promise<void> => void known.push(fact),
    applied: 0,
    /** The version that nodes write, as far as this one knows. */
    writtenVersion: firstWrittenVersion,
    progress: newSignal(),
    /** This node's facts on their way, by the ids of their records. */
    sending: new Map<string, 'SENT' | 'TAKEN' | 'APPLIED'>(),
    /** Records are applied one by one, each after it is on disk. */
    applying: Promise.resolve(),
    failure: null as Error | null,
    /** Whether this node has had everything that the stream held at the start. */
    isOpen: false,
  }
}

/** Opens the journal and applies what is in it. */
export const openDirectory = async (
  options: ReplicatedDirectoryOptions,
  followed: FollowedStream,
): Promise<OpenDirectory> => {
  const directory = unopened(options, followed)
  return Object.assign(directory, { journal: await openJournal(directory) })
}

/** Opens the journal and applies what is new in it; a damaged one is set aside, and its records come again. */
const openJournal = async (directory: Unopened): Promise<Journal<string>> => {
  let journal: Journal<string> | undefined
  try {
    journal = directory.openJournal()
    for (const { sequence, record } of journal.replay(directory.applied))
      await apply(directory, sequence, readRecord(record))
    return journal
  } catch (error) {
    if (!(error instanceof Damaged)) throw error
    await journal?.close()
    const aside = await directory.setAside()
    directory.log.error({ aside }, `${error.message}: it is fetched again from the cluster`)
    return directory.openJournal()
  }
}

/**
 * Reads what the log has behind these records, and stores nothing of it. Throws `ClusterRefusal` for what this build does
 * not read.
 */
export const requireReadable = async (
  connection: NatsConnection,
  cluster: string,
  after: number,
): Promise<void> => {
  const names = { stream: directoryStream(cluster), subject: directorySubject(cluster) }
  const followed = await newFollowedStream(connection, names)
  const { last_seq: last } = (await followed.manager.streams.info(names.stream)).state
  let read = after
  if (read >= last) return
  await consumeAfter(followed, after, (message) => {
    readRecord(message.string())
    read = message.seq
    if (read >= last) followed.messages?.stop()
  })
  if (read < last) throw new Error(`${names.stream} is not read to its end`)
}

/** Follows the stream until its consumer is lost or the journal fails. `onEnd` receives the log's end at first. */
export const followDirectory = async (
  directory: OpenDirectory,
  onEnd: (sequence: number) => void,
): Promise<void> => {
  const { followed, log } = directory
  if (directory.failure !== null) await reopen(directory)
  await directory.applying
  onEnd(await putBack(followed, directory.journal, log, (sequence) => forked(directory, sequence)))
  await consumeAfter(
    followed,
    directory.journal.appended(),
    (message) => take(directory, message.seq, message.string()),
    { inactive_threshold: nanos(bounds.lostConsumerMs) },
  )
  if (directory.failure !== null) throw directory.failure
}

const reopen = async (directory: OpenDirectory): Promise<void> => {
  await directory.journal.close()
  directory.journal = await openJournal(directory)
  directory.failure = null
  directory.applying = Promise.resolve()
}

const take = (directory: OpenDirectory, sequence: number, text: string): void => {
  const { journal, followed, sending, progress } = directory
  if (sequence <= journal.appended()) return
  if (sequence > journal.appended() + 1) throw new Error(`${followed.stream} skips to record ${sequence}`)
  const record = readRecord(text)
  if (!continues(record, lastText(journal))) throw forked(directory, sequence)
  journal.append(text)
  if (sending.has(record.id)) sending.set(record.id, 'TAKEN')
  progress.give()
  directory.applying = directory.applying.then(async () => {
    await flushedUpTo(journal, sequence)
    await apply(directory, sequence, record)
  })
  directory.applying.catch((error: Error) => {
    directory.failure = error
    followed.messages?.stop()
  })
}

const apply = async (directory: Unopened, sequence: number, record: DirectoryRecord): Promise<void> => {
  const { sending } = directory
  // A record applied before the journal was damaged comes again.
  if (sequence <= directory.applied) return
  await directory.onFact(record.fact)
  directory.writtenVersion = Math.max(directory.writtenVersion, writtenFrom(record.fact) ?? 0)
  directory.applied = sequence
  if (sending.has(record.id)) sending.set(record.id, 'APPLIED')
  directory.progress.give()
  publishPosition(directory)
}

/** The text of the journal's last record; null if it has none. */
export const lastText = (journal: Journal<string>): string | null =>
  journal.appended() === 0 ? null : journal.at(journal.appended())

/** How far a node has applied the directory; null when it ends. */
export type DirectoryPosition = { readonly node: string; readonly applied: number | null }

/** Publishes this node's position. A node that still fetches stays silent, so that others do not wait for it. */
export const publishPosition = (directory: Unopened): void => {
  const { connection, cluster, node, followed, applied, isOpen } = directory
  if (!isOpen) return
  const position: DirectoryPosition = { node, applied: followed.isStopped ? null : applied }
  connection.publish(directoryPositionSubject(cluster), JSON.stringify(position))
}

const forked = ({ followed, node }: Unopened, sequence: number): ClusterRefusal =>
  new ClusterRefusal(
    `record ${sequence} of ${followed.stream} does not continue what node ${node} has on disk; nothing was changed. If the other nodes agree with the stream, give this one an empty data directory`,
  )
