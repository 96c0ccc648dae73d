import { existsSync, lstatSync, mkdirSync, readdirSync, readlinkSync, rmSync, statfsSync } from 'node:fs'
import { open, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { HistoryUnavailable } from '../../engine/kernel/unavailable.ts'
import { bounds } from '../base/bounds.ts'
import { nextTurn } from '../base/delay.ts'
import { newTimeSlice } from '../base/time-slice.ts'
import type { OpenBatch } from '../codec/sealed-batch.ts'
import { type Archive, batchesFrom } from './archive.ts'
import { type Range, rangesIn } from './files.ts'
import { type ArchiveEnd, type Footer, fileName, partialSuffix } from './format.ts'
import { openArchiveFile } from './read-file.ts'
import { writeArchiveFile } from './write-file.ts'

/** A journal whose old part is packed. */
export type PackedLog = {
  readonly identity: string
  readonly archive: Pick<Archive, 'path' | 'trouble'>
  readonly archived: () => ArchiveEnd
  /** The last entry of the journal. */
  readonly last: () => number
  readonly at: (sequence: number) => OpenBatch
  readonly dropArchived: (end: ArchiveEnd) => Promise<void>
}

export type PackOptions = {
  /** Waits as long as other work should go first, after so much work. */
  readonly pause: (workedMs: number) => Promise<void>
  /** Whether to end before the next step. */
  readonly isStopped: () => boolean
}

/** A file in the folder is another journal's, and is left as it is. */
class ForeignFile extends Error {}

/** Packing was stopped before its end: what is packed so far stays. */
export class PackingStopped extends Error {}

/**
 * Moves the batches up to an entry from a journal to its archive, file by file: written, flushed, read back, named, and only then
 * dropped from the journal, which records in the same transaction where its archive ends. A crash at any moment leaves each batch in
 * one of them or in both, where it is equal. Throws when the disk is full or fails; it can be called again.
 */
export const packJournal = async (log: PackedLog, until: number, options: PackOptions): Promise<void> => {
  const { path } = log.archive
  // What a crash in the middle of dropping has left.
  await log.dropArchived(log.archived())
  if (until <= log.archived().sequence) return
  // A disk that is not mounted shows an empty folder, where files would be lost behind it later.
  const trouble = log.archive.trouble()
  if (trouble !== null) throw trouble
  makeFolder(path)
  await takeLeftFiles(log, until, options)
  while (log.archived().sequence < until) {
    const footer = await packFile(log, until, options)
    if (footer === null) return
    await log.dropArchived(endOf(footer))
  }
}

const makeFolder = (path: string): void => {
  if (existsSync(path)) return
  if (lstatSync(path, { throwIfNoEntry: false }) !== undefined)
    throw new HistoryUnavailable(`${path} leads to ${readlinkSync(path)}, which is not there`)
  mkdirSync(path, { mode: 0o700 })
}

const endOf = ({ last, seal }: Footer): ArchiveEnd => ({
  sequence: last,
  seal: Buffer.from(seal, 'base64url'),
})

/** Packs the next file; null when there is not one whole batch up to the entry. */
const packFile = async (
  log: PackedLog,
  until: number,
  { pause, isStopped }: PackOptions,
): Promise<Footer | null> => {
  const { path } = log.archive
  const after = log.archived()
  if (log.at(after.sequence + 1).last > until) return null
  const partial = join(path, `${String(after.sequence + 1)}${partialSuffix}`)
  const beforeBlock = async (bytes: number): Promise<void> => {
    if (isStopped()) throw new PackingStopped()
    requireRoom(path, bytes)
    await pause(bounds.archiveBlockMs)
  }
  const footer = await writeArchiveFile(partial, {
    identity: log.identity,
    after,
    until,
    batchAt: log.at,
    beforeBlock,
  })
  await requireWhole(partial, footer, { pause, isStopped })
  await rename(partial, join(path, fileName(footer.first, footer.last)))
  await syncFolder(path)
  return footer
}

/** Throws when packing would fill the disk, which others share. */
const requireRoom = (path: string, bytes: number): void => {
  const { bavail, bsize } = statfsSync(path)
  if (bavail * bsize >= bytes + bounds.archiveReserveBytes) return
  throw Object.assign(new Error(`the disk of ${path} is almost full`), { code: 'ENOSPC' })
}

/** Resolves when the names in a folder are on disk. */
export const syncFolder = async (path: string): Promise<void> => {
  const folder = await open(path, 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}

/** Reads a file from its start to its end, and requires that it is the one that was written: its seals say so. */
const requireWhole = async (path: string, footer: Footer, options: PackOptions): Promise<void> => {
  const read = await readWhole(path, options)
  if (JSON.stringify(read) !== JSON.stringify(footer))
    throw new Error(`${path} is not what was written: look at its disk`)
}

/** Reads a whole file in slices, and checks all of it. Throws `DamagedArchive`. */
export const readWhole = async (path: string, { pause, isStopped }: PackOptions): Promise<Footer> => {
  const file = openArchiveFile(path)
  try {
    const slice = newTimeSlice(() => performance.now(), bounds.sliceMs)
    for (const _ of batchesFrom(file, file.footer.first)) {
      if (!slice.isOver()) continue
      await pause(bounds.sliceMs)
      await nextTurn()
      if (isStopped()) throw new PackingStopped()
      slice.restart()
    }
    if (file.footer.dictionary.unpacked > 0) file.dictionary()
    return file.footer
  } finally {
    file.close()
  }
}

/**
 * Files behind the end that the journal knows: of a packing that a crash ended, or from before the journal was fetched again. One that
 * goes on as the journal does is taken; all others are removed, because the journal has what they hold.
 */
const takeLeftFiles = async (log: PackedLog, until: number, options: PackOptions): Promise<void> => {
  const { path } = log.archive
  for (const name of readdirSync(path)) if (name.endsWith(partialSuffix)) rmSync(join(path, name))
  for (const range of rangesIn(path)) {
    const { sequence } = log.archived()
    if (range.last <= sequence) continue
    const file = join(path, fileName(range.first, range.last))
    const footer = await footerIfSame(log, range, until, file, options)
    if (footer !== null) await log.dropArchived(endOf(footer))
    else if (range.last <= log.last()) rmSync(file)
    else
      throw new Error(
        `${file} has entries that the journal lacks: it belongs to another, or to a newer copy of it`,
      )
  }
}

const footerIfSame = async (
  log: PackedLog,
  { first, last }: Range,
  until: number,
  file: string,
  options: PackOptions,
): Promise<Footer | null> => {
  try {
    const footer = await readWhole(file, options)
    if (footer.identity !== log.identity) throw new ForeignFile(`${file} belongs to another journal`)
    if (first !== log.archived().sequence + 1 || last > until) return null
    const batch = log.at(last)
    const isSame =
      footer.previous === log.archived().seal.toString('base64url') &&
      batch.last === last &&
      batch.seal.toString('base64url') === footer.seal
    return isSame ? footer : null
  } catch (error) {
    if (error instanceof PackingStopped || error instanceof ForeignFile) throw error
    return null
  }
}
