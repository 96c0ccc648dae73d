import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { checksumOfJson } from '../base/checksum.ts'
import type { Position } from '../cluster/replica-store.ts'
import type { Manifest } from '../home/manifest.ts'
import { aboutFile } from '../home/marker.ts'
import { BackupRefusal } from './refusal.ts'

/** The content of a backup's `backup.json`. */
export type BackupAbout = {
  /** A full backup is a data directory; an increment holds only what an earlier backup does not have. */
  readonly kind: 'FULL' | 'INCREMENT'
  /** The version of the program that made it. */
  readonly service: string
  /** The backup holds everything acknowledged before this instant (ISO 8601). */
  readonly pointAt: string
  /** The data directory that the backup copies. */
  readonly of: Manifest
  /** The backup that an increment continues; null for a full one. */
  readonly after: EarlierBackup | null
  readonly ends: BackupEnds
  /** Whether the backup includes the master key. */
  readonly masterKey: boolean
}

export type EarlierBackup = {
  readonly path: string
  readonly pointAt: string
  readonly ends: BackupEnds
}

/** Where the logs of a data directory end at one moment. */
export type BackupEnds = { readonly directory: LogEnd; readonly shards: readonly LogEnd[] }

export type LogEnd = {
  readonly entries: number
  /** The seal of the last batch, which stands for everything before it. */
  readonly seal: string
  /** The replica's position; null outside a cluster, and for the directory. */
  readonly position: Position | null
  /** All events up to this entry were published by then. */
  readonly published: number
}

/** Whether two logs are equal up to their ends. */
export const isSameEnd = (one: LogEnd, other: LogEnd): boolean =>
  one.entries === other.entries &&
  one.seal === other.seal &&
  one.position?.applied === other.position?.applied &&
  one.position?.head === other.position?.head

const aboutFormat = 2

/** Writes `backup.json`, sealed with a checksum. */
export const writeAbout = (path: string, about: BackupAbout): void => {
  const sealed = {
    format: aboutFormat,
    ...about,
    checksum: checksumOfJson(about),
  }
  writeFileSync(join(path, aboutFile), `${JSON.stringify(sealed, null, 2)}\n`, { mode: 0o600 })
}

/** Reads `backup.json`. Throws `BackupRefusal` when the directory is no backup, or the file is not what was written. */
export const readAbout = (path: string): BackupAbout => {
  const file = join(path, aboutFile)
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code !== 'ENOENT' && code !== 'ENOTDIR') throw new BackupRefusal(`${file} cannot be read: ${message}`)
    throw new BackupRefusal(
      existsSync(path) ? `${path} is no backup: it has no ${aboutFile}` : `${path} does not exist`,
    )
  }
  const { format, checksum, ...about } = parsed(text)
  if (format !== undefined && format !== aboutFormat)
    throw new BackupRefusal(
      `${path} is a backup of format ${format}; this version reads ${aboutFormat}: restore it with the version that made it`,
    )
  if (checksum !== checksumOfJson(about))
    throw new BackupRefusal(`${file} is damaged: use another copy of that backup`)
  return about as BackupAbout
}

const parsed = (
  text: string,
): Partial<BackupAbout> & { readonly format?: number; readonly checksum?: string } => {
  try {
    return Object(JSON.parse(text))
  } catch {
    return {}
  }
}
