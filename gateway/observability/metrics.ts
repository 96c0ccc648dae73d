import { Counter, Gauge, Histogram, Registry } from 'prom-client'
import type { RequestLine } from '../api/api.ts'
import type { Unfinished } from '../webhooks/unfinished.ts'
import type { CutReason } from '../wire/transport.ts'
import { addClusterMetrics, type ClusterSources } from './cluster-metrics.ts'
import { durations } from './durations.ts'
import { countFacts } from './facts.ts'
import { keptBy } from './kept-by.ts'
import type { OpenCalls } from './open-calls.ts'
import { sampledCounter, sampledGauge } from './sampled.ts'
import { talliedCounter } from './tallies.ts'
import { watchThread } from './thread.ts'

/** Values that are read when the metrics are. */
export type MetricSources = {
  /** The number of this thread. */
  readonly worker: number
  /** Runs something again and again in this thread. */
  readonly every: (periodMs: () => number, run: (lateMs: number) => void) => void
  readonly deliveries: () => Promise<Unfinished>
  /** Shards whose journals were read again since the start. */
  readonly checked: () => number
  readonly outboxLag: () => number
  /** What the columns of all shards take in memory, and how often some were read from the disk. */
  readonly paging: () => { readonly heldBytes: number; readonly reads: number }
  /** How far the shards are packed, and in how many that does not go on or cannot be read. */
  readonly archives: () => { readonly entries: number; readonly troubled: number }
  /** What banks have reported and is not booked yet. */
  readonly inbox: () => {
    readonly open: number
    readonly unmatched: number
    readonly suspenseCents: number
    readonly differenceCents: number
  }
  /** The calls of Production that banks have not answered decisively, by their age. */
  readonly openCalls: OpenCalls['counts']
  /** Null without NATS. */
  readonly isPublishing: (() => boolean) | null
  /** Only in a cluster. */
  readonly cluster?: ClusterSources
}

/**
 * Opens the metrics of one worker; the admin listener sums up the workers. prom-client is the ecosystem's usual library for this.
 */
export const openMetrics = (sources: MetricSources) => {
  const registry = new Registry()
  const registers = [registry]
  const requests = requestMetrics(registry)
  const journal = journalMetrics(registry)
  const providers = providerMetrics(registers, sources)
  const webhooks = webhookMetrics(registers)
  const shards = shardMetrics(registers, journal, sources)
  if (sources.cluster !== undefined) addClusterMetrics(registers, sources.worker, sources.cluster)
  watchThread(registers, String(sources.worker), sources.every)
  return {
    registry,
    /** The metrics of this worker's journals. */
    journal,
    ...requests,
    ...providers,
    ...webhooks,
    ...shards,
    /** Called when facts that were decided here are on disk. */
    onFlushed: countFacts(registers),
  }
}

export type Metrics = ReturnType<typeof openMetrics>

/** The counter that attestations of the pages quote. */
export const pageReports = 'payments_checkout_csp_reports_total'

const requestMetrics = (registry: Registry) => {
  const requests = durations<'verb' | 'route' | 'status'>(registry, {
    name: 'payments_http_request_duration_seconds',
    help: 'Requests answered, by verb, route and status.',
    buckets: [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.5, 1, 5],
  })
  const requestsOf = keptBy((verb: string) =>
    keptBy((route: string) =>
      keptBy((status: number) => requests.of({ verb, route, status: String(status) })),
    ),
  )
  const refused = new Counter({
    name: 'payments_http_refused_total',
    help: 'Answers that no route gave, by status: to broken or too large requests, after an error, after 30 seconds.',
    labelNames: ['status'],
    registers: [registry],
  })
  const cut = new Counter({
    name: 'payments_http_cut_total',
    help: 'Connections closed without an answer, or before it had left, by reason.',
    labelNames: ['reason'],
    registers: [registry],
  })
  const violations = new Counter({
    name: pageReports,
    help: 'Reports of browsers that a page where payers pay broke its content security policy. Anybody can send one.',
    registers: [registry],
  })
  return {
    /** Called when a browser reported that a page where payers pay broke its policy. */
    onViolation: (): void => violations.inc(),
    onAnswered: ({ verb, route, status, durationMs }: RequestLine): void =>
      requestsOf(verbs.has(verb) ? verb : 'other')(route ?? 'none')(status).observe(durationMs),
    /** Called when the transport answered by itself, or cut off an answer that took too long. */
    onRefused: (status: number): void => refused.inc({ status }),
    /** Called when the transport closed a connection without an answer, or before it had left. */
    onCut: (reason: CutReason): void => cut.inc({ reason }),
  }
}

/** Other verbs get no label value of their own, or clients could create any number of them. */
const verbs = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'])

const journalMetrics = (registry: Registry) => {
  const commits = durations(registry, {
    name: 'payments_journal_commit_duration_seconds',
    help: 'Group commits of the journals, from the write to the flush.',
    buckets: [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5],
  }).of({})
  return { commits: 0, entries: 0, bytes: 0, onCommit: commits.observe }
}

