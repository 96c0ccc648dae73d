import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The file that makes a directory a backup. */
export const aboutFile = 'backup.json'

/** Whether a directory was made as a backup. */
export const isBackup = (path: string): boolean => existsSync(join(path, aboutFile))

/** Whether a directory is an increment, which is no data directory. */
export const isIncrement = (path: string): boolean => {
  try {
    return JSON.parse(readFileSync(join(path, aboutFile), 'utf8')).kind === 'INCREMENT'
  } catch {
    return false
  }
}
