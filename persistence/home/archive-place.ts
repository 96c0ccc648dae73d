import {
  existsSync,
  lstatSync,
  mkdirSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { rangesIn } from '../archive/files.ts'
import type { ArchiveEnd } from '../archive/format.ts'
import { openFileReader } from '../disk/data-file/reader.ts'
import { hasEnvironment } from '../disk/environment.ts'
import { archiveKey, readArchiveEnd } from '../journal/batches.ts'
import type { DataDirectory } from './data-directory.ts'
import { DataDirectoryRefusal } from './manifest.ts'
import { Unusable } from './usable.ts'

/**
 * Has the archive of each shard where an operator wants it: in its folder (null), or in a folder of another directory, to which a link
 * in its place leads. Whatever reads a data directory then finds it. A directory that is away is no reason to refuse a start, another
 * one without the files is: throws `DataDirectoryRefusal`, which says where they were, or `Unusable`.
 */
export const settleArchives = (
  { shards, shardPath }: Pick<DataDirectory, 'shards' | 'shardPath'>,
  archiveDir: string | null,
): void => {
  for (let number = 0; number < shards; number++) {
    if (archiveDir === null) requireNoLink(shardPath(number))
    else settle(shardPath(number), archiveDir)
  }
}

const requireNoLink = (shardPath: string): void => {
  const link = join(shardPath, 'archive')
  const target = targetOf(link)
  if (target !== null)
    throw new DataDirectoryRefusal(
      `the archive of ${shardPath} is in ${target}: set ARCHIVE_DIR=${dirname(target)} again, or move that folder to ${link}`,
    )
}

const settle = (shardPath: string, archiveDir: string): void => {
  const link = join(shardPath, 'archive')
  const wanted = join(archiveDir, basename(shardPath))
  const target = targetOf(link)
  if (target === wanted) return
  if (!existsSync(archiveDir) || !statSync(archiveDir).isDirectory())
    throw new Unusable(`ARCHIVE_DIR=${archiveDir} is no directory: make it, or mount its disk`)
  const end = recordedArchiveEnd(shardPath)?.sequence ?? 0
  const before = target ?? link
  if (!covers(wanted, end))
    throw new DataDirectoryRefusal(
      `${wanted} lacks files of the archive of ${shardPath}, which has the entries 1 to ${end} and was in ${before}: move that folder there, or set ARCHIVE_DIR as it was`,
    )
  if (target === null && filesIn(link) > 0)
    throw new DataDirectoryRefusal(
      `${link} still has files, and ARCHIVE_DIR names ${archiveDir}: move that folder to ${wanted}`,
    )
  if (!existsSync(wanted)) mkdirSync(wanted, { mode: 0o700 })
  const next = `${link}-new`
  rmSync(next, { force: true })
  symlinkSync(wanted, next)
  // A folder without files gives way; a link is replaced in one step.
  if (target === null) rmSync(link, { recursive: true, force: true })
  renameSync(next, link)
}

/** Where a link leads; null where there is none. */
const targetOf = (link: string): string | null =>
  lstatSync(link, { throwIfNoEntry: false })?.isSymbolicLink() ? readlinkSync(link) : null

const filesIn = (folder: string): number => (existsSync(folder) ? rangesIn(folder).length : 0)

/** Whether the files of a folder go from the first entry to this one. */
const covers = (folder: string, end: number): boolean => {
  let next = 1
  for (const { first, last } of existsSync(folder) ? rangesIn(folder) : [])
    if (first === next) next = last + 1
  return next > end
}

/** Where a shard's journal says that its archive ends; null where it has none. */
export const recordedArchiveEnd = (shardPath: string): ArchiveEnd | null => {
  for (const [name, shelf] of [
    ['journal', undefined],
    ['log', 'batches'],
  ] as const) {
    const path = join(shardPath, name)
    if (!hasEnvironment(path)) continue
    const reader = openFileReader(join(path, 'data.mdb'))
    try {
      return readArchiveEnd(path, reader.shelf(shelf).get(archiveKey))
    } finally {
      reader.close()
    }
  }
  return null
}
