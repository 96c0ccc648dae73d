import { join } from 'node:path'
import { bounds } from '../base/bounds.ts'
import { DamagedPage } from '../disk/data-file/pages.ts'
import { openFileReader, type ReaderEntry, type ReaderShelf } from '../disk/data-file/reader.ts'
import { damagesOf } from '../disk/data-file.ts'
import { openToRead } from '../disk/shelf.ts'

/** An LMDB environment that is read and never written. */
export type Source = {
  readonly path: string
  /** Moves on to the newest commit and reads, while the service keeps the pages of that commit. */
  readonly view: <Value>(read: () => Value) => Value
  /** The same for reading that takes turns: the service's file grows by what it writes meanwhile. */
  readonly viewWhile: <Value>(read: () => Promise<Value>) => Promise<Value>
  /** A database, to be read within a view. */
  readonly shelf: (name?: string) => ReaderShelf
  /** The damages of the environment's structure, in words. */
  readonly damages: (onPage?: (done: number, of: number) => void) => readonly string[]
  readonly close: () => Promise<void>
}

/**
 * Opens an environment. Beside a service that writes it, each view holds a read transaction of LMDB; otherwise
 * LMDB is not used, since it would make a lock file. Throws `DamagedPage` when the file does not begin as an
 * environment.
 */
export const openSource = (path: string, isInUse: boolean): Source => {
  const file = join(path, 'data.mdb')
  const reader = openFileReader(file)
  const writer = isInUse ? holdBeside(path) : null
  const view = <Value>(read: () => Value): Value => {
    const release = writer?.hold()
    try {
      reader.refresh()
      return read()
    } finally {
      release?.()
    }
  }
  const viewWhile = async <Value>(read: () => Promise<Value>): Promise<Value> => {
    const release = writer?.hold()
    try {
      reader.refresh()
      return await read()
    } finally {
      release?.()
    }
  }
  return {
    path,
    view,
    viewWhile,
    shelf: reader.shelf,
    damages: (onPage) => view(() => damagesOf(file, onPage)),
    close: async () => {
      reader.close()
      await writer?.close()
    },
  }
}

/** The entries from one number to another, in slices, with nothing held between them. Other keys are included. */
export const slicesOf = function* (
  { view }: Source,
  shelf: ReaderShelf,
  first: number,
  last: number,
): Generator<readonly ReaderEntry[]> {
  for (let next = first; next <= last; ) {
    const slice = view(() => {
      const entries: ReaderEntry[] = []
      let bytes = 0
      for (const entry of shelf.entries(next)) {
        if ((sequenceIn(entry) ?? 0) > last || bytes > bounds.backupSliceBytes) break
        entries.push(entry)
        bytes += entry.value.length
      }
      return entries
    })
    if (slice.length === 0) return
    yield slice
    next = slice.reduce((greatest, entry) => Math.max(greatest, sequenceIn(entry) ?? 0), next) + 1
  }
}

/** The key of an entry; null if it is no number, or there is no entry. */
export const sequenceIn = (entry: ReaderEntry | undefined): number | null =>
  typeof entry?.key === 'number' && Number.isSafeInteger(entry.key) ? entry.key : null

/** Holds read transactions: LMDB overwrites no page that one can reach. The reader reads the file itself. */
const holdBeside = (path: string) => {
  const root = openToRead(path)
  return {
    hold: (): (() => void) => {
      root.resetReadTxn()
      const transaction = root.useReadTransaction()
      return () => {
        transaction.done()
        root.resetReadTxn()
      }
    },
    close: () => root.close(),
  }
}

/** Why an environment cannot be opened. */
export const whyNot = (error: unknown): string =>
  error instanceof DamagedPage
    ? `is damaged: ${error.message}`
    : `cannot be read: ${(error as Error).message}`
