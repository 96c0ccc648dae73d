import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { HistoryUnavailable } from '../../engine/kernel/unavailable.ts'
import { firstWhere } from '../base/bisect.ts'
import { bounds } from '../base/bounds.ts'
import { fileName, rangeOfName } from './format.ts'
import { type ArchiveFile, DamagedArchive, openArchiveFile } from './read-file.ts'

export type Range = { readonly first: number; readonly last: number }

/** The files of a folder by the entries that their names say, in order. Throws the error of the file system. */
export const rangesIn = (path: string): readonly Range[] =>
  readdirSync(path)
    .flatMap((name) => rangeOfName(name) ?? [])
    .sort((a, b) => a.first - b.first || b.last - a.last)

/** The files of an archive, of which those read last are open. */
export const newOpenFiles = (path: string, identity: string) => {
  let ranges: readonly Range[] = []
  const open = new Map<number, ArchiveFile>()

  const forget = (file: ArchiveFile): void => {
    if (open.delete(file.footer.first)) file.close()
  }

  const find = (sequence: number): Range | undefined => {
    const range = ranges[firstWhere(0, ranges.length, (n) => ranges[n]!.last >= sequence)]
    return range !== undefined && range.first <= sequence ? range : undefined
  }

  /** The file with an entry. Throws `HistoryUnavailable`. */
  const fileWith = (sequence: number): ArchiveFile => {
    try {
      let range = find(sequence)
      if (range === undefined) {
        ranges = rangesIn(path)
        range = find(sequence)
      }
      if (range === undefined) throw new HistoryUnavailable(`${path} has no file with entry ${sequence}`)
      const known = open.get(range.first)
      open.delete(range.first)
      const file = known ?? openArchiveFile(join(path, fileName(range.first, range.last)))
      open.set(range.first, file)
      if (file.footer.identity !== identity)
        throw new HistoryUnavailable(`${file.path} belongs to another journal`)
      for (const oldest of open.values()) {
        if (open.size <= bounds.archiveFilesOpenMax) break
        forget(oldest)
      }
      return file
    } catch (error) {
      // What was away may come back with other files.
      ranges = []
      throw historyError(path, error)
    }
  }

  return {
    with: fileWith,
    forget,
    close: (): void => {
      ranges = []
      for (const file of open.values()) file.close()
      open.clear()
    },
  }
}

/** The error of an archive that cannot be read; its text is for the operator. */
export const historyError = (path: string, error: unknown): HistoryUnavailable => {
  if (error instanceof HistoryUnavailable) return error
  const { message } = error as Error
  const text = error instanceof DamagedArchive ? message : `${path} cannot be read: ${message}`
  return new HistoryUnavailable(text, { cause: error })
}

/** Whether bytes of an archive are not what was written; it is only away, or its disk fails, otherwise. */
export const isDamage = (error: unknown): boolean =>
  error instanceof HistoryUnavailable && error.cause instanceof DamagedArchive
