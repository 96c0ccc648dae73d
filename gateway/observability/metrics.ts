import { Counter, Gauge, Histogram, Registry } from 'prom-client'
import type { RequestLine } from '../api/api.ts'
import type { ReplicaStatus } from '../link/cluster/control.ts'
import type { ClusterCounters } from '../link/cluster/counters.ts'
import type { Unfinished } from '../webhooks/unfinished.ts'
import { durations } from './durations.ts'
import { countFacts } from './facts.ts'
import { keptBy } from './kept-by.ts'
import { sampledCounter, sampledGauge } from './sampled.ts'
import { talliedCounter } from './tallies.ts'
import { watchThread } from './thread.ts'

/** Values that are read when the metrics are. */
export type MetricSources = {
  /** The number of this thread. */
  readonly worker: number
  readonly journal: () => { readonly commits: number; readonly entries: number; readonly bytes: number }
  readonly deliveries: () => Promise<Unfinished>
  /** Shards whose journals were read again since the start. */
  readonly checked: () => number
  readonly outboxLag: () => number
  /** Null without NATS. */
  readonly isPublishing: (() => boolean) | null
  /**
   * The backlog of the consumer that feeds webhooks. Null in workers that do not read it, and resolves to null while NATS is
   * away.
   */
  readonly consumer:
    | (() => Promise<{ readonly pending: number; readonly unacknowledged: number } | null>)
    | null
  /** Only in a cluster. */
  readonly cluster?: {
    readonly counters: ClusterCounters
    readonly shards: () => readonly ReplicaStatus[]
    readonly clockAheadMs: () => number
  }
}

/**
 * Opens the metrics of one worker; the admin listener sums up the workers. prom-client is the ecosystem's usual library for this.
 */
export const openMetrics = (sources: MetricSources) => {
  const registry = new Registry()
  const registers = [registry]
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
    registers,
  })
  const commits = durations(registry, {
    name: 'payments_journal_commit_duration_seconds',
    help: 'Group commits of the journals, from the write to the flush.',
    buckets: [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5],
  }).of({})
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
  const newAttemptTally = talliedCounter(registers, {
    name: 'payments_webhook_attempts_total',
    help: 'Webhook attempts, by what they came to.',
    labelNames: ['outcome'],
  })
  const attempts = keptBy((outcome: string) => newAttemptTally({ outcome }))
  const published = new Counter({
    name: 'payments_events_published_total',
    help: 'Public events that the stream has taken.',
    registers,
  })
  const counter = sampledCounter.bind(null, registers)
  const gauge = sampledGauge.bind(null, registers)
  counter('payments_journal_commits_total', 'Group commits flushed.', () => sources.journal().commits)
  counter('payments_journal_entries_total', 'Entries flushed.', () => sources.journal().entries)
  counter('payments_journal_bytes_total', 'Bytes appended.', () => sources.journal().bytes)
  new Gauge({
    name: 'payments_webhook_deliveries',
    help: 'Webhook deliveries that are not finished, by what they wait for.',
    labelNames: ['state'],
    registers,
    async collect() {
      for (const [state, count] of Object.entries(await sources.deliveries())) this.set({ state }, count)
    },
  })
  gauge('payments_outbox_lag_entries', 'Entries on disk and not published yet.', sources.outboxLag)
  gauge(
    'payments_shards_checked',
    'Shards whose journals were read again since the start, and are intact.',
    sources.checked,
  )
  const damages = new Counter({
    name: 'payments_damage_found_total',
    help: 'Times that stored bytes of a shard were not what had been written.',
    registers,
  })
  const { isPublishing, consumer } = sources
  if (isPublishing !== null)
    gauge('payments_event_stream_connected', 'Workers that can publish on NATS now.', () =>
      isPublishing() ? 1 : 0,
    )
  if (sources.cluster !== undefined) {
    const { counters: cluster, shards, clockAheadMs } = sources.cluster
    // Every worker hears the same, and workers are summed up.
    if (sources.worker === 0)
      gauge(
        'payments_cluster_clock_ahead_seconds',
        'How far the clock of this node is ahead of those of the other nodes and the NATS servers.',
        () => clockAheadMs() / 1000,
      )
    for (const [name, help] of Object.entries(clusterHelp))
      counter(`payments_cluster_${name}_total`, help, () => cluster[name as keyof ClusterCounters])
    const byShard = (name: string, help: string, value: (status: ReplicaStatus) => number): void => {
      new Gauge({
        name,
        help,
        labelNames: ['shard'],
        registers,
        collect() {
          this.reset()
          for (const status of shards()) this.set({ shard: status.shard }, value(status))
        },
      })
    }
    byShard('payments_shard_owned', 'Whether this node owns the shard, and may answer.', (status) =>
      status.mayServe ? 1 : 0,
    )
    byShard('payments_shard_epoch', 'How often the shard has had a new owner.', ({ epoch }) => epoch)
    byShard('payments_shard_applied_records', 'Records of its log on this disk.', ({ applied }) => applied)
    byShard('payments_shard_lag_records', 'Records of its log that this node lacks.', ({ lag }) => lag)
    byShard(
      'payments_shard_forked',
      'Whether the replica has stopped: its log is not the cluster’s.',
      ({ role }) => (role === 'FORKED' ? 1 : 0),
    )
  }
  watchThread(registers, String(sources.worker))
  if (consumer !== null) {
    const backlog = sharedFor(consumer)
    gauge(
      'payments_event_consumer_pending',
      'Events on NATS that the consumer for webhooks has not been handed.',
      async () => (await backlog())?.pending ?? null,
    )
    gauge(
      'payments_event_consumer_unacknowledged',
      'Events on NATS that it was handed and that are not planned for delivery yet.',
      async () => (await backlog())?.unacknowledged ?? null,
    )
  }
  return {
    registry,
    onAnswered: ({ verb, route, status, durationMs }: RequestLine): void =>
      requestsOf(verbs.has(verb) ? verb : 'other')(route ?? 'none')(status).observe(durationMs),
    /** Called when the transport answered by itself, or cut off an answer that took too long. */
    onRefused: (status: number): void => refused.inc({ status }),
    onAttempt: (outcome: string): void => {
      attempts(outcome).count += 1
    },
    onPublished: (events: number): void => published.inc(events),
    onDamaged: (): void => damages.inc(),
    onCommit: commits.observe,
    onProviderCall: (
      labels: Readonly<Record<'environment' | 'operation' | 'outcome', string>>,
      ms: number,
    ): void => calls.observe(labels, ms / 1000),
    onNotice: (labels: Readonly<Record<'environment' | 'kind' | 'outcome', string>>): void =>
      notices.inc(labels),
    /** Called when facts that were decided here are on disk. */
    onFlushed: countFacts(registers),
  }
}

/** `payments_cluster_…_total`. */
const clusterHelp: Readonly<Record<keyof ClusterCounters, string>> = {
  elsewhere: 'Calls and requests for shards that another node owned.',
  repeats: 'Times that one was asked again: its shard had moved, or a read got no answer.',
  calls: 'Calls sent to other nodes.',
  batches: 'Messages that they left in.',
  unanswered: 'Calls of which nobody knows whether they were done.',
}

/** Other verbs get no label value of their own, or clients could create any number of them. */
const verbs = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'])

/** Calls made while one is pending share its result. */
const sharedFor = <Answer>(ask: () => Promise<Answer>): (() => Promise<Answer>) => {
  let pending: Promise<Answer> | null = null
  return () => {
    pending ??= ask().finally(() => {
      pending = null
    })
    return pending
  }
}
