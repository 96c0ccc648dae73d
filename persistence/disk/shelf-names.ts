import type { RootDatabase } from 'lmdb'

/**
 * Whether an environment has exactly the databases of these names, in order, or none yet. A damaged name would look like a database
 * that is missing.
 */
export const hasShelves = (root: RootDatabase<Buffer, string>, names: readonly string[]): boolean => {
  try {
    const found = [...root.getKeys()].join()
    return found === '' || found === names.join()
  } catch {
    return false
  }
}
