import { join } from 'node:path'
import type { RootDatabase } from 'lmdb'
import { openReplicaShelves, positionIn, positionKey } from '../cluster/replica-store.ts'
import { hasReplica } from '../cluster/stored-log.ts'
import { hasEnvironment } from '../environment.ts'
import { openBatches } from '../journal/batches.ts'
import { identityAt, writeIdentity } from '../journal/identity.ts'
import type { BackedUpLog } from './backup.ts'
import { type CopyOptions, copyShelf, openToFill, openToRead, type Shelf, sizeOf } from './shelf.ts'

/** A journal that the service keeps writing: the directory's, or a shard's. */
export type LogSource = {
  /** The name of its folder, here and in a copy. */
  readonly folder: string
  readonly bytes: () => number
  /** Where it ends now: a copy up to there is whole, whatever is written meanwhile. */
  readonly end: () => LogEnd
  readonly copy: (path: string, end: LogEnd, options: LogCopyOptions) => Promise<void>
  readonly close: () => Promise<void>
}

export type LogEnd = BackedUpLog & {
  /** The replica's stored position. */
  readonly position: Buffer | null
}

export type LogCopyOptions = Pick<CopyOptions<number>, 'requireRoom'> & {
  readonly onProgress: (done: number, of: number) => Promise<void>
}

/**
 * Opens a shard's journal or replica, whichever is in the folder. Throws when there is neither, since opening would
 * create one.
 */
export const openShardSource = (path: string): LogSource =>
  hasReplica(path) ? openReplicaSource(path) : openJournalSource(path, 'journal')

/** Opens a journal for reading while the service writes it. */
export const openJournalSource = (path: string, folder: string): LogSource => {
  const source = join(path, folder)
  const root = openSource(source)
  return {
    folder,
    bytes: () => sizeOf(root).bytes,
    end: () => {
      root.resetReadTxn()
      return {
        entries: openBatches(source, numbered(root)).last(),
        records: null,
        position: null,
      }
    },
    copy: (path, { entries }, options) =>
      filling(source, join(path, folder), (copy) =>
        copyUpTo(numbered(root), numbered(copy), entries, options),
      ),
    close: () => root.close(),
  }
}

const openReplicaSource = (path: string): LogSource => {
  const folder = 'log'
  const source = join(path, folder)
  const root = openSource(source)
  const { batches, records, meta } = openReplicaShelves(root)
  return {
    folder,
    bytes: () => sizeOf(batches).bytes + sizeOf(records).bytes,
    end: () => {
      root.resetReadTxn()
      const stored = meta.get(positionKey)
      const { entries, applied } = positionIn(source, stored)
      return { entries, records: applied, position: stored ?? null }
    },
    copy: (path, end, options) =>
      filling(source, join(path, folder), async (copy) => {
        const to = openReplicaShelves(copy)
        await copyUpTo(batches, to.batches, end.entries, options)
        await copyUpTo(records, to.records, end.records!, options)
        if (end.position !== null) await to.meta.put(positionKey, end.position)
      }),
    close: () => root.close(),
  }
}

const openSource = (path: string): RootDatabase<Buffer> => {
  if (!hasEnvironment(path)) throw new Error(`${path} is missing`)
  return openToRead(path)
}

/** Fills the copy of a journal, which gets the same identity. */
const filling = async (
  source: string,
  path: string,
  fill: (copy: RootDatabase<Buffer>) => Promise<void>,
): Promise<void> => {
  const copy = openToFill(path)
  try {
    await fill(copy)
  } finally {
    await copy.close()
  }
  writeIdentity(path, identityAt(source))
}

/** Keys are sequences, so everything at or before the last one was complete. */
const copyUpTo = (
  from: Shelf<number>,
  to: Shelf<number>,
  end: number,
  { requireRoom, onProgress }: LogCopyOptions,
): Promise<void> => copyShelf(from, to, { end, requireRoom, onSlice: ({ last }) => onProgress(last, end) })

const numbered = (root: RootDatabase<Buffer>): Shelf<number> => root as unknown as Shelf<number>
