import type { ReplicaOptions } from '../../../persistence/cluster/open-replica.ts'
import { type Placed, unpackRecord } from '../../../persistence/cluster/record.ts'
import {
  type Position,
  type ReplicaStore,
  startPosition,
} from '../../../persistence/cluster/replica-store.ts'
import { unpackFromBatch } from '../../../persistence/codec/codec.ts'
import { text } from '../../../persistence/codec/layout.ts'

/** What of a replica's store a replica uses. */
export type StoreModel = ReplicaOptions['store'] & {
  /** The entries that count, in order. */
  readonly entries: () => readonly string[]
}

/** A disk as a crash leaves it: what was committed, and nothing else. */
export type DiskImage = {
  readonly records: Buffer[]
  readonly entries: string[]
  position: Position
}

export const emptyDisk = (): DiskImage => ({ records: [], entries: [], position: startPosition })

export type StoreTiming = {
  /** Commits a write after the time that the disk takes, and says so, which a process that has ended does not hear. */
  readonly commitLater: (commit: () => void, done: () => void) => void
  /** Whether the next write fails. */
  readonly fails: () => boolean
  readonly written: (records: readonly Placed[], after: Position) => void
}

/** A model of a replica's store: each write is on the disk as a whole, or not at all. */
export const openStoreModel = (disk: DiskImage, { commitLater, fails, written }: StoreTiming): StoreModel => {
  let isClosed = false

  const commit = (records: readonly Placed[], after: Position): void => {
    let { epoch } = disk.position
    for (const { sequence, bytes, record } of records) {
      // Entries of a former owner do not count.
      if (record.count > 0 && record.epoch >= epoch) disk.entries.push(...entriesOf(bytes))
      epoch = Math.max(epoch, record.epoch)
      disk.records[sequence - 1] = bytes
    }
    disk.position = after
    written(records, after)
  }

  const write: ReplicaStore['write'] = (records, after) =>
    new Promise((resolve, reject) => {
      if (isClosed) return reject(new Error('the store is closed'))
      if (fails())
        return commitLater(
          () => undefined,
          () => reject(new Error('no space left on the disk')),
        )
      commitLater(() => commit(records, after), resolve)
    })

  return {
    position: () => disk.position,
    write,
    read: (sequence) => disk.records[sequence - 1] ?? null,
    close: async () => {
      isClosed = true
    },
    entries: () => disk.entries,
  }
}

/** The entries of a record, as texts. */
export const entriesOf = (bytes: Buffer): readonly string[] => {
  const { record, batch } = unpackRecord(bytes)
  if (record.kind !== 'BATCH') return []
  return Array.from({ length: record.count }, (_, n) => unpackFromBatch(text(), batch, n))
}
