import { createHash } from 'node:crypto'
import { type DirectoryFact, firstWrittenVersion } from '../../engine/companies/directory.ts'
import { codecVersion } from '../codec/layout.ts'
import { ClusterRefusal } from './refusal.ts'

/**
 * One record of the directory's log, as JSON: the same bytes in the stream and on every disk. It names the record
 * before it, so that a node notices at once when a log does not continue its own. New types of facts come with a version
 * (`persistence/codec/fact-versions.ts`), and are appended once the log has raised its own to that.
 */
export type DirectoryRecord = {
  readonly version: 1
  /** Made once per fact, so that a repeat is recognised. */
  readonly id: string
  /** The node that wrote it. */
  readonly node: string
  /** SHA-256 of the previous record's text, in base64url; empty in the first one. */
  readonly previous: string
  readonly fact: DirectoryFact
}

/** The text of a record after another; `previous` is null for the first. */
export const recordText = (
  { id, node, fact }: Pick<DirectoryRecord, 'id' | 'node' | 'fact'>,
  previous: string | null,
): string =>
  JSON.stringify({ version: 1, id, node, previous: textHash(previous), fact } satisfies DirectoryRecord)

/** Parses a record. Throws `ClusterRefusal` when its version is newer, or the one that nodes write from there on. */
export const readRecord = (text: string): DirectoryRecord => {
  const record = JSON.parse(text) as DirectoryRecord
  if (record.version !== 1)
    throw new ClusterRefusal(
      `the directory of this cluster has records of version ${record.version}: start a newer version of the service`,
    )
  const written = writtenFrom(record.fact)
  if (written !== null && written > codecVersion)
    throw new ClusterRefusal(
      `the cluster writes version ${written}; this program reads up to ${codecVersion}: start a newer version of the service`,
    )
  return record
}

/** The version that nodes write from this fact on; null if it does not change that. */
export const writtenFrom = (fact: DirectoryFact): number | null => {
  if (fact.type === 'VersionRaised') return fact.version
  return fact.type === 'ClusterFormed' ? (fact.version ?? firstWrittenVersion) : null
}

/** Whether a record follows on this text; null for the start of the log. */
export const continues = (record: DirectoryRecord, previous: string | null): boolean =>
  record.previous === textHash(previous)

const textHash = (text: string | null): string =>
  text === null ? '' : createHash('sha256').update(text).digest('base64url')
