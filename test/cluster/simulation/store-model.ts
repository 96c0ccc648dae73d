import type { RecordStore } from '../../../persistence/cluster/open-replica.ts'
import type { Placed } from '../../../persistence/cluster/record.ts'
import {
  type Position,
  positionsOf,
  type ReplicaStore,
  startPosition,
} from '../../../persistence/cluster/replica-store.ts'
import { unpackFromBatch } from '../../../persistence/codec/codec.ts'
import { text } from '../../../persistence/codec/layout.ts'

/** What of a replica's store a replica uses. */
export type StoreModel = RecordStore & {
  /** The entries that count, in order. */
  readonly entries: () => readonly string[]
}

/** A disk as a crash leaves it: what was committed, and nothing else. */
export type DiskImage = {
  /** By sequence, behind the base. */
  readonly records: Map<number, Buffer>
  readonly entries: string[]
  /** By their first entry. */
  readonly batches: Map<number, Buffer>
  position: Position
  base: Position
}

export const emptyDisk = (): DiskImage => ({
  records: new Map(),
  entries: [],
  batches: new Map(),
  position: startPosition,
  base: startPosition,
})

/** What is on a disk now, for another one. */
export const copyOfDisk = ({ records, entries, batches, position, base }: DiskImage): DiskImage => ({
  records: new Map(records),
  entries: [...entries],
  batches: new Map(batches),
  position,
  base,
})

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
    for (const { sequence, bytes, record, batch } of records) {
      // Entries of a former owner do not count.
      if (record.count > 0 && record.epoch >= epoch) {
        disk.entries.push(...entriesOf({ record, batch }))
        disk.batches.set(record.first, batch)
      }
      epoch = Math.max(epoch, record.epoch)
      disk.records.set(sequence, bytes)
    }
    disk.position = after
    written(records, after)
  }

  const committed = (commit: () => void): Promise<void> =>
    new Promise((resolve, reject) => {
      if (isClosed) return reject(new Error('the store is closed'))
      if (fails())
        return commitLater(
          () => undefined,
          () => reject(new Error('no space left on the disk')),
        )
      commitLater(commit, resolve)
    })

  const write: ReplicaStore['write'] = (records, after) => committed(() => commit(records, after))

  const read: ReplicaStore['read'] = (sequence) => disk.records.get(sequence) ?? null

  const dropUpTo: ReplicaStore['dropUpTo'] = async (sequence) => {
    const until = Math.min(sequence, disk.position.applied - 1)
    let next: Position | null = null
    for (const position of positionsOf(read, disk.base)) {
      if (position.applied < until) continue
      if (position.applied === until) next = position
      break
    }
    if (next === null) return
    const base = next
    await committed(() => {
      for (let dropped = disk.base.applied + 1; dropped <= until; dropped++) disk.records.delete(dropped)
      disk.base = base
    })
  }

  return {
    position: () => disk.position,
    base: () => disk.base,
    batches: {
      last: () => disk.entries.length,
      at: (sequence) => {
        const first = Math.max(...[...disk.batches.keys()].filter((start) => start <= sequence))
        return { first, bytes: disk.batches.get(first)! }
      },
    },
    write,
    read,
    dropUpTo,
    close: async () => {
      isClosed = true
    },
    entries: () => disk.entries,
  }
}

/** The entries of a record, as texts. */
export const entriesOf = ({ record, batch }: Pick<Placed, 'record' | 'batch'>): readonly string[] => {
  if (record.kind !== 'BATCH') return []
  return Array.from({ length: record.count }, (_, n) => unpackFromBatch(text(), batch, n))
}
