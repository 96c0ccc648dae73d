import { spawn } from 'node:child_process'
import { rmSync, statfsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Scope } from '../e2e/service.ts'

export type SmallDisk = {
  readonly path: string
  /** Leaves so many MiB: by default less room than a service wants to see free. */
  readonly fill: (leftMb?: number) => void
  readonly free: () => void
}

/**
 * A file system in memory of its own size, without root's rights: a process that does nothing mounts it in a namespace of
 * its own, through which others reach it. Throws where the system allows no such namespaces.
 */
export const openSmallDisk = async (t: Scope): Promise<SmallDisk> => {
  const mount = `mount -t tmpfs -o size=${sizeMb}m tmpfs /mnt && echo mounted && exec sleep infinity`
  const holder = spawn('unshare', ['--map-root-user', '--mount', 'sh', '-c', mount], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  t.teardown(() => holder.kill('SIGKILL'))
  await new Promise<void>((resolve, reject) => {
    holder.stdout.once('data', () => resolve())
    holder.once('error', reject)
    holder.once('exit', () => reject(new Error('no file system can be mounted in a namespace of its own')))
  })
  const path = `/proc/${holder.pid}/root/mnt`
  const filler = join(path, 'filler')
  return {
    path,
    fill: (leftMb = 4) => {
      const { bavail, bsize } = statfsSync(path)
      writeFileSync(filler, Buffer.alloc(bavail * bsize - leftMb * 1024 * 1024))
    },
    free: () => rmSync(filler),
  }
}

const sizeMb = 256
