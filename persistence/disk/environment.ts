import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { type Database, type Key, open, type RootDatabase } from 'lmdb'
import { markClosed } from './closed-mark.ts'

/** Whether there is an LMDB environment; opening a missing one would create it. */
export const hasEnvironment = (path: string): boolean => existsSync(join(path, 'data.mdb'))

/** Runs `work` on a newly opened environment, which is closed when `work` throws. */
export const orClose = <Value>(root: { readonly close: () => Promise<void> }, work: () => Value): Value => {
  try {
    return work()
  } catch (error) {
    void root.close()
    throw error
  }
}

/**
 * Resolves with a write. lmdb-js 3.5 attaches the reason to the error of a failed commit as a second promise,
 * which would end the process unhandled, although the writer receives the error and opens the environment again.
 */
export const committed = <Value>(written: Promise<Value>): Promise<Value> =>
  written.catch((error: unknown) => {
    ;(error as { readonly commitError?: Promise<unknown> }).commitError?.catch(() => undefined)
    throw error
  })

type Written = {
  readonly root: RootDatabase
  /** The read transactions of others. */
  readonly lent: Set<() => void>
  readonly copying: Set<Promise<void>>
}

/** The environments that this thread has open for writing. */
const written = new Map<string, Written>()

/**
 * Opens or creates an environment, in which every finished transaction is on disk. Only one process may: while a second one opens it
 * through LMDB, even to read, it sets the number of the last transaction to what it has just read, so that a commit in between is lost
 * (ITS#9496 of OpenLDAP, in lmdb-js 3.5.6). Other processes read the file itself, and have `lendTransaction` keep its pages.
 */
export const openEnvironment = <Keys extends Key>(options: {
  readonly path: string
  readonly maxDbs?: number
  /** For a copy that need not survive a loss of power. */
  readonly noSync?: boolean
}): RootDatabase<Buffer, Keys> => {
  const path = resolve(options.path)
  const root = open<Buffer, Keys>({ ...options, encoding: 'binary', cache: false, overlappingSync: false })
  const lent = new Set<() => void>()
  const copying = new Set<Promise<void>>()
  const { close } = root
  written.set(path, { root: root as unknown as RootDatabase, lent, copying })
  root.close = async () => {
    for (const takeBack of [...lent]) takeBack()
    if (written.get(path)?.lent === lent) written.delete(path)
    // A copy is read by a thread of LMDB's, which a closed environment would crash.
    await Promise.allSettled(copying)
    await close.call(root)
    if (existsSync(path)) markClosed(path)
  }
  return root
}

/** A value in a buffer of LMDB's, which the next one that is read overwrites; undefined where there is none. */
export const lentValue = <Keys extends Key>(db: Database<Buffer, Keys>, key: Keys): Buffer | undefined =>
  db.getBinaryFast(key)?.subarray(0, (db as unknown as { readonly lastSize: number }).lastSize)

/**
 * Begins a read transaction in an environment that this thread writes: no page that its newest commit reaches is overwritten before the
 * returned function ends it. `onTakenBack` hears when the environment is closed before that. Null where it is not open.
 */
export const lendTransaction = (path: string, onTakenBack: () => void): (() => void) | null => {
  const environment = written.get(resolve(path))
  if (environment === undefined) return null
  const { root, lent } = environment
  root.resetReadTxn()
  const transaction = root.useReadTransaction()
  const end = (): void => {
    if (!lent.delete(takeBack)) return
    transaction.done()
  }
  const takeBack = (): void => {
    end()
    onTakenBack()
  }
  lent.add(takeBack)
  return end
}

/**
 * Copies the newest commit of an environment that this thread writes into an empty folder, without pages that are not in use, beside the
 * work of this thread. The copy has one commit, and is no environment to be opened before `settleCopy`. Rejects where it is not open.
 */
export const copyEnvironment = async (path: string, to: string): Promise<void> => {
  const environment = written.get(resolve(path))
  if (environment === undefined) throw new Error(`${path} is not open`)
  const { root, copying } = environment
  const copy = root.backup(to, true)
  copying.add(copy)
  await copy.finally(() => copying.delete(copy))
}

/**
 * Writes a value of a copied environment again: its first two pages are then of two commits in a row, as those of any other, and it was
 * closed in order. Resolves to whether there is such a value.
 */
export const settleCopy = async (
  path: string,
  database: string,
  key: string,
  noSync = false,
): Promise<boolean> => {
  const copy = openEnvironment<string>({ path, maxDbs: 8, noSync })
  try {
    const db = copy.openDB<Buffer, string>({ name: database, encoding: 'binary' })
    const value = db.get(key)
    if (value === undefined) return false
    for (let commits = 0; commits < 2; commits++) await committed(db.put(key, value))
    return true
  } finally {
    await copy.close()
  }
}
