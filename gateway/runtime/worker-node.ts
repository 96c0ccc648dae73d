import { every } from '../../persistence/base/pulse.ts'
import { loadRuleOf } from '../../persistence/cluster/load-rule.ts'
import { type ClusterMember, openClusterMember } from '../../persistence/cluster/member.ts'
import { callSubject, lostAnswersSubject } from '../../persistence/cluster/names.ts'
import { codecVersion } from '../../persistence/codec/layout.ts'
import { connectNats } from '../../persistence/nats/connection.ts'
import type { ShardHost } from '../../persistence/shard/shard-host.ts'
import { doneAt } from '../../persistence/stream/stream.ts'
import { bounds } from '../base/bounds.ts'
import { delay } from '../base/delay.ts'
import type { ClusterSettings } from '../base/settings.ts'
import { version } from '../base/version.ts'
import type { ControlRequest } from '../link/cluster/control.ts'
import { type ClusterCounters, newClusterCounters } from '../link/cluster/counters.ts'
import { servingKnown } from '../link/cluster/known-calls.ts'
import { openNodeLinks } from '../link/cluster/node-links.ts'
import { openRemotes, type Remote } from '../link/cluster/remote.ts'
import type { Serve } from '../link/link.ts'
import type { WorkerBase } from './worker-base.ts'

/** A worker's part in its cluster: the logs of its shards, and the way to their owners. */
export type WorkerNode = Pick<
  ClusterMember,
  'openLog' | 'fetchShard' | 'isHeld' | 'shards' | 'leave' | 'clockAheadMs'
> & {
  readonly counters: ClusterCounters
  /** For a shard that this worker hosts: its owner on another node, or null if the replica here owns it and may answer. */
  readonly elsewhere: (shard: number) => Remote | null
  /** Whether a living node that is not this one owns the shard. */
  readonly isElsewhere: (shard: number) => boolean
  /** Whether this node lacks the shard since its start and fetches it from another one. */
  readonly isFetching: (shard: number) => boolean
  /** Whether NATS does not answer this node. */
  readonly isCutOff: () => boolean
  /** How many versions this build reads beyond the one that the cluster writes. */
  readonly unwrittenVersions: () => number
  /** How many shards are owned by other nodes than they would be, because of their load. */
  readonly movedShards: () => number
  /** This worker's share of what operators ask of its node. */
  readonly control: (request: ControlRequest) => Promise<unknown>
  /** Has this node hold all its shards, for a backup, and resolves when it does; or only those that it should. */
  readonly gather: (isOn: boolean) => Promise<void>
  readonly close: () => Promise<void>
}

/** Joins the cluster as one worker of this node: opens its links to other nodes and its membership. */
export const openWorkerNode = async (
  { start, directory, log, sharedLog, send, entryLayout }: WorkerBase,
  {
    name: cluster,
    node,
    zone,
    leaseMs,
    replicas,
    copies,
    goneMs,
    balanceMs,
    logRecords,
    logMs,
  }: ClusterSettings,
  hosts: ReadonlyMap<number, ShardHost>,
  serve: Serve,
): Promise<WorkerNode> => {
  const connection = await connectNats(
    start.settings.nats!,
    `payments-node-${start.index}`,
    new AbortController().signal,
    ({ message }) => sharedLog.warn(`this node cannot join its cluster yet: ${message}`),
  )
  const self = { node, worker: start.index }
  /** Shards of which this node gets a copy while it serves. */
  const moving = new Set<number>()
  let isGathering = false
  const counters = newClusterCounters()

  const links = openNodeLinks({
    bus: connection,
    self,
    subjectOf: (place) => callSubject(cluster, place.node, place.worker),
    lostSubject: lostAnswersSubject(cluster),
    serve: servingKnown(serve),
    wait: delay,
    writtenVersion: () => directory.writtenVersion,
    counters,
    onTrouble: (message, error) => log.warn({ err: error }, message),
  })
  const member = await openClusterMember({
    connection,
    cluster,
    leaseMs,
    self: { node, incarnation: start.incarnation },
    version,
    worker: start.index,
    workers: start.workers,
    shards: start.shards,
    pins: () => directory.pins,
    giveAway: (shard, to) => hosts.get(shard)!.handOver(to),
    progress: (shard) => hosts.get(shard)?.progress() ?? doneAt(0),
    // What the servers drop was on a quorum of them: it is on as many nodes, and never on one alone.
    logKept: {
      records: logRecords,
      ms: logMs,
      nodesMin: Math.max(2, Math.floor(replicas / 2) + 1),
      lookMs: bounds.trimLookMs,
    },
    copiesRule: { copies, goneMs, stableMs: bounds.copiesStableMs, lookMs: bounds.copiesLookMs },
    loadRule: loadRuleOf(balanceMs),
    moves: () => directory.moves,
    move: (shard, number, node) => send({ type: 'balanced', shard, number, node }),
    zone,
    copies: (shard) => directory.copies.get(shard) ?? null,
    place: (shard, number, nodes) => send({ type: 'placed', shard, number, nodes }),
    hold: (shard) => {
      const host = hosts.get(shard)
      if (host?.state() === 'ELSEWHERE') moving.add(shard)
      host?.hold()
    },
    leave: async (shard) => hosts.get(shard)?.leave(),
    isGathering: () => isGathering,
    onDied: links.nodeDied,
    onTwin: (message) =>
      send({ type: 'failed', message: `${message}: every node needs a NODE_ID of its own` }),
    wallNow: Date.now,
    monotonicNow: () => performance.now(),
    pause: delay,
    every,
    layout: entryLayout,
    writtenVersion: () => directory.writtenVersion,
    log,
  })
  const isCutOff = (): boolean => member.unfitness() === 'CUT_OFF'
  const remoteOf = openRemotes({
    self,
    ownerOf: member.ownerOf,
    isCutOff,
    call: links.call,
    here: serve,
    stopwatch: () => performance.now(),
    wait: delay,
    counters,
  })

  return {
    ...member,
    openLog: (shard, ...about) => {
      moving.delete(shard)
      return member.openLog(shard, ...about)
    },
    counters,
    isElsewhere: (shard) => {
      const owner = member.ownerOf(shard)
      return owner !== null && owner.node !== node
    },
    isFetching: (shard) => member.fetched().has(shard) && !moving.has(shard),
    isCutOff,
    unwrittenVersions: () => codecVersion - directory.writtenVersion,
    movedShards: () => directory.moves.nodes.size,
    // An unconfirmed owner is waited for like a remote one: during a handover, or while there is no quorum.
    elsewhere: (shard) => (hosts.get(shard)?.mayAnswer() ? null : remoteOf(shard)),
    control: (request) => control(member, hosts, request),
    gather: async (isOn) => {
      isGathering = isOn
      while (isGathering && [...hosts.values()].some((host) => host.replica() === null))
        await delay(bounds.gatherLookMs)
    },
    close: async () => {
      links.close()
      await member.close()
      // Without NATS there is no peer left to say goodbye to.
      await connection.drain().catch(() => connection.close())
    },
  }
}

const control = async (
  member: ClusterMember,
  hosts: ReadonlyMap<number, ShardHost>,
  request: ControlRequest,
): Promise<unknown> => {
  switch (request.type) {
    case 'status':
      return {
        shards: member.shards(),
        nodes: member.nodes(),
        clockAheadMs: member.clockAheadMs(),
        joining: [...member.fetched().keys()],
      }
    case 'drain':
      return member.drain(request.forGood)
    case 'handOver':
      return hosts.has(request.shard) ? { problem: await member.handOver(request.shard, request.node) } : null
  }
}
