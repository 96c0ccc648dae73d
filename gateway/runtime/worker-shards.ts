import { join } from 'node:path'
import type { AnyFact } from '../../engine/kernel/registry.ts'
import type { FlushedEntry } from '../../engine/kernel/step.ts'
import { companyIdOf, environmentOf } from '../../engine/shared/ids.ts'
import { setLogAside } from '../../persistence/cluster/replicated-log.ts'
import { emptyShard, hasRecords } from '../../persistence/cluster/shard-copy.ts'
import { ownLog, type ShardLog, type ShardLogEvents } from '../../persistence/cluster/shard-log.ts'
import { shardPathIn } from '../../persistence/home/parts.ts'
import { openJournal } from '../../persistence/journal/journal.ts'
import type { Archiving } from '../../persistence/shard/running-shard.ts'
import { openShardHost, type ShardHost } from '../../persistence/shard/shard-host.ts'
import { type EventStream, StreamAway } from '../../persistence/stream/stream.ts'
import type { ArchiveSettings } from '../base/settings.ts'
import { eventBody, objectIdOf } from '../events/body.ts'
import type { LiveFeeds } from '../events/live/feeds.ts'
import { mailWayOf } from '../mail/mail-way.ts'
import type { Metrics } from '../observability/metrics.ts'
import { logParkedTimers } from '../observability/parked-timers.ts'
import { traceJournal } from '../observability/trace-journal.ts'
import type { ProviderDriver } from '../providers/driver.ts'
import { namesOf, offersOf, pricesOf } from '../providers/index.ts'
import { fiscalPayeeOf } from '../resources/payments/fiscal.ts'
import type { Cancelling } from '../webhooks/cancelling.ts'
import { hotStatesIn } from './heap.ts'
import { workerOf } from './open-router.ts'
import type { Reach, Readiness } from './readiness.ts'
import type { WorkerBase } from './worker-base.ts'
import type { WorkerInbox } from './worker-inbox.ts'
import type { WorkerNode } from './worker-node.ts'

/** The parts of a worker that its shards report to. */
export type ShardSurroundings = {
  /** Plans the webhooks of an event, and resolves when they are on disk. */
  readonly plan: EventStream['publish']
  readonly cluster: WorkerNode | null
  readonly metrics: Metrics
  readonly driver: ProviderDriver
  readonly cancelling: Cancelling
  readonly feeds: LiveFeeds
  readonly inbox: WorkerInbox
  /** Ticks soon, because something is due. */
  readonly tickSoon: () => void
  /** Entries of the shards whose journals were read again. */
  readonly checked: Map<number, number>
}

/** Opens the shards of a worker, which is every Nth, in its table of hosts. */
export const hostShards = (
  base: WorkerBase,
  hosts: Map<number, ShardHost>,
  surroundings: ShardSurroundings,
): void => {
  const { shards, workers, index } = base.start
  for (let number = 0; number < shards; number++)
    if (workerOf(number, workers) === index) hosts.set(number, hostShard(base, number, hosts, surroundings))
}

