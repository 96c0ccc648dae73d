import { existsSync, mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { RootDatabase } from 'lmdb'
import { markClosed } from './closed-mark.ts'
import { requireSpace } from './disk-space.ts'
import { settleCopy } from './environment.ts'
import { takePlace } from './set-aside.ts'

/**
 * Marks an LMDB environment whose unused pages may hold what is to be gone: once it is closed its file is another one,
 * without them. The mark outlives a crash.
 */
export const markForRewriting = (path: string): void => writeFileSync(markOf(path), '')

/**
 * Closes an environment, and replaces the file of one that is marked by a copy that has nothing but what is in use. The value of a
 * database that is named is written again in the copy: its first two pages are then of two commits in a row, as those of any other.
 */
export const closeRewritten = async (
  root: RootDatabase<Buffer, string>,
  path: string,
  options: OpenedAs,
): Promise<void> => {
  const next = existsSync(markOf(path)) ? await copyInUse(root, path, options) : null
  await root.close()
  if (next === null) return
  takePlace(next, path)
  rmSync(markOf(path), { force: true })
  markClosed(path)
}

type OpenedAs = { readonly database: string; readonly key: string }

/** The folder of the copy; null where there is no room for it, so that it is made another time. */
const copyInUse = async (
  root: RootDatabase<Buffer, string>,
  path: string,
  { database, key }: OpenedAs,
): Promise<string | null> => {
  const next = join(path, 'next')
  rmSync(next, { recursive: true, force: true })
  try {
    requireSpace(path, statSync(join(path, 'data.mdb')).size)
    mkdirSync(next, { mode: 0o700 })
    await root.backup(next, true)
    if (!(await settleCopy(next, database, key))) throw new Error(`${next} has no ${key}`)
    return next
  } catch {
    rmSync(next, { recursive: true, force: true })
    return null
  }
}

const markOf = (path: string): string => join(path, 'rewrite')
