import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { replaceFile } from '../disk/replace-file.ts'
import { DataDirectoryRefusal } from './manifest.ts'

/** Marks the data directory of a node that leaves its cluster for good, so that no supervisor brings it back. */
export const markRemoved = (path: string, removedAtMs: number): void =>
  replaceFile(removedFile(path), `${JSON.stringify({ removedAt: new Date(removedAtMs).toISOString() })}\n`)

/** Throws `DataDirectoryRefusal` for the data directory of a node that was removed. */
export const requireNotRemoved = (path: string): void => {
  const file = removedFile(path)
  if (existsSync(file))
    throw new DataDirectoryRefusal(
      `this node was removed from its cluster: to have it join as a new one, start it with an empty DATA_DIR; to have it go on with what it has, delete ${file}`,
    )
}

const removedFile = (path: string): string => join(path, 'removed.json')