const hostShard = (
  base: WorkerBase,
  number: number,
  hosts: ReadonlyMap<number, ShardHost>,
  surroundings: ShardSurroundings,
): ShardHost => {
  const { start, providers, log, entropy, directory, endpoints, events } = base
  const { settings, shards, workers } = start
  const { plan, cluster, metrics, driver, cancelling, checked } = surroundings
  return openShardHost({
    number,
    path: shardPathIn(settings.dataDir)(number),
    realNow: Date.now,
    entropy,
    institution: {
      ispb: settings.ispb,
      pixLocation: settings.pixLocation,
      sendsMail: mailWayOf(settings) !== null,
      hasPages: settings.checkoutOrigin !== '' || settings.publicUrl === '',
      providers: namesOf(providers),
      offers: offersOf(providers),
      unreachableSeconds: driver.unreachableSeconds,
      crypto: { ...settings.crypto, ...pricesOf(providers) },
    },
    hotStates: hotStatesIn(settings.hotStates, Math.ceil(shards / workers)),
    memoryBytes: (settings.memoryMb * 1024 * 1024) / shards,
    onReplay: (done, of) =>
      log.info({ shard: number, done, of }, 'reading the journal before the shard serves'),
    payersForgotten: base.payerKeys.forgotten,
    archiving: archivingOf(settings.archive),
    stream: { publish: plan },
    hasSubscribers: endpoints.hasSubscribers,
    ...(events === null
      ? { onPublished: metrics.onPublished }
      : { publication: { stream: events, hasSubscribers: () => true, onPublished: metrics.onPublished } }),
    render: (event, accountId) => ({
      body: eventBody(event, environmentOf(accountId), fiscalPayeeOf(directory, companyIdOf(accountId))),
      objectId: objectIdOf(event.subject),
    }),
    openLog: (path, events) => openLogOf(base, number, path, events, surroundings),
    ...(cluster !== null && {
      refetchLog: setLogAside,
      isHeld: () => cluster.isHeld(number) || hasRecords(shardPathIn(settings.dataDir)(number)),
      emptyShard,
      fetchShard: (...about) => cluster.fetchShard(number, ...about),
    }),
    onMended: () => log.warn({ shard: number }, 'the log of the shard was fetched again, and is whole'),
    onFlushed: (entry) => onFlushed(base, surroundings, entry, number),
    onProviderCall: driver.drive,
    hasWaitingAnswers: driver.hasPendingAnswers,
    onLead: (isLeading) => {
      cancelling.onLead(number, isLeading)
      surroundings.inbox.onLead(number, isLeading)
    },
    onDue: surroundings.tickSoon,
    onChecked: (entries) => {
      checked.set(number, entries)
      const held = [...hosts.values()].filter((host) => host.state() !== 'ELSEWHERE').length
      if (checked.size < held) return
      const sum = [...checked.values()].reduce((sum, entries) => sum + entries, 0)
      log.info({ shards: checked.size, entries: sum }, 'all journals were read again, and are intact')
    },
    onDamaged: () => {
      checked.delete(number)
      metrics.onDamaged()
    },
    onTrouble: (message, error) => {
      if (error === null) log.error(message)
      else if (error instanceof StreamAway) log.warn(`${message}: ${error.message}`)
      else log.error({ err: error }, message)
    },
  })
}

/** How far the archives of a worker's shards have come, and how many are in trouble. */
export const archivesIn = (
  hosts: ReadonlyMap<number, ShardHost>,
): { readonly entries: number; readonly troubled: number } => {
  let [entries, troubled] = [0, 0]
  for (const host of hosts.values()) {
    const state = host.archive()
    entries += state?.entries ?? 0
    troubled += state?.trouble ? 1 : 0
  }
  return { entries, troubled }
}

const archivingOf = ({ afterDays, diskPercent }: ArchiveSettings): Archiving => ({
  afterMs: afterDays === null ? null : afterDays * dayMs,
  diskShare: diskPercent === null ? null : diskPercent / 100,
})

const dayMs = 24 * 3_600_000

const openLogOf = (
  { tracing, entryLayout }: WorkerBase,
  shard: number,
  path: string,
  events: ShardLogEvents,
  { cluster, metrics }: ShardSurroundings,
): ShardLog => {
  const log =
    cluster?.openLog(shard, path, metrics.journal, events) ??
    ownLog(openJournal(join(path, 'journal'), entryLayout, metrics.journal))
  return tracing === null ? log : { ...log, journal: traceJournal(log.journal, tracing.begin, shard) }
}

/** Reports an entry that was decided here once it is on disk. */
const onFlushed = (
  { log, send }: WorkerBase,
  { metrics, feeds, cancelling, inbox }: ShardSurroundings,
  entry: FlushedEntry,
  shard: number,
): void => {
  metrics.onFlushed(entry)
  logParkedTimers(log, entry)
  feeds.onFlushed(entry, shard)
  cancelling.onFlushed(entry)
  inbox.onFlushed(entry)
  if (entry.steps.some(({ event }) => maySendMail(event)))
    send({ type: 'noticed', accountId: entry.accountId })
}

/** Whether a fact may have someone written to. */
const maySendMail = (event: AnyFact): boolean =>
  event.type === 'NoticeRaised' ||
  event.type === 'PayerMailAsked' ||
  (event.type === 'PortalOpened' && event.portal.mailedIn !== null)

/** Writes to the shared memory whether the shards of this worker serve requests. */
export const reportReadiness = (
  readiness: Readiness,
  hosts: ReadonlyMap<number, ShardHost>,
  cluster: WorkerNode | null,
): void => {
  for (const [number, host] of hosts) readiness.set(number, reachOf(number, host, cluster))
}

const reachOf = (shard: number, host: ShardHost, cluster: WorkerNode | null): Reach => {
  const state = host.state()
  if (state !== 'SERVING' && cluster !== null) {
    if (cluster.isCutOff()) return 'CUT_OFF'
    if (cluster.isFetching(shard)) return 'JOINING'
    if (cluster.isElsewhere(shard)) return 'SERVING'
  }
  if (state === 'FOLLOWING' || state === 'ELSEWHERE') return 'OWNERLESS'
  return state === 'SERVING' && !host.isWritable() ? 'READ_ONLY' : state
}
