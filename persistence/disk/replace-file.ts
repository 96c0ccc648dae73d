import { renameSync, writeFileSync } from 'node:fs'

/** Writes a file next to its place, flushes and renames it, so that a crash leaves the one before or the whole new one. */
export const replaceFile = (file: string, text: string): void => {
  writeFileSync(`${file}.new`, text, { mode: 0o600, flush: true })
  renameSync(`${file}.new`, file)
}
