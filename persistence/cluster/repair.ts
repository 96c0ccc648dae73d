import { limits } from '../base/limits.ts'
import { WrongLastSequence } from './followed-stream.ts'
import type { OpenReplica } from './open-replica.ts'

/** The log ends before this node's disk: its servers have lost acknowledged records. They are put back. */
export const repairLog = async (replica: OpenReplica, end: number): Promise<void> => {
  const { store, stream, pause } = replica
  const { applied } = store.position()
  if (end > 0) {
    const theirs = await stream.read(end).catch(() => null)
    if (theirs === null) return pause(limits.logRetryMs)
    const ours = store.read(end)
    if (ours === null || !theirs.equals(ours)) return fork(replica, `record ${end} is another than ours`)
  }
  replica.on.trouble(
    `the log ends at ${end} and not at ${applied}: the records that it has lost are put back`,
    null,
  )
  for (let sequence = end + 1; sequence <= applied; sequence++) {
    try {
      await stream.append(store.read(sequence)!, sequence - 1)
    } catch (error) {
      const found = error instanceof WrongLastSequence ? await stream.read(sequence).catch(() => null) : null
      if (!found?.equals(store.read(sequence)!)) return pause(limits.logRetryMs)
    }
  }
}

/** Stops a replica whose records are not those of the log. */
export const fork = (replica: OpenReplica, reason: string): void => {
  const { role, on } = replica
  if (role === 'FORKED') return
  replica.role = 'FORKED'
  replica.following?.stop()
  if (role !== 'FOLLOWER') on.lost(reason)
  on.forked(reason)
}
