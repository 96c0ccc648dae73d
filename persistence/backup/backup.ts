/**
 * Backups of a running service, full or incremental, and the restore to their end or to an earlier point. Copies
 * check every seal on the way.
 */

import type { WorkProgress } from '../base/progress.ts'

/** An operator's request for a backup. */
export type BackupRequest = {
  /** The directory to create: absent or empty. */
  readonly path: string
  /** The backup to continue with an increment; null for a full backup. */
  readonly after: string | null
  /** Whether to replay and compare the copy before it counts as made. */
  readonly verify: boolean
  /** Whether to include the key that opens the secrets. */
  readonly masterKey: boolean
}

/** A full backup, a data directory of one moment, or an increment, which holds only what an earlier one lacks. */
export type Backup = {
  readonly path: string
  readonly kind: 'FULL' | 'INCREMENT'
  /** The backup that an increment continues. */
  readonly after: string | null
  /** The backup holds everything acknowledged before this. */
  readonly pointMs: number
  /** The backed-up part of each shard's log. */
  readonly shards: readonly BackedUpLog[]
  readonly directory: BackedUpLog
  /** Null unless verified, and for an increment. */
  readonly transactions: number | null
  /** Null unless verified. */
  readonly problems: readonly string[] | null
  readonly bytes: number
  readonly masterKey: boolean
}

export type BackedUpLog = {
  readonly entries: number
  /** For a cluster's log, its records. */
  readonly records: number | null
}

/**
 * Where a cluster's logs end according to the servers that keep them: everything acknowledged anywhere comes before.
 */
export type LogEnds = { readonly directory: number; readonly shards: readonly number[] }

/** A moment and where the logs ended then; null when no other node writes them. */
export type Point = { readonly atMs: number; readonly ends: LogEnds | null }

/** The callbacks of a copy while it is written. */
export type BackupPeer = {
  readonly pointNow: () => Promise<Point>
  readonly onProgress: (progress: WorkProgress) => void
}

/** The job sent to the copying process at its start. */
export type BackupJob = BackupRequest & {
  readonly dataDir: string
  readonly partial: string
  readonly service: string
  /** Null when left out. */
  readonly key: Uint8Array | null
}

export type ToWriter =
  | { readonly type: 'write'; readonly job: BackupJob }
  | { readonly type: 'point'; readonly point: Point }

export type FromWriter =
  /** The writer asks for the point: it is about to choose the moment. */
  | { readonly type: 'point' }
  | { readonly type: 'progress'; readonly progress: WorkProgress }
  | { readonly type: 'made'; readonly backup: Backup }
  | { readonly type: 'failed'; readonly message: string }
