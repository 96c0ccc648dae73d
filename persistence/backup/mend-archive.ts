import { existsSync, lstatSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { rangesIn } from '../archive/files.ts'
import { type ArchiveEnd, archiveOf, type Footer, fileName, partialSuffix } from '../archive/format.ts'
import { readWhole, syncFolder } from '../archive/pack.ts'
import { writeArchiveFile } from '../archive/write-file.ts'
import { firstSealOf } from '../codec/sealed-batch.ts'
import { hasEnvironment } from '../disk/environment.ts'
import { recordedArchiveEnd } from '../home/archive-place.ts'
import type { StoredDirectory } from '../home/data-directory.ts'
import { type JournalPart, journalsOf } from '../home/parts.ts'
import { openLogSource } from './log-source.ts'

/**
 * Writes damaged and missing files of the archives of a data directory at rest again, from the batches of backups: seals say whether they
 * are the same. Returns what was done, in words. What no backup has stays as it is.
 */
export const mendArchives = async (
  { path, shardPath, manifest }: StoredDirectory,
  backups: readonly string[],
): Promise<readonly string[]> => {
  const done: string[] = []
  const [, ...parts] = journalsOf(manifest)
  for (const [shard, part] of parts.entries()) {
    const end = recordedArchiveEnd(shardPath(shard))
    const folder = archiveOf(join(path, part.path))
    if (end === null) continue
    if (lstatSync(folder, { throwIfNoEntry: false }) === undefined) mkdirSync(folder, { mode: 0o700 })
    // A link that leads nowhere: the disk is only away.
    if (!existsSync(folder)) continue
    for (const gap of await gapsIn(folder, part.identity, end)) {
      const from = await firstThatHas(backups, (backup) =>
        writeAgain(folder, part, gap, join(backup, part.path), manifest.home !== null),
      )
      if (from !== null)
        done.push(
          `${folder} has entries ${gap.after.sequence + 1} to ${gap.end.sequence} again, from ${from}`,
        )
    }
  }
  return done
}

/** Entries that an archive lacks: behind one end, up to another. */
type Gap = { readonly after: ArchiveEnd; readonly end: ArchiveEnd }

const atOnce = { pause: async () => undefined, isStopped: () => false }

/** The gaps between the files that are whole and continue each other. */
const gapsIn = async (folder: string, identity: string, end: ArchiveEnd): Promise<readonly Gap[]> => {
  const whole: Footer[] = []
  for (const { first, last } of rangesIn(folder)) {
    const footer = await readWhole(join(folder, fileName(first, last)), atOnce).catch(() => null)
    if (footer?.identity === identity && last <= end.sequence) whole.push(footer)
  }
  const gaps: Gap[] = []
  let after: ArchiveEnd = { sequence: 0, seal: firstSealOf(identity) }
  for (const { first, last, previous, seal } of whole) {
    if (first <= after.sequence) continue
    const before = { sequence: first - 1, seal: Buffer.from(previous, 'base64url') }
    if (before.sequence > after.sequence) gaps.push({ after, end: before })
    after = { sequence: last, seal: Buffer.from(seal, 'base64url') }
  }
  if (after.sequence < end.sequence) gaps.push({ after, end })
  return gaps
}

/** Fills a gap from a log. Nothing gets its name before the last seal is the one that is missing. */
const writeAgain = async (
  folder: string,
  { identity }: JournalPart,
  gap: Gap,
  logPath: string,
  isReplica: boolean,
): Promise<boolean> => {
  if (!hasEnvironment(logPath)) return false
  const source = openLogSource(logPath, isReplica)
  const written: { readonly partial: string; readonly footer: Footer }[] = []
  try {
    let { after } = gap
    while (after.sequence < gap.end.sequence) {
      const partial = join(folder, `mended-${after.sequence + 1}${partialSuffix}`)
      const footer = await writeArchiveFile(partial, {
        identity,
        after,
        until: gap.end.sequence,
        batchAt: source.batchAt,
        beforeBlock: async () => undefined,
      })
      written.push({ partial, footer })
      await readWhole(partial, atOnce)
      after = { sequence: footer.last, seal: Buffer.from(footer.seal, 'base64url') }
      if (footer.last < footer.first) return false
    }
    if (!after.seal.equals(gap.end.seal)) return false
    for (const { partial, footer } of written)
      renameSync(partial, join(folder, fileName(footer.first, footer.last)))
    // A damaged file may have gone on for longer or shorter.
    const names = written.map(({ footer }) => fileName(footer.first, footer.last))
    for (const { first, last } of rangesIn(folder)) {
      const name = fileName(first, last)
      if (last > gap.after.sequence && first <= gap.end.sequence && !names.includes(name))
        rmSync(join(folder, name))
    }
    await syncFolder(folder)
    return true
  } catch {
    // Another backup may have it.
    return false
  } finally {
    for (const { partial } of written) rmSync(partial, { force: true })
    await source.close()
  }
}

const firstThatHas = async (
  backups: readonly string[],
  has: (backup: string) => Promise<boolean>,
): Promise<string | null> => {
  for (const backup of backups) if (await has(backup)) return backup
  return null
}
