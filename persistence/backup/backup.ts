import type { WorkProgress } from '../progress.ts'

/** What somebody wants to have. */
export type BackupRequest = {
  /** The directory that it becomes: absent or empty. */
  readonly path: string
  /** Whether the copy is replayed and compared before it counts as made. */
  readonly verify: boolean
  /** Whether it holds the key that opens the webhook secrets. */
  readonly masterKey: boolean
}

/** A copy of a data directory as it was at one moment: a data directory itself. */
export type Backup = {
  readonly path: string
  /** Whatever was acknowledged before is in it. */
  readonly pointMs: number
  readonly shards: readonly BackedUpLog[]
  readonly directory: BackedUpLog
  /** Null where it was not verified. */
  readonly transactions: number | null
  readonly problems: readonly string[] | null
  readonly bytes: number
  readonly masterKey: boolean
}

export type BackedUpLog = {
  readonly entries: number
  /** Of a log that several nodes have: its records. */
  readonly records: number | null
}

/** Where the logs of a cluster end, by the servers that keep them: what was acknowledged anywhere is before. */
export type LogEnds = { readonly directory: number; readonly shards: readonly number[] }

/** A moment, and where the logs ended then; null where no other node writes them. */
export type Point = { readonly atMs: number; readonly ends: LogEnds | null }

/** What the process that copies is told at its start. */
export type BackupJob = BackupRequest & {
  readonly dataDir: string
  readonly partial: string
  readonly shards: number
  readonly service: string
  /** Null where it is left out. */
  readonly key: Uint8Array | null
}

export type ToWriter =
  | { readonly type: 'write'; readonly job: BackupJob }
  | { readonly type: 'point'; readonly point: Point }

export type FromWriter =
  /** It is about to choose the moment. */
  | { readonly type: 'point' }
  | { readonly type: 'progress'; readonly progress: WorkProgress }
  | { readonly type: 'made'; readonly backup: Backup }
  | { readonly type: 'failed'; readonly message: string }
