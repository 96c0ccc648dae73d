import { bounds } from '../base/bounds.ts'
import { delay } from '../base/delay.ts'
import { fetchCopy, SourceBusy } from './copy-fetch.ts'
import { askPositions, type NodePosition } from './handover.ts'
import { type StreamEnds, streamEnds } from './log-stream.ts'
import { copySubject, shardLogStream } from './names.ts'
import type { OpenMember } from './open-member.ts'
import {
  newAttempt,
  newJoiningFolder,
  type OwnEnd,
  ownEndIn,
  ownIdentity,
  placeCopy,
  removeJoining,
  requireOwnCopy,
} from './shard-copy.ts'

/**
 * Fetches a copy of a shard that this node lacks, from a node that has it: its log is empty and that of the cluster is long, or the cluster's
 * begins behind the end of ours. Resolves when the log in the folder, which must be closed, can be followed: where no node gives
 * a copy and the cluster's log goes back far enough, all of it is read.
 */
export const fetchShardIfLacking = async (
  member: OpenMember,
  shard: number,
  path: string,
  isBehind: boolean,
  isStopped: () => boolean,
): Promise<void> => {
  removeJoining(path)
  const own = ownEndIn(path)
  if (own === null) return
  // It may have records that the servers have lost: until it is open, others would claim without them. Its log shows whether it is behind.
  if (own.applied > 0 && !isBehind) return
  // It has closed, and answers for nothing until it is open again.
  member.replicas.delete(shard)
  const log = await logOf(member, shard)
  if (log === null || !isLacking(own, log)) return
  try {
    member.fetched.set(shard, { from: null, doneBytes: 0, ofBytes: 0, owner: null })
    await member.fetchSlots(() => fetchFromAny(member, shard, path, own, isStopped))
  } finally {
    member.fetched.delete(shard)
    removeJoining(path)
  }
}

/** Whether the log of the cluster has what follows on ours. */
export const isFollowable = ({ applied }: Applied, { first }: StreamEnds): boolean => applied + 1 >= first

type Applied = Pick<OwnEnd, 'applied'>

/** Whether a copy of the shard is fetched rather than its log read. */
export const isLacking = (own: Applied, log: StreamEnds): boolean =>
  !isFollowable(own, log) || (own.applied === 0 && log.last >= bounds.copiedRecordsMin)

/** Where the shard's log begins and ends; null where NATS does not say, and following it will tell. */
const logOf = async (member: OpenMember, shard: number): Promise<StreamEnds | null> => {
  for (let tries = 0; tries < bounds.copyTriesMax; tries++) {
    try {
      return await streamEnds(member.manager, shardLogStream(member.cluster, shard))
    } catch {
      await delay(bounds.logRetryMs)
    }
  }
  return null
}

const fetchFromAny = async (
  member: OpenMember,
  shard: number,
  path: string,
  own: OwnEnd,
  isStopped: () => boolean,
): Promise<void> => {
  const { log } = member
  for (let isTold = false; !isStopped(); await delay(bounds.logRetryMs)) {
    const ends = await logOf(member, shard)
    if (ends === null) continue
    if (!isLacking(own, ends)) return
    const sources = await sourcesOf(member, shard, ends)
    let isBusy = true
    for (let tries = 0; isBusy && tries < bounds.copyBusyTriesMax; tries++) {
      if (tries > 0) await delay(bounds.copyBusyMs)
      isBusy = false
      for (const source of sources) {
        try {
          return await fetchFrom(member, shard, path, own, source, isStopped)
        } catch (error) {
          isBusy ||= error instanceof SourceBusy
          if (isStopped()) return
          if (error instanceof SourceBusy) continue
          log.warn(
            { shard, from: source.node, err: error },
            'a copy of the shard cannot be fetched from this node',
          )
        }
      }
    }
    if (isBusy) continue
    if (isFollowable(own, ends)) {
      log.info({ shard, records: ends.last }, 'no node gives a copy of the shard: its whole log is read')
      return
    }
    if (!isTold)
      log.error(
        { shard, applied: own.applied, first: ends.first },
        'this node lacks records that the log of the shard no longer has, and no living node gives a copy of the shard: it waits for one',
      )
    isTold = true
  }
}

/** The living nodes that give a copy of a shard after which its log can be followed. */
export const sourcesOf = async (
  member: OpenMember,
  shard: number,
  ends: StreamEnds,
): Promise<readonly NodePosition[]> => {
  const sources = (await askPositions(member, shard).catch(() => [])).filter(
    (source) => source.copies === true && isFollowable(source, ends),
  )
  // Each has what the log has dropped: the work is shared among them.
  return [...sources, ...sources].slice(shard % Math.max(1, sources.length)).slice(0, sources.length)
}

const fetchFrom = async (
  member: OpenMember,
  shard: number,
  path: string,
  own: OwnEnd,
  { node: from, owner = null }: NodePosition,
  isStopped: () => boolean,
): Promise<void> => {
  const { connection, cluster, self, log } = member
  const folder = newJoiningFolder(path)
  const startedMs = performance.now()
  let reportedMs = startedMs
  let bytes = 0
  const onProgress = (doneBytes: number, ofBytes: number): void => {
    bytes = ofBytes
    member.fetched.set(shard, { from, doneBytes, ofBytes, owner })
    if (performance.now() - reportedMs < bounds.copyReportMs) return
    reportedMs = performance.now()
    log.info({ shard, from, doneBytes, ofBytes }, 'a copy of the shard is being fetched')
  }
  onProgress(0, 0)
  const subject = copySubject(cluster, from, shard)
  await fetchCopy({ connection, subject, by: newAttempt(self.node), folder, isStopped, onProgress })
  const fetchedMs = performance.now()
  const { applied } = await requireOwnCopy(folder, ownIdentity(path), own)
  if (isStopped()) return
  await placeCopy(path, folder, own)
  const [ms, fetchMs] = [performance.now(), fetchedMs].map((atMs) => Math.round(atMs - startedMs))
  log.info(
    { shard, from, bytes, applied, fetchMs, ms },
    'the shard was fetched from another node, and follows its log from there',
  )
}
