import { resolve } from 'node:path'
import { type BackupAbout, type BackupEnds, isSameEnd, readAbout } from './about.ts'
import { BackupRefusal } from './refusal.ts'

/** A full backup, and the increments behind it, each of which continues the one before. */
export type Chain = readonly [StoredBackup, ...StoredBackup[]]

export type StoredBackup = { readonly path: string; readonly about: BackupAbout }

/**
 * A full backup and the increments that lead from it to the newest of the backups at these paths, in that order.
 * The paths may come in any order; backups that the newest one does not need are left out. Throws `BackupRefusal`
 * when one is missing or of another data directory.
 */
export const chainOf = (paths: readonly string[]): Chain => {
  const backups = [...new Set(paths.map((path) => resolve(path)))].map((path) => ({
    path,
    about: readAbout(path),
  }))
  const [first, ...others] = backups
  if (first === undefined) throw new BackupRefusal('name the backups to restore from')
  for (const other of others) requireSameSource(first, other)
  const newest = backups.reduce((one, other) => (isNewer(other, one) ? other : one))
  return leadingTo(newest, backups)
}

const leadingTo = (backup: StoredBackup, backups: readonly StoredBackup[]): Chain => {
  const { path, about } = backup
  if (about.after === null) return [backup]
  const { ends, ...after } = about.after
  // A full backup is preferred to an increment with the same end.
  const [earlier] = backups
    .filter((other) => other !== backup && isSameEnds(other.about.ends, ends))
    .sort((one, other) => Number(other.about.after === null) - Number(one.about.after === null))
  if (earlier === undefined)
    throw new BackupRefusal(
      `${path} is an increment that continues the backup of ${after.pointAt}, made as ${after.path}: name that one, too`,
    )
  return [
    ...leadingTo(
      earlier,
      backups.filter((other) => other !== backup),
    ),
    backup,
  ]
}

const isNewer = ({ about }: StoredBackup, { about: than }: StoredBackup): boolean =>
  Date.parse(about.pointAt) > Date.parse(than.pointAt)

const isSameEnds = (one: BackupEnds, other: BackupEnds): boolean =>
  isSameEnd(one.directory, other.directory) &&
  one.shards.length === other.shards.length &&
  one.shards.every((end, shard) => isSameEnd(end, other.shards[shard]!))

const requireSameSource = (one: StoredBackup, other: StoredBackup): void => {
  const [a, b] = [sourceOf(one.about), sourceOf(other.about)]
  if (a !== b)
    throw new BackupRefusal(
      `${one.path} is a backup of ${a}, and ${other.path} one of ${b}: name those of one`,
    )
}

/** Which data directory a backup was made of, in words. */
export const sourceOf = ({ of: { id, home } }: Pick<BackupAbout, 'of'>): string =>
  home === null ? `data directory ${id}` : `node ${home.node} of cluster ${home.cluster}`
