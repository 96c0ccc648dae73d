import { join } from 'node:path'
import { DamagedPage } from '../disk/data-file/pages.ts'
import { openFileReader, type ReaderShelf } from '../disk/data-file/reader.ts'
import { damagesOf } from '../disk/data-file.ts'
import { openToRead } from '../disk/shelf.ts'

/** An LMDB environment that is looked at, and never written. */
export type Source = {
  readonly path: string
  /** Goes on to the newest commit and reads, while the service keeps the pages of that commit. */
  readonly view: <Value>(read: () => Value) => Value
  /** A database, to be read within a view. */
  readonly shelf: (name?: string) => ReaderShelf
  /** What is wrong with its structure. */
  readonly damages: (onPage?: (done: number, of: number) => void) => readonly string[]
  readonly close: () => Promise<void>
}

/**
 * Opens an environment; beside a service that writes it, with a read transaction of LMDB for each view. Without one nothing of LMDB is
 * used, which would make a lock file. Throws `DamagedPage` when it does not begin as an environment.
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
  return {
    path,
    view,
    shelf: reader.shelf,
    damages: (onPage) => view(() => damagesOf(file, onPage)),
    close: async () => {
      reader.close()
      await writer?.close()
    },
  }
}

/** LMDB writes no page that a read transaction can reach. It is only held: the pages are read from the file, checked. */
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