const providerMetrics = (registers: Registry[], { inbox, openCalls }: MetricSources) => {
  const calls = new Histogram({
    name: 'payments_provider_call_duration_seconds',
    help: 'Calls to banks and acquirers, by operation and outcome.',
    labelNames: ['environment', 'operation', 'outcome'],
    buckets: [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers,
  })
  const notices = new Counter({
    name: 'payments_provider_notices_total',
    help: 'What banks reported unasked, by what became of it.',
    labelNames: ['environment', 'kind', 'outcome'],
    registers,
  })
  const alerts = new Counter({
    name: 'payments_provider_alerts_total',
    help: 'What a person has to look at about banks and acquirers: silence, calls without an end, and outcomes of something else.',
    labelNames: ['kind'],
    registers,
  })
  const hooks = new Counter({
    name: 'payments_provider_hooks_total',
    help: 'Requests to the port where banks report, by what became of them.',
    labelNames: ['outcome'],
    registers,
  })
  new Gauge({
    name: 'payments_provider_open_calls',
    help: 'Calls of Production to banks and acquirers without a decisive answer, by how long ago each began.',
    labelNames: ['age'],
    registers,
    collect() {
      for (const [age, count] of Object.entries(openCalls())) this.set({ age }, count)
    },
  })
  sampledGauge(
    registers,
    'payments_provider_notices_open',
    'Notices of banks that are on disk, and name something that is not booked yet.',
    () => inbox().open,
  )
  sampledGauge(
    registers,
    'payments_provider_unmatched',
    'Things named in them that belong to nothing known here.',
    () => inbox().unmatched,
  )
  sampledGauge(
    registers,
    'payments_provider_suspense_cents',
    'Money that belongs to nothing, or is on its way back.',
    () => inbox().suspenseCents,
  )
  sampledGauge(
    registers,
    'payments_provider_reconciliation_difference_cents',
    'By how much the books of days differ from those of banks, where no one has accepted it.',
    () => inbox().differenceCents,
  )
  return {
    /** Called with the outcome of each request to the port where banks report. */
    onHook: (outcome: string): void => hooks.inc({ outcome }),
    onProviderAlert: (kind: string): void => alerts.inc({ kind }),
    onProviderCall: (
      labels: Readonly<Record<'environment' | 'operation' | 'outcome', string>>,
      ms: number,
    ): void => calls.observe(labels, ms / 1000),
    onNotice: (labels: Readonly<Record<'environment' | 'kind' | 'outcome', string>>): void =>
      notices.inc(labels),
  }
}

const webhookMetrics = (registers: Registry[]) => {
  const newAttemptTally = talliedCounter(registers, {
    name: 'payments_webhook_attempts_total',
    help: 'Webhook attempts, by what they came to.',
    labelNames: ['outcome'],
  })
  const attempts = keptBy((outcome: string) => newAttemptTally({ outcome }))
  const published = new Counter({
    name: 'payments_events_published_total',
    help: 'Public events that the stream on NATS has taken, or without NATS those planned for webhooks.',
    registers,
  })
  return {
    onAttempt: (outcome: string): void => {
      attempts(outcome).count += 1
    },
    onPublished: (events: number): void => published.inc(events),
  }
}

type JournalCounts = { readonly commits: number; readonly entries: number; readonly bytes: number }

const shardMetrics = (registers: Registry[], journal: JournalCounts, sources: MetricSources) => {
  sampledCounter(registers, 'payments_journal_commits_total', 'Group commits flushed.', () => journal.commits)
  sampledCounter(registers, 'payments_journal_entries_total', 'Entries flushed.', () => journal.entries)
  sampledCounter(registers, 'payments_journal_bytes_total', 'Bytes appended.', () => journal.bytes)
  new Gauge({
    name: 'payments_webhook_deliveries',
    help: 'Webhook deliveries that are not finished, by what they wait for.',
    labelNames: ['state'],
    registers,
    async collect() {
      for (const [state, count] of Object.entries(await sources.deliveries())) this.set({ state }, count)
    },
  })
  sampledGauge(
    registers,
    'payments_outbox_lag_entries',
    'Entries on disk whose events are not planned for webhooks or not published yet.',
    sources.outboxLag,
  )
  sampledGauge(
    registers,
    'payments_columns_bytes',
    'Memory of the columns that lists, searches and look-ups read, and of what is made from them (MEMORY_MB).',
    () => sources.paging().heldBytes,
  )
  new Counter({
    name: 'payments_columns_read_total',
    help: 'Columns and keys that were not in memory and were read from the disk.',
    registers,
    collect() {
      this.reset()
      this.inc(sources.paging().reads)
    },
  })
  sampledGauge(
    registers,
    'payments_shards_checked',
    'Shards whose journals were read again since the start, and are intact.',
    sources.checked,
  )
  sampledGauge(
    registers,
    'payments_archived_entries',
    'Entries that are packed into archives.',
    () => sources.archives().entries,
  )
  sampledGauge(
    registers,
    'payments_archive_troubled_shards',
    'Shards whose archive cannot be read, or whose last packing ended early.',
    () => sources.archives().troubled,
  )
  const damages = new Counter({
    name: 'payments_damage_found_total',
    help: 'Times that stored bytes of a shard were not what had been written.',
    registers,
  })
  const { isPublishing } = sources
  if (isPublishing !== null)
    sampledGauge(registers, 'payments_event_stream_connected', 'Workers that can publish on NATS now.', () =>
      isPublishing() ? 1 : 0,
    )
  return { onDamaged: (): void => damages.inc() }
}
