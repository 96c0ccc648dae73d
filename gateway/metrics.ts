import { Counter, Gauge, Histogram, Registry } from 'prom-client'
import type { ReplicaStatus } from './cluster/control.ts'
import type { ClusterCounters } from './cluster/counters.ts'
import type { RequestLine } from './http/pipeline.ts'

/** What a worker counts; the admin listener adds the workers up. prom-client is the ecosystem's usual library for it. */
export type Metrics = {
  readonly registry: Registry
  readonly onAnswered: (line: RequestLine) => void
  readonly onAttempt: (outcome: string) => void
  readonly onTimerPutAside: (due: string) => void
}

export const openMetrics = (sources: {
  readonly journal: () => { readonly commits: number; readonly entries: number; readonly bytes: number }
  readonly attemptsInFlight: () => number
  readonly attemptsQueued: () => number
  readonly outboxLag: () => number
  readonly isPublishing: () => boolean | null
  /** In a cluster. */
  readonly cluster?: {
    readonly counters: ClusterCounters
    readonly shards: () => readonly ReplicaStatus[]
  }
}): Metrics => {
  const registry = new Registry()
  const registers = [registry]
  const requests = new Histogram({
    name: 'payments_http_request_duration_seconds',
    help: 'Requests answered, by route and status.',
    labelNames: ['route', 'status'],
    buckets: [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.5, 1, 5],
    registers,
  })
  const attempts = new Counter({
    name: 'payments_webhook_attempts_total',
    help: 'Webhook attempts, by what they came to.',
    labelNames: ['outcome'],
    registers,
  })
  const putAside = new Counter({
    name: 'payments_timers_put_aside_total',
    help: 'Due work that was refused, by what was due: an error of the service.',
    labelNames: ['due'],
    registers,
  })
  const counter = (name: string, help: string, value: () => number): void => {
    let told = 0
    new Counter({
      name,
      help,
      registers,
      collect() {
        const now = value()
        this.inc(now - told)
        told = now
      },
    })
  }
  const gauge = (name: string, help: string, value: () => number): void => {
    new Gauge({
      name,
      help,
      registers,
      collect() {
        this.set(value())
      },
    })
  }
  counter('payments_journal_commits_total', 'Group commits flushed.', () => sources.journal().commits)
  counter('payments_journal_entries_total', 'Entries flushed.', () => sources.journal().entries)
  counter('payments_journal_bytes_total', 'Bytes appended.', () => sources.journal().bytes)
  gauge('payments_webhook_attempts_in_flight', 'Webhook requests under way.', sources.attemptsInFlight)
  gauge('payments_webhook_attempts_queued', 'Deliveries due and waiting.', sources.attemptsQueued)
  gauge('payments_outbox_lag_entries', 'Entries on disk and not published yet.', sources.outboxLag)
  if (sources.isPublishing() !== null)
    gauge('payments_event_stream_connected', 'Workers that can publish on NATS now.', () =>
      sources.isPublishing() ? 1 : 0,
    )
  if (sources.cluster !== undefined) {
    const { counters: cluster, shards } = sources.cluster
    counter(
      'payments_cluster_elsewhere_total',
      'Calls and requests for shards that another node owned.',
      () => cluster.elsewhere,
    )
    counter(
      'payments_cluster_repeats_total',
      'Times that one was asked again: its shard had moved, or a read got no answer.',
      () => cluster.repeats,
    )
    counter('payments_cluster_calls_total', 'Calls sent to other nodes.', () => cluster.calls)
    counter('payments_cluster_batches_total', 'Messages that they left in.', () => cluster.batches)
    counter(
      'payments_cluster_unanswered_total',
      'Calls of which nobody knows whether they were done.',
      () => cluster.unanswered,
    )
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
  return {
    registry,
    onAnswered: ({ route, status, durationMs }) =>
      requests.labels(route ?? 'none', String(status)).observe(durationMs / 1000),
    onAttempt: (outcome) => attempts.inc({ outcome }),
    onTimerPutAside: (due) => putAside.inc({ due }),
  }
}
