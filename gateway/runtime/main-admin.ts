import { randomBytes } from 'node:crypto'
import { AggregatorRegistry } from 'prom-client'
import { type Backups, openBackups } from '../../persistence/backup/backups.ts'
import { logEndsOf } from '../../persistence/backup/log-ends.ts'
import { BackupRefusal } from '../../persistence/backup/refusal.ts'
import { every } from '../../persistence/base/pulse.ts'
import { delay } from '../base/delay.ts'
import { version } from '../base/version.ts'
import type { Router } from '../link/router.ts'
import type { ShownConnection } from '../observability/connection-metrics.ts'
import { metricsTokenOf } from '../observability/metrics-token.ts'
import { openProcessMetrics } from '../observability/process.ts'
import type { ConnectionStanding } from '../operations/connections/watch.ts'
import { type Archives, archiveRun, archiveStatus, type ShardArchive } from '../operator/archive.ts'
import { backupOperation } from '../operator/backup.ts'
import { eventFeed } from '../operator/event-feed.ts'
import { exportOperation } from '../operator/export.ts'
import { openAdminListener } from '../operator/listener.ts'
import { requestFeed } from '../operator/request-feed.ts'
import { OperationRefusal } from '../problems/refusal.ts'
import type { MainServices } from './main-services.ts'
import type { MainState } from './main-state.ts'
import { openCsvThread } from './open-csv-thread.ts'
import { payerKeyRing } from './payer-key-ring.ts'
import type { WorkerPool } from './worker-pool.ts'

/** Opens the admin listener: operations, backups and metrics. Returns the backups and `close`. */
export const openMainAdmin = async (
  { settings, log, storage, directory, personal }: MainState,
  { operations, connections }: MainServices,
  pool: WorkerPool,
  router: Router,
  transport: string,
): Promise<{ readonly backups: Backups; readonly close: () => Promise<void> }> => {
  const { member, masterKey, data } = storage
  const backups = openBackups({
    dataDir: settings.dataDir,
    service: version,
    masterKey,
    realNow: Date.now,
    logEnds: member && (() => logEndsOf(member.connection, member.name, data.shards)),
    gather: member && ((isOn) => pool.ask((ack) => ({ type: 'gather', isOn, ack }))),
    onLeft: (partial) => log.warn({ partial }, 'what an interrupted backup had left is removed'),
  })
  const makeBackup: Backups['make'] = (...request) =>
    backups.make(...request).catch((error: unknown) => {
      throw error instanceof BackupRefusal ? new OperationRefusal(error.message) : error
    })
  const archives: Archives = {
    states: async () => (await pool.ask((ack) => ({ type: 'archives', ack }))).flat() as ShardArchive[],
    pack: async (olderThanMs) =>
      (await pool.ask((ack) => ({ type: 'pack', olderThanMs, ack }))).flat() as string[],
    settings: settings.archive,
  }
  const processMetrics = openProcessMetrics({
    dataDir: settings.dataDir,
    archiveDir: settings.archive.dir,
    transport,
    every,
    connections: () => connections.standings().map((standing) => shownConnection(standing, Date.now())),
  })
  const listener = await openAdminListener({
    port: settings.adminPort,
    dataDir: settings.dataDir,
    token: randomBytes(32).toString('base64url'),
    metricsToken: () => metricsTokenOf(settings.metricsToken),
    operations: { ...operations, 'archive status': archiveStatus(archives) },
    longOperations: {
      'archive run': archiveRun(archives),
      backup: backupOperation(makeBackup, log),
      export: exportOperation({
        directory,
        personal,
        router,
        csvOf: openCsvThread(payerKeyRing(directory, masterKey)),
        realNow: Date.now,
      }),
      listen: eventFeed({ directory, router, realNow: Date.now, wait: delay }),
      logs: requestFeed({ directory, watchRequests: pool.watchRequests, realNow: Date.now, wait: delay }),
    },
    metrics: async () => {
      const registries = await pool.ask((ack) => ({ type: 'metrics', ack }))
      const own = await processMetrics.getMetricsAsJSON()
      return AggregatorRegistry.aggregate([own, ...(registries as object[])]).metrics()
    },
    onFault: (error) => log.error({ err: error }, 'an admin operation failed'),
  })
  return { backups, close: listener.close }
}

const shownConnection = (
  { connection: { id, provider, state }, works, certificateEndsAtMs }: ConnectionStanding,
  nowMs: number,
): ShownConnection => ({
  connection: id,
  provider,
  works,
  isActive: state === 'ACTIVE',
  certificateDays: certificateEndsAtMs === null ? null : (certificateEndsAtMs - nowMs) / 86_400_000,
})
