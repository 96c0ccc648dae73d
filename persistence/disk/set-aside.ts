import { linkSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { open } from 'lmdb'

/**
 * Puts an empty LMDB environment in the place of a damaged one, which must be closed, and resolves to where its data is now. There is a
 * data file at every moment: one that is missing would be refused by the next start.
 */
export const setAside = async (path: string): Promise<string> => {
  const file = join(path, 'data.mdb')
  const aside = `${file}.damaged`
  const empty = join(path, 'empty')
  rmSync(aside, { force: true })
  rmSync(empty, { recursive: true, force: true })
  await open({ path: empty }).close()
  linkSync(file, aside)
  takePlace(empty, path)
  return aside
}

/** Puts the data of an LMDB environment in the place of another one's, at once. Both are closed; the first is gone afterwards. */
export const takePlace = (from: string, path: string): void => {
  rmSync(join(path, 'lock.mdb'), { force: true })
  renameSync(join(from, 'data.mdb'), join(path, 'data.mdb'))
  rmSync(from, { recursive: true })
}
