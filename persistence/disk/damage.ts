import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { wasClosed } from './closed-mark.ts'
import { damageOf } from './data-file.ts'

/** Stored bytes are not what was written. They are never served, and reading them again would not help. */
export class Damaged extends Error {}

/**
 * Throws `Damaged` when an LMDB environment must not be opened; a missing one is no damage. Call before each opening. Where it was
 * closed in order only the tree is read, a few pages for each hundred values, so that a start does not take longer with every value.
 */
export const requireUndamaged = (path: string): void => {
  const file = join(path, 'data.mdb')
  const damage = existsSync(file) ? damageOf(file, !wasClosed(path)) : null
  if (damage !== null) throw new Damaged(`${file} is damaged: ${damage}`)
}
