import { randomFillSync } from 'node:crypto'
import type { Entropy } from '../../engine/shared/ids.ts'

/** Opens a source of cryptographically random 32-bit integers, drawn from the system 4,096 at a time. */
export const systemEntropy = (): Entropy => {
  const pool = new Uint32Array(4096)
  let used = pool.length
  return () => {
    if (used === pool.length) {
      randomFillSync(pool)
      used = 0
    }
    return pool[used++]!
  }
}
