import { createHash } from 'node:crypto'
import type { DirectoryEvent } from '../../engine/directory/directory.ts'
import { ClusterRefusal } from './refusal.ts'

/**
 * One record of the directory's log, as JSON. Its text is the same in the stream and on every disk, byte for byte. It names
 * the record before it, so that a node sees at once when a log does not continue what it has. Facts of a new type come under
 * a new version: a node that does not know it stops, instead of going on without it.
 */
export type DirectoryRecord = {
  readonly version: 1
  /** Made once for each fact: however often it is sent, it is known again. */
  readonly id: string
  /** The node that wrote it. */
  readonly node: string
  /** SHA-256 of the text of the record before, in base64url; empty in the first one. */
  readonly previous: string
  readonly fact: DirectoryEvent
}

/** The text of a record that follows another; `previous` is null for the first one. */
export const recordText = (
  { id, node, fact }: Pick<DirectoryRecord, 'id' | 'node' | 'fact'>,
  previous: string | null,
): string =>
  JSON.stringify({ version: 1, id, node, previous: textHash(previous), fact } satisfies DirectoryRecord)

/** Throws `ClusterRefusal` for a record of a newer version. */
export const readRecord = (text: string): DirectoryRecord => {
  const record = JSON.parse(text) as DirectoryRecord
  if (record.version !== 1)
    throw new ClusterRefusal(
      `the directory of this cluster has records of version ${record.version}: start a newer version of the service`,
    )
  return record
}

export const continues = (record: DirectoryRecord, previous: string | null): boolean =>
  record.previous === textHash(previous)

const textHash = (text: string | null): string =>
  text === null ? '' : createHash('sha256').update(text).digest('base64url')
