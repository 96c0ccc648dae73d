import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { damageOf } from './data-file.ts'

/** Stored bytes are not what was written. They are never served, and reading them again would not help. */
export class Damaged extends Error {}

/** Throws `Damaged` when an LMDB environment must not be opened; a missing one is no damage. Call before each opening. */
export const requireUndamaged = (path: string): void => {
  const file = join(path, 'data.mdb')
  const damage = existsSync(file) ? damageOf(file) : null
  if (damage !== null) throw new Damaged(`${file} is damaged: ${damage}`)
}
