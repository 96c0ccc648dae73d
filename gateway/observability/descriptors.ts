import { readdirSync, readFileSync, statSync } from 'node:fs'

/** How many file descriptors this process may have open; null where the system does not say. */
export const descriptorsMax = (): number | null => {
  if (process.platform !== 'linux') return null
  const [, soft] = /^Max open files +(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? []
  return soft === undefined ? null : Number(soft)
}

/**
 * How many a start needs: each worker reads all modules of the service at once, and each shard has two LMDB environments. What the
 * modules took is free for connections afterwards.
 */
export const descriptorsNeeded = (workers: number, shards: number): number => 64 + 192 * workers + 6 * shards

/** The native transport does not survive running out, and accepts up to 512 connections in one turn. */
export const descriptorsOfUws = 4_096

/** What a command that asks the running service needs. */
export const descriptorsOfCommand = 64

/** The operator's line for too few descriptors; null if they suffice. */
export const tooFewDescriptors = (needed: number): string | null => {
  const max = descriptorsMax()
  return max === null || max >= needed
    ? null
    : `${max} file descriptors are too few: ${needed} are needed, and one more for each connection; raise the limit (ulimit -n, or LimitNOFILE of systemd)`
}

/** How many are open; null where the system does not say. */
export const descriptorsOpen = (): number | null => {
  if (process.platform !== 'linux') return null
  // From Linux 6.2 on the size is their number, in 2 µs; listing them costs 1 µs for each, and holds one open.
  return statSync(openOnes).size || readdirSync(openOnes).length - 1
}

const openOnes = '/proc/self/fd'
