import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { type Key, open, type RootDatabase } from 'lmdb'
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

/** The environments that this thread has open for writing, and the read transactions of others in each. */
const written = new Map<string, { readonly root: RootDatabase; readonly lent: Set<() => void> }>()

/**
 * Opens or creates an environment, in which every finished transaction is on disk. Only one process may: while a second one opens it
 * through LMDB, even to read, it sets the number of the last transaction to what it has just read, so that a commit in between is lost
 * (ITS#9496 of OpenLDAP, in lmdb-js 3.5.6). Other processes read the file itself, and have `lendTransaction` keep its pages.
 */
export const openEnvironment = <Keys extends Key>(options: {
  readonly path: string
  readonly maxDbs?: number
}): RootDatabase<Buffer, Keys> => {
  const path = resolve(options.path)
  const root = open<Buffer, Keys>({ ...options, encoding: 'binary', cache: false, overlappingSync: false })
  const lent = new Set<() => void>()
  const { close } = root
  written.set(path, { root: root as unknown as RootDatabase, lent })
  root.close = async () => {
    for (const takeBack of [...lent]) takeBack()
    if (written.get(path)?.lent === lent) written.delete(path)
    await close.call(root)
    if (existsSync(path)) markClosed(path)
  }
  return root
}

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
