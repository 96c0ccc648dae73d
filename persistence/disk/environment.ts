import { existsSync } from 'node:fs'
import { join } from 'node:path'

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
