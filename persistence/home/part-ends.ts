import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { checksumOfJson } from '../base/checksum.ts'
import { openBatch } from '../codec/sealed-batch.ts'
import { DamagedPage } from '../disk/data-file/pages.ts'
import { openFileReader, type ReaderShelf } from '../disk/data-file/reader.ts'
import { hasEnvironment } from '../disk/environment.ts'
import { replaceFile } from '../disk/replace-file.ts'

/**
 * How far the journals of a data directory have come, by their paths below it. It is kept at the top and beside each journal, so that
 * every part knows the others: where one of them is an older copy (a volume that was put back, half of a restore), the rest says so.
 */
export type PartEnds = Readonly<Record<string, PartEnd>>

export type PartEnd = {
  /** The last entry. */
  readonly end: number
  /** The seal of the batch that ends with it; null for a journal that may be written anew, as that of companies. */
  readonly seal: string | null
}

/** Keeps the ends of a data directory's journals. */
export type PartEndsKeeper = {
  /** Writes what has changed: at the top, and beside each journal where that is asked for. */
  readonly keep: (ends: PartEnds, where: 'AT_THE_TOP' | 'EVERYWHERE') => void
}

/** Opens the keeper with what is known. */
export const openPartEnds = (path: string, journals: readonly string[]): PartEndsKeeper => {
  const folders = foldersOf(path, journals)
  const known: Record<string, PartEnd> = {}
  for (const { journal, end } of knownEnds(path, journals))
    if (end.end >= (known[journal]?.end ?? 0)) known[journal] = end
  const written = new Map<string, string>()
  return {
    keep: (ends, where) => {
      Object.assign(known, ends)
      const text = textOf(known)
      for (const folder of where === 'EVERYWHERE' ? folders : [path])
        if (written.get(folder) !== text) {
          replaceFile(fileIn(folder), text)
          written.set(folder, text)
        }
    },
  }
}

/** The journals that end before what the other parts know, or have another history, each with what is wrong with it. */
export const olderParts = (
  path: string,
  journals: readonly string[],
  /** Reads an environment; a running service may write it. */
  read: ReadPart = readAtRest,
): readonly string[] => {
  const known = knownEnds(path, journals)
  return journals.flatMap((journal) => {
    const place = join(path, journal)
    // What is missing or damaged is told by others.
    if (!hasEnvironment(place)) return []
    const ends = known.filter((one) => one.journal === journal).sort((a, b) => b.end.end - a.end.end)
    const look = (shelf: ReaderShelf): string | null =>
      ends.map(({ end }) => problemOf(place, end, shelf)).find((problem) => problem !== null) ?? null
    return problemUnlessDamaged(() => read(place, look)) ?? []
  })
}

const problemUnlessDamaged = (read: () => string | null): string | null => {
  try {
    return read()
  } catch (error) {
    if (error instanceof DamagedPage) return null
    throw error
  }
}

/** Reads an environment with a function. */
export type ReadPart = (environment: string, look: (shelf: ReaderShelf) => string | null) => string | null

const problemOf = (place: string, { end, seal }: PartEnd, shelf: ReaderShelf): string | null => {
  const todo = 'put the newer copy back, or restore the whole data directory from a backup'
  const last = batchIn(shelf, Number.MAX_SAFE_INTEGER)
  if (last === null && shelf.before(Number.MAX_SAFE_INTEGER) !== undefined) return null
  if ((last?.last ?? 0) < end)
    return `${place} is an older copy: it ends at entry ${last?.last ?? 0}, and the other parts of this data directory know of entry ${end}; ${todo}`
  const then = seal === null ? null : batchIn(shelf, end)
  return then === null || then.seal.toString('base64url') === seal
    ? null
    : `${place} has another entry ${end} than the one that the other parts of this data directory know; ${todo}`
}

/** The batch with this entry, or the last one before it; null where there is none that can be read. */
const batchIn = (shelf: ReaderShelf, sequence: number) => {
  const entry = shelf.before(sequence)
  return entry !== undefined && typeof entry.key === 'number' ? openBatch(entry.value, entry.key) : null
}

const readAtRest: ReadPart = (environment, look) => {
  const reader = openFileReader(join(environment, 'data.mdb'))
  try {
    return look(reader.shelf())
  } finally {
    reader.close()
  }
}

/** What each copy knows: a part that was exchanged brings a copy of its own, and only the others tell. */
const knownEnds = (
  path: string,
  journals: readonly string[],
): readonly { readonly journal: string; readonly end: PartEnd }[] =>
  foldersOf(path, journals).flatMap((folder) =>
    Object.entries(readEnds(folder)).map(([journal, end]) => ({ journal, end })),
  )

/** The top, the folder of companies, and those of the shards. */
const foldersOf = (path: string, journals: readonly string[]): readonly string[] => [
  path,
  ...journals.map((journal) => join(path, dirname(journal) === '.' ? journal : dirname(journal))),
]

const fileIn = (folder: string): string => join(folder, 'ends.json')

/** What a copy says; nothing where it is missing, or a crash has cut it short. */
const readEnds = (folder: string): PartEnds => {
  const file = fileIn(folder)
  if (!existsSync(file)) return {}
  try {
    const { ends, checksum } = JSON.parse(readFileSync(file, 'utf8'))
    return checksum === checksumOfJson(ends) ? ends : {}
  } catch {
    return {}
  }
}

const textOf = (ends: PartEnds): string => `${JSON.stringify({ ends, checksum: checksumOfJson(ends) })}\n`
