import { linkSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { openEnvironment } from './environment.ts'
import { makeLockRoom } from './lock-file.ts'

/**
 * Replaces a damaged LMDB environment, which must be closed, by an empty one, and resolves to the new path of the
 * damaged file. A data file exists at every moment: the next start would refuse an environment without one.
 */
export const setAside = async (path: string): Promise<string> => {
  const file = join(path, 'data.mdb')
  const aside = `${file}.damaged`
  rmSync(aside, { force: true })
  linkSync(file, aside)
  await emptyEnvironment(path)
  return aside
}

/** Replaces an LMDB environment, which must be closed, by an empty one. */
export const emptyEnvironment = async (path: string): Promise<void> => {
  const empty = join(path, 'empty')
  rmSync(empty, { recursive: true, force: true })
  await openEnvironment({ path: empty }).close()
  takePlace(empty, path)
}

/** Replaces the data of an LMDB environment by that of `from`, atomically. Both are closed; `from` is removed. */
export const takePlace = (from: string, path: string): void => {
  rmSync(join(path, 'lock.mdb'), { force: true })
  renameSync(join(from, 'data.mdb'), join(path, 'data.mdb'))
  makeLockRoom(path)
  rmSync(from, { recursive: true })
}
