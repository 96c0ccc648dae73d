import { closeSync, fsyncSync, openSync, readSync, statSync, writeSync } from 'node:fs'
import { join } from 'node:path'

/** LMDB's table of 126 readers, in whole pages. A longer file is a longer table to it. */
const lockBytes = 3 * 4096

/**
 * Gives the lock file of an LMDB environment its room on the disk. LMDB makes it as one hole and writes to it through a mapping: where the
 * disk is full then, the process ends by a SIGBUS that no code can catch. Only for an environment that no process has open. Throws `ENOSPC`
 * where there is no room.
 */
export const makeLockRoom = (environment: string): void => {
  const file = join(environment, 'lock.mdb')
  const found = statSync(file, { throwIfNoEntry: false })
  const bytes = Buffer.alloc(Math.max(found?.size ?? 0, lockBytes))
  // Blocks are counted by 512 bytes, whatever the file system's are.
  if (found !== undefined && 512 * found.blocks >= bytes.length) return
  const handle = openSync(file, found === undefined ? 'wx+' : 'r+', 0o664)
  try {
    readSync(handle, bytes)
    for (let at = 0; at < bytes.length; ) at += writeSync(handle, bytes, at, bytes.length - at, at)
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}
