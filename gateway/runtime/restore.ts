import { randomUUID } from 'node:crypto'
import { restoreBackup } from '../../persistence/backup/restore.ts'
import { shardOf } from '../link/router.ts'
import type { Restore } from '../operator/command-line/commands/restore.ts'

/** Builds a data directory from backups. No service needs to run. */
export const restore: Restore = (request, onProgress, signal) =>
  restoreBackup(request, { shardOf, newRecordId: randomUUID, onProgress, signal })
