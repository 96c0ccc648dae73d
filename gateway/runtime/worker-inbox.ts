import type { FlushedEntry } from '../../engine/kernel/step.ts'
import { environmentOf, newId } from '../../engine/shared/ids.ts'
import { bounds } from '../base/bounds.ts'
import { timeout } from '../base/delay.ts'
import { bookingsOf, unmatchedOf } from '../inbox/bookings.ts'
import { inboxConnections } from '../inbox/company-connections.ts'
import { type Inbox, openInbox } from '../inbox/inbox.ts'
import { type NoticeListener, openNoticeListener } from '../inbox/listener.ts'
import { openListenerIdentity } from '../inbox/listener-identity.ts'
import { type Router, shardOf } from '../link/router.ts'
import type { Metrics } from '../observability/metrics.ts'
import type { WorkerBase } from './worker-base.ts'

/** What banks report to a worker: its inbox, and in the first worker the port for notices. */
export type WorkerInbox = Pick<Inbox, 'counts' | 'onFlushed'> & {
  /** Called when this worker starts to lead a shard, which lasts while `isLeading` returns true. */
  readonly onLead: (shard: number, isLeading: () => boolean) => void
  /** Connections have changed. */
  readonly onConnections: () => void
  /** Begins to listen and to poll. */
  readonly start: () => Promise<void>
  readonly close: (graceMs: number) => Promise<void>
}

/** Opens the inbox of a worker. Nothing happens before its start. */
export const openWorkerInbox = (
  { start: { settings, index, shards, masterKey }, directory, rails, entropy, log, send }: WorkerBase,
  router: Router,
  metrics: Metrics,
): WorkerInbox => {
  const connections = inboxConnections({
    directory,
    masterKey: Buffer.from(masterKey),
    origin: settings.inbox?.origin ?? null,
    byConnection: rails.byConnection,
    onFault: (error, connectionId) =>
      log.error({ err: error, connectionId }, 'the address of a connection cannot be read'),
  })
  const leading = new Map<number, () => boolean>()
  const newTransactionId = () => newId('txn', Date.now(), entropy)
  const newSuspenseId = () => newId('ssp', Date.now(), entropy)
  const newNoticeId = () => newId('ibn', Date.now(), entropy)
  const inbox = openInbox({
    execute: router.execute,
    query: router.query,
    newId: newNoticeId,
    bookingsOf: (object, reporting) => bookingsOf(object, reporting, newTransactionId),
    unmatchedOf: (object, reporting) => unmatchedOf(object, reporting, newSuspenseId),
    connections,
    leadershipOf: (accountId) => {
      const isLeading = leading.get(shardOf(accountId, shards))
      return isLeading?.() ? isLeading : null
    },
    realNow: Date.now,
    timeout,
    random: Math.random,
    onAlert: (alert) => {
      metrics.onProviderAlert(alert.kind)
      log.error(alert, 'a provider needs a person')
    },
    onHooks: (connectionId, problem) => send({ type: 'hooks', connectionId, problem }),
    onSettled: (kind, outcome, { accountId }) =>
      metrics.onNotice({ environment: environmentOf(accountId), kind, outcome }),
    onFault: (error, { connectionId }) =>
      log.error({ err: error, connectionId }, 'what a bank reports could not be looked at'),
  })
  let listener: NoticeListener | null = null
  const listen = async (): Promise<void> => {
    // A port can be shared by threads only from Node 22.12 on, and one thread is enough for what banks report.
    if (settings.inbox === null || index !== 0) return
    listener = await openNoticeListener({
      host: settings.host,
      port: settings.inbox.port,
      identity: openListenerIdentity(settings.inbox),
      targets: connections.targets,
      execute: router.execute,
      newId: newNoticeId,
      realNow: Date.now,
      stopwatch: () => performance.now(),
      onHook: (outcome, target) => {
        metrics.onHook(outcome)
        if (outcome === 'FOREIGN_CERTIFICATE')
          log.error(
            { connectionId: target?.connectionId },
            'the address of a connection was called without the certificate of its bank',
          )
      },
      onFault: (error, target) =>
        log.error(
          { err: error, connectionId: target?.connectionId },
          'the port where banks report is in trouble',
        ),
    })
    log.info({ port: listener.port }, 'banks can report')
  }
  let timers: readonly NodeJS.Timeout[] = []
  return {
    counts: inbox.counts,
    onFlushed: (entry: FlushedEntry) => inbox.onFlushed(entry),
    onLead: (shard, isLeading) => void leading.set(shard, isLeading),
    onConnections: () => {
      if (timers.length === 0) return
      inbox.sync()
      listener?.refresh()
    },
    start: async () => {
      await listen()
      inbox.sync()
      timers = [
        setInterval(inbox.sync, bounds.inboxSyncMs),
        setInterval(() => listener?.refresh(), bounds.hookRefreshMs),
      ]
    },
    close: async (graceMs) => {
      for (const timer of timers) clearInterval(timer)
      timers = []
      inbox.close()
      await listener?.close(graceMs)
    },
  }
}
