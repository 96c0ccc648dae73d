import { dirname, join } from 'node:path'
import { hasEnvironment } from '../disk/environment.ts'
import { identityAt } from '../journal/identity.ts'
import type { Manifest } from './manifest.ts'
import { childrenOf } from './usable.ts'

/**
 * What must be in a data directory. A start, `payments verify`, backups and restores all go by this list, so that none of them passes
 * what another one refuses.
 */

/** A journal, which nothing but itself can make again, unless the nodes of a cluster have copies of it. */
export type JournalPart = {
  /** Below the data directory. */
  readonly path: string
  readonly identity: string
}

type Parts = Pick<Manifest, 'id' | 'shards' | 'home'>

/** The journals: the directory's, and one for each shard. */
export const journalsOf = ({ id, shards, home }: Parts): readonly JournalPart[] => [
  { path: 'directory', identity: `${id} directory` },
  ...Array.from({ length: shards }, (_, number) => ({
    path: join('shards', shardName(number), home === null ? 'journal' : 'log'),
    identity: `${id} shard ${number}`,
  })),
]

/** The journals that are not there. A node of a cluster fetches them. */
export const missingJournals = (path: string, parts: Parts): readonly JournalPart[] =>
  journalsOf(parts).filter((part) => !hasEnvironment(join(path, part.path)))

/** Where each shard is kept. */
export const shardPathIn =
  (path: string) =>
  (number: number): string =>
    join(path, 'shards', shardName(number))

/** The journal of a shard outside a cluster, below the data directory. */
export const shardJournal = (number: number): string => join('shards', shardName(number), 'journal')

const shardName = (number: number): string => String(number).padStart(2, '0')

/** What is wrong with the journal at a place, before the remedy; null where it is the one that belongs there. */
export const problemOfJournal = (place: string, identity: string): string | null => {
  if (!hasEnvironment(place)) return `${place} is missing`
  const found = identityAt(place)
  return found === identity ? null : isAnother(place, found, identity)
}

/** That a journal is not the one that belongs there. */
export const isAnother = (place: string, found: string | null, identity: string): string =>
  `${place} is another journal than the one that belongs there: it is “${found}”, and not “${identity}”`

/** Describes each folder of a shard that does not belong there. */
export const foreignFolders = (path: string, parts: Parts): readonly string[] => {
  const folders = new Set(journalsOf(parts).map((journal) => join(path, dirname(journal.path))))
  return childrenOf(join(path, 'shards'))
    .filter((folder) => !folders.has(folder))
    .map((folder) => `${folder} does not belong in this data directory`)
}
