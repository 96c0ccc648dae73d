// What operators see of a running service: the log, metrics for Prometheus, and traces.
import { Gauge, type Registry } from 'prom-client'
import type { ReplicaStatus } from '../link/cluster/control.ts'
import type { ClusterCounters } from '../link/cluster/counters.ts'
import { sampledCounter, sampledGauge } from './sampled.ts'

/** What a worker knows of its cluster. */
export type ClusterSources = {
  readonly counters: ClusterCounters
  readonly shards: () => readonly ReplicaStatus[]
  readonly clockAheadMs: () => number
  readonly unwrittenVersions: () => number
  readonly movedShards: () => number
}

/** Adds the metrics that only nodes of a cluster have. */
export const addClusterMetrics = (
  registers: Registry[],
  worker: number,
  { counters, shards, clockAheadMs, unwrittenVersions, movedShards }: ClusterSources,
): void => {
  // Every worker knows the same, and the values of workers are summed up.
  if (worker === 0) {
    sampledGauge(
      registers,
      'payments_cluster_clock_ahead_seconds',
      'How far the clock of this node is ahead of those of the other nodes and the NATS servers.',
      () => clockAheadMs() / 1000,
    )
    sampledGauge(
      registers,
      'payments_cluster_unwritten_versions',
      'How many versions of stored data this node reads that the cluster does not write until the upgrade is finished.',
      unwrittenVersions,
    )
    sampledGauge(
      registers,
      'payments_cluster_moved_shards',
      'Shards that were moved to another node because of their load, and stay there.',
      movedShards,
    )
  }
  for (const [name, help] of Object.entries(helpOfCounters))
    sampledCounter(
      registers,
      `payments_cluster_${name}_total`,
      help,
      () => counters[name as keyof ClusterCounters],
    )
  for (const [name, { help, value }] of Object.entries(byShard))
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

/** `payments_cluster_…_total`. */
const helpOfCounters: Readonly<Record<keyof ClusterCounters, string>> = {
  elsewhere: 'Calls and requests for shards that another node owned.',
  repeats: 'Times that one was asked again: its shard had moved, or a read got no answer.',
  calls: 'Calls sent to other nodes.',
  batches: 'Messages that they left in.',
  unanswered: 'Calls of which nobody knows whether they were done.',
}

type OfReplica = { readonly help: string; readonly value: (status: ReplicaStatus) => number }

const byShard: Readonly<Record<string, OfReplica>> = {
  payments_shard_owned: {
    help: 'Whether this node owns the shard, and may answer.',
    value: ({ mayServe }) => (mayServe ? 1 : 0),
  },
  payments_shard_epoch: { help: 'How often the shard has had a new owner.', value: ({ epoch }) => epoch },
  payments_shard_applied_records: {
    help: 'Records of its log on this disk.',
    value: ({ applied }) => applied,
  },
  payments_shard_kept_records: {
    help: 'Records of its log that this disk still has as such.',
    value: ({ kept }) => kept,
  },
  payments_shard_lag_records: { help: 'Records of its log that this node lacks.', value: ({ lag }) => lag },
  payments_cluster_shard_load: {
    help: 'Entries a second of a shard that this node owns, as the mean over some minutes; 0 for others.',
    value: ({ mayServe, load }) => (mayServe ? load : 0),
  },
  payments_shard_forked: {
    help: 'Whether the replica has stopped: its log is not the cluster’s.',
    value: ({ role }) => (role === 'FORKED' ? 1 : 0),
  },
}
