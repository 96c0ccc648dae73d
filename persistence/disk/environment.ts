import { existsSync } from 'node:fs'
import { join } from 'node:path'

/** Whether there is an LMDB environment; opening a missing one would create it. */
export const hasEnvironment = (path: string): boolean => existsSync(join(path, 'data.mdb'))

/** Works with an environment that was just opened; when that fails, it does not stay open. */
export const orClose = <Value>(root: { readonly close: () => Promise<void> }, work: () => Value): Value => {
  try {
    return work()
  } catch (error) {
    void root.close()
    throw error
  }
}

/**
 * Resolves with writes of an environment. The error of a commit that failed has the reason as a promise of its own (lmdb-js 3.5): it would end
 * the process, while who wrote gets the error anyway, and opens the environment again.
 */
export const committed = <Value>(written: Promise<Value>): Promise<Value> =>
  written.catch((error: unknown) => {
    ;(error as { readonly commitError?: Promise<unknown> }).commitError?.catch(() => undefined)
    throw error
  })
