import { type Database, type Key, open, type RootDatabase, type Transaction } from 'lmdb'
import { bounds } from '../base/bounds.ts'

/** Opens an LMDB environment that another process writes. */
export const openToRead = (path: string): RootDatabase<Buffer> =>
  open<Buffer, Key>({ path, readOnly: true, encoding: 'binary', cache: false })

/** Opens an environment in which every finished transaction is on disk. */
export const openToFill = (path: string): RootDatabase<Buffer> =>
  open<Buffer, Key>({ path, encoding: 'binary', overlappingSync: false, cache: false })

/** A database of an environment. */
export type Shelf<Keys extends Key = Key> = Database<Buffer, Keys>

/** The number of entries and bytes of a shelf. */
export const sizeOf = <Keys extends Key>(
  shelf: Shelf<Keys>,
): { readonly keys: number; readonly bytes: number } => {
  const { pageSize, treeBranchPageCount, treeLeafPageCount, overflowPages, entryCount } =
    shelf.getStats() as Record<
      'pageSize' | 'treeBranchPageCount' | 'treeLeafPageCount' | 'overflowPages' | 'entryCount',
      number
    >
  return { keys: entryCount, bytes: (treeBranchPageCount + treeLeafPageCount + overflowPages) * pageSize }
}

export type CopyOptions<Keys extends Key> = {
  /** The key to begin behind. */
  readonly after?: Keys
  /** The last key to copy; absent for all. */
  readonly end?: Keys
  /** Copies the shelf as of this transaction's start. */
  readonly transaction?: Transaction
  /** The value to write for a stored one, by default the same; null ends the copy before it. Throws for damage. */
  readonly valueFor?: (key: Keys, value: Buffer) => Buffer | null
  /** Throws when so many bytes must not be written. */
  readonly requireRoom: (bytes: number) => void
  /** Called when a slice is on disk; the next slice waits for the promise. */
  readonly onSlice: (slice: { readonly keys: number; readonly last: Keys }) => Promise<void>
}

/**
 * Copies a shelf slice by slice. Without a transaction each slice reads the current shelf: a long read transaction
 * would keep all its pages alive, and the environment would grow by everything written meanwhile.
 */
export const copyShelf = async <Keys extends Key>(
  from: Shelf<Keys>,
  to: Shelf<Keys>,
  { after, end, transaction, valueFor, requireRoom, onSlice }: CopyOptions<Keys>,
): Promise<void> => {
  for (let last = after, isOver = false; !isOver; ) {
    const rows: { readonly key: Keys; readonly value: Buffer }[] = []
    let bytes = 0
    const range = {
      ...(last !== undefined && { start: last, exclusiveStart: true }),
      ...(end !== undefined && { end, inclusiveEnd: true }),
      ...(transaction !== undefined && { transaction }),
    }
    for (const { key, value: stored } of from.getRange(range)) {
      const value = valueFor === undefined ? stored : valueFor(key, stored)
      isOver = value === null
      if (value === null) break
      rows.push({ key, value })
      bytes += value.length
      if (bytes >= bounds.backupSliceBytes) break
    }
    if (rows.length === 0) return
    requireRoom(bytes)
    await Promise.all(rows.map(({ key, value }) => to.put(key, value)))
    last = rows.at(-1)!.key
    await onSlice({ keys: rows.length, last })
  }
}
