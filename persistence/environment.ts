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
