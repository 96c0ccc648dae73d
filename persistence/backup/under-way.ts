import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Keeps the name of what a backup is being written into, so that a later process removes what one that was killed has left. */
export type BackupUnderWay = {
  readonly begin: (partial: string) => void
  readonly end: () => void
}

/** Opens the note of a data directory. Removes what an earlier process has left, and reports its path. */
export const openBackupUnderWay = (dataDir: string, onLeft: (partial: string) => void): BackupUnderWay => {
  const note = join(dataDir, 'backup-under-way')
  const end = (): void => rmSync(note, { force: true })
  if (existsSync(note)) {
    const partial = readFileSync(note, 'utf8')
    // A note that a crash has cut short names nothing that a backup writes into.
    if (partial.endsWith('.partial') && existsSync(partial)) {
      rmSync(partial, { recursive: true, force: true })
      onLeft(partial)
    }
    end()
  }
  return { begin: (partial) => writeFileSync(note, partial, { mode: 0o600, flush: true }), end }
}
