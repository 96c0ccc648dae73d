import { statfsSync } from 'node:fs'
import { limits } from './limits.ts'

/**
 * Throws when the disk has less room than a write may need. LMDB must never meet a full disk: in lmdb-js 3.5 the failed
 * write corrupts the process's heap and it aborts (data on disk stays sound). The check costs about 2 µs.
 */
export const requireSpace = (path: string, bytes: number): void => {
  const { bavail, bsize } = statfsSync(path)
  const free = bavail * bsize
  if (free < limits.diskReserveBytes + bytes) {
    throw new Error(
      `the disk of ${path} has ${Math.floor(free / 1024 / 1024)} MiB left, too little to write safely`,
    )
  }
}
