import { statfsSync } from 'node:fs'
import { bounds } from '../base/bounds.ts'

/** The disk has too little room to write. Nothing was written, and the disk is unchanged. */
export class DiskFull extends Error {
  readonly code = 'ENOSPC'
  readonly syscall = 'write'

  constructor(path: string, free: number) {
    super(
      `the disk of ${path} has ${mebibytes(free)} MiB left: nothing is written until it has ${mebibytes(bounds.diskEnoughBytes)} MiB`,
    )
  }
}

const mebibytes = (bytes: number): number => Math.floor(bytes / 1024 / 1024)

/** The free bytes for this user on the disk of a path. Costs about 2 µs. */
export const freeBytes = (path: string): number => {
  const { bavail, bsize } = statfsSync(path)
  return bavail * bsize
}

/**
 * Throws `DiskFull` when the disk has less room than a write may need. LMDB must never meet a full disk: in lmdb-js 3.5 the failed
 * write corrupts the process's heap and it aborts (data on disk stays sound).
 */
export const requireSpace = (path: string, bytes: number): void => {
  const free = freeBytes(path)
  if (free < bounds.diskReserveBytes + bytes) throw new DiskFull(path, free)
}

/**
 * Watches for a disk that becomes full, so that work is refused before it is decided instead of failing in the middle of a write.
 * It is full below `diskLowBytes`, and no longer above `diskEnoughBytes`.
 */
export type DiskSpace = {
  /** Null while there is room. */
  readonly trouble: () => DiskFull | null
  /** Looks at the disk again. */
  readonly look: () => void
}

/** Opens the watch, and looks. */
export const watchDiskSpace = (path: string): DiskSpace => {
  let trouble: DiskFull | null = null
  const look = (): void => {
    const free = freeBytes(path)
    trouble =
      free < (trouble === null ? bounds.diskLowBytes : bounds.diskEnoughBytes)
        ? new DiskFull(path, free)
        : null
  }
  look()
  return { trouble: () => trouble, look }
}
