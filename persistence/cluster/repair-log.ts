import { bounds } from '../base/bounds.ts'
import { WrongLastSequence } from './followed-stream.ts'
import type { OpenReplica } from './open-replica.ts'
import { chainHash, unpackRecord } from './record.ts'

/** Looks once after each lost connection whether the servers have lost records of a follower, which may be the only one that has them and must not claim. */
export const putBackIfLost = (replica: OpenReplica): void => {
  if (replica.lost !== 'MAYBE') return
  replica.lost = 'LOOKING'
  const look = async (): Promise<void> => {
    const { last } = await replica.stream.ends()
    await replica.inTurn(async () => {
      const { role, isClosed, store } = replica
      if (role === 'FOLLOWER' && !isClosed && last < store.position().applied) await repairLog(replica, last)
    })
  }
  look().then(
    () => {
      if (replica.lost === 'LOOKING') replica.lost = 'NO'
    },
    () => {
      replica.lost = 'MAYBE'
    },
  )
}

/** Puts back acknowledged records that the servers have lost: the log ends before this node's disk. */
export const repairLog = async (replica: OpenReplica, end: number): Promise<void> => {
  const { store, stream, pause } = replica
  const { applied } = store.position()
  const base = store.base()
  if (end < base.applied) {
    if (!(await isPartOfOurs(replica, end))) return pause(bounds.logRetryMs)
  } else if (end > 0 && !(await isEmptyAt(replica, end))) {
    const theirs = await stream.read(end).catch(() => null)
    if (theirs === null) return pause(bounds.logRetryMs)
    if (!isOurs(replica, end, theirs)) return fork(replica, `record ${end} is another than ours`)
  }
  replica.on.trouble(
    `the log ends at ${end} and not at ${applied}: the records that it has lost are put back`,
    null,
  )
  // This node has its records only from there on: the log begins there, too.
  if (end < base.applied) await stream.beginAt(base.applied + 1)
  for (let sequence = Math.max(end, base.applied) + 1; sequence <= applied; sequence++) {
    try {
      await stream.append(store.read(sequence)!, sequence - 1)
    } catch (error) {
      const found = error instanceof WrongLastSequence ? await stream.read(sequence).catch(() => null) : null
      if (!found?.equals(store.read(sequence)!)) return pause(bounds.logRetryMs)
    }
  }
}

/**
 * Whether the log has this node's newest record in its place, or none that can be read; stops the replica if it has another one. Who
 * appends without a lease must look: servers that lost records may have got others, just as many, from a node that lacked them.
 * Rejects where no answer comes.
 */
export const isSameLog = async (replica: OpenReplica, applied: number): Promise<boolean> => {
  const { stream, pause } = replica
  if (applied === 0) return true
  const noAnswer = pause(bounds.logAnswerMs).then(() => Promise.reject(new Error('the log does not answer')))
  const theirs = await Promise.race([stream.read(applied), noAnswer])
  if (theirs === null || isOurs(replica, applied, theirs)) return true
  fork(replica, `record ${applied} is another than ours`)
  return false
}

/** Whether the log has no records, and goes on behind this one: a node that began to put records back got no further. */
const isEmptyAt = async ({ stream }: OpenReplica, end: number): Promise<boolean> => {
  const { first, last } = await stream.ends()
  return last === end && first > last
}

const isOurs = ({ store }: OpenReplica, sequence: number, theirs: Buffer): boolean => {
  const base = store.base()
  if (sequence > base.applied) return store.read(sequence)?.equals(theirs) === true
  return chainHash(unpackRecord(theirs).record.previous, theirs) === base.head
}

/**
 * Whether a log that ends before the first record of this node is a part of its own: it is empty, or the newest entries in it are ours. A
 * log without entries cannot be told from one that others have begun anew, and is left as it is.
 */
const isPartOfOurs = async (replica: OpenReplica, end: number): Promise<boolean> => {
  const { store, stream } = replica
  const { first, last } = await stream.ends()
  if (last !== end) return false
  if (first > last) return true
  for (let sequence = last; sequence >= Math.max(first, last - lookedBackMax); sequence--) {
    const bytes = await stream.read(sequence)
    if (bytes === null) return false
    const { record, batch } = unpackRecord(bytes)
    if (record.kind !== 'BATCH' || record.count === 0) continue
    const ours = record.first <= store.batches.last() ? store.batches.at(record.first) : null
    if (ours?.first === record.first && ours.bytes.equals(batch)) return true
    break
  }
  replica.on.trouble(
    `the log ends at ${last}, before the first record of this node, ${store.base().applied + 1}, and it is not known to be the same log: nothing is put back`,
    null,
  )
  return false
}

/** Records without entries are renewals: an owner that has none rests soon. */
const lookedBackMax = 200

/** Stops a replica whose records are not those of the log. */
export const fork = (replica: OpenReplica, reason: string): void => {
  const { role, on } = replica
  if (role === 'FORKED') return
  replica.role = 'FORKED'
  replica.following?.stop()
  if (role !== 'FOLLOWER') on.lost(reason)
  on.forked(reason)
}
