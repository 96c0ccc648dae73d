import type { Subscription } from '@nats-io/transport-node'
import { bounds } from '../base/bounds.ts'
import type { JournalMetrics } from '../journal/journal.ts'
import { holdNumber, isHeld, openCopyKeeper } from './copies.ts'
import { openCopySource } from './copy-source.ts'
import { fetchShardIfLacking } from './fetch-shard.ts'
import type { FetchedShard } from './fetched-shard.ts'
import { giveAll, handOver, type NodePosition, rebalance } from './handover.ts'
import { openLoadBalancer } from './load-balancer.ts'
import { openMemberLog } from './member-log.ts'
import { type Heartbeat, heartbeatFrom, type Node } from './membership.ts'
import { directoryStream, everyHeartbeat, heartbeatSubject, nodeOf, positionSubject } from './names.ts'
import {
  type ClusterMemberOptions,
  changeServer,
  heartbeatOf,
  newMember,
  type OpenMember,
  type Unfitness,
  unfitness,
} from './open-member.ts'
import type { Role } from './open-replica.ts'
import { hearOwners, knownOwner, sayOwned } from './owners.ts'
import { isSame } from './record.ts'
import type { ShardLog, ShardLogEvents } from './shard-log.ts'
import { openLogTrimmer } from './trim.ts'

/** One worker's part in the cluster: the replicas of its shards, and its view of the other nodes. */
export type ClusterMember = {
  /** Opens a shard's log in its folder, at the start and after a failure. */
  readonly openLog: (shard: number, path: string, metrics: JournalMetrics, events: ShardLogEvents) => ShardLog
  /** Fetches a shard from another node if this one lacks it; resolves when its log can be opened. */
  readonly fetchShard: (
    shard: number,
    path: string,
    isBehind: boolean,
    isStopped: () => boolean,
  ) => Promise<void>
  /** The living node that owns a shard and the worker hosting it; null if there is none. */
  readonly ownerOf: (shard: number) => ShardOwner | null
  /** Whether this node is to hold a copy of a shard. */
  readonly isHeld: (shard: number) => boolean
  readonly nodes: () => readonly Node[]
  /** Why this node owns no shards for now; null when it may. */
  readonly unfitness: () => Unfitness | null
  /** Milliseconds by which this node's clock is ahead of the others', and behind when negative. */
  readonly clockAheadMs: () => number
  readonly shards: () => readonly ShardStatus[]
  /** The shards that this node lacks and fetches from others. */
  readonly fetched: () => ReadonlyMap<number, FetchedShard>
  /** Gives a shard to a node. Resolves to the reason it failed, or null on success. */
  readonly handOver: (shard: number, node: string) => Promise<string | null>
  /**
   * Takes no more shards and gives its own away; with `forGood` also its copies. Resolves as `giveAll` does: at the latest after
   * `bounds.leaveMs`.
   */
  readonly drain: (forGood: boolean) => Promise<void>
  /** Gives all shards away because the node ends. Resolves as `drain` does. */
  readonly leave: () => Promise<void>
  readonly close: () => Promise<void>
}

type ShardOwner = { readonly node: string; readonly worker: number }

export type ShardStatus = {
  readonly shard: number
  readonly role: Role
  readonly epoch: number
  readonly owner: string | null
  /** The newest record on this node's disk. */
  readonly applied: number
  /** Records that this node lacks. */
  readonly lag: number
  /** Records of the log that were not dropped from this node's disk. */
  readonly kept: number
  readonly mayServe: boolean
  /** Entries a second. */
  readonly load: number
}

/** Starts this worker's part in the cluster: heartbeats, replicas and rebalancing. */
export const openClusterMember = async (options: ClusterMemberOptions): Promise<ClusterMember> =>
  startMember(await newMember(options))

/** Starts a member that has heard no other node yet. */
export const startMember = (member: OpenMember): ClusterMember => {
  const subscriptions = [hearHeartbeats(member), hearOwners(member), ...answerPositions(member)]
  const copies = openCopySource(member)
  const trimmer = openLogTrimmer(member)
  const keeper = openCopyKeeper(member)
  const balancer = openLoadBalancer(member)
  void refollowAll(member)
  const stopBeating = member.every(bounds.heartbeatMs, () => {
    beat(member)
    for (const [shard, replica] of member.replicas) trimmer.tick(shard, replica)
    keeper.tick()
    balancer.tick()
  })

  return {
    openLog: (shard, path, metrics, events) => {
      const log = openMemberLog(member, shard, path, metrics, events)
      copies.serve(shard, path)
      return log
    },
    fetchShard: (...about) => fetchShardIfLacking(member, ...about),
    ownerOf: (shard) => ownerOf(member, shard),
    isHeld: (shard) => isHeld(member, shard),
    nodes: member.membership.nodes,
    unfitness: () => unfitness(member),
    clockAheadMs: member.clocks.aheadMs,
    shards: () => statusOf(member),
    fetched: () => member.fetched,
    handOver: (shard, node) => handOver(member, shard, node),
    drain: (forGood) => {
      member.isDraining = true
      member.leavesForGood ||= forGood
      beat(member)
      return giveAll(member)
    },
    leave: () => {
      member.isLeaving = true
      beat(member)
      return giveAll(member)
    },
    close: async () => {
      stopBeating()
      for (const subscription of subscriptions) subscription.unsubscribe()
      await copies.close()
    },
  }
}

/** Several times a second: looks at the connection, the clock and the other nodes, and moves shards. */
const beat = (member: OpenMember): void => {
  const { membership, connection, cluster, self } = member
  membership.tick()
  member.link.beat()
  changeServerWhenStuck(member)
  askServersClock(member)
  reportClock(member)
  if (member.worker === 0)
    connection.publish(heartbeatSubject(cluster, self.node), JSON.stringify(heartbeatOf(member)))
  sayOwned(member)
  for (const replica of member.replicas.values()) replica.tick()
  void rebalance(member).catch((error) => member.log.warn({ err: error }, 'shards are not moved for now'))
}

/** Changes the server when an owner cannot renew its lease: the others hear its heartbeats and do not claim. */
const changeServerWhenStuck = (member: OpenMember): void => {
  const isStuck = [...member.replicas.values()].some((replica) => replica.isStuck())
  member.stuckBeats = isStuck ? member.stuckBeats + 1 : 0
  if (member.stuckBeats % beatsBetweenChanges === beatsBeforeChange)
    changeServer(member, 'this node cannot renew the lease of a shard')
}

/** Asks a log's leader for the time: a witness where nodes disagree. */
const askServersClock = (member: OpenMember): void => {
  const { manager, cluster, clocks, monotonicNow } = member
  if (monotonicNow() - member.askedClockAt < bounds.natsLookMs) return
  member.askedClockAt = monotonicNow()
  manager.streams.info(directoryStream(cluster)).then(
    ({ ts }) => ts !== undefined && clocks.hear('NATS', Date.parse(ts)),
    () => clocks.forget('NATS'),
  )
}

/** Logs once when this node's clock differs, and once when it is right again. */
const reportClock = (member: OpenMember): void => {
  const { log } = member
  const aheadMs = member.clocks.aheadMs()
  const offMs = Math.abs(aheadMs)
  const found = offMs > bounds.clockOffMsMax ? 'WRONG' : offMs > bounds.clockOffMsTold ? 'OFF' : 'RIGHT'
  if (found === member.reportedClock || member.worker !== 0) return
  member.reportedClock = found
  const differs = `the clock of this node is ${Math.round(offMs / 100) / 10} s ${aheadMs > 0 ? 'ahead of' : 'behind'} those of the other nodes and the NATS servers`
  if (found === 'WRONG') log.error({ aheadMs }, `${differs}: it owns no shards until the clock is right`)
  else if (found === 'OFF') log.warn({ aheadMs }, `${differs}: let NTP set it`)
  else log.info({ aheadMs }, 'the clock of this node is right again')
}

const hearHeartbeats = ({ connection, cluster, self, clocks, membership }: OpenMember): Subscription =>
  connection.subscribe(everyHeartbeat(cluster), {
    callback: (error, message) => {
      if (error !== null) return
      const node = nodeOf(cluster, message.subject)
      const heartbeat = heartbeatFrom(message.json<Heartbeat>())
      if (node !== self.node) clocks.hear(node, heartbeat.clockMs)
      membership.hear(node, heartbeat)
    },
  })

/** Answers other nodes that ask for this one's position in the log of a shard. */
const answerPositions = (member: OpenMember): readonly Subscription[] => {
  const { connection, cluster, self, replicas } = member
  const subscriptions: Subscription[] = []
  for (let shard = member.worker; shard < member.shards; shard += member.workers)
    subscriptions.push(
      connection.subscribe(positionSubject(cluster, shard), {
        callback: (error, message) => {
          const replica = replicas.get(shard)
          if (error !== null || replica === undefined) return
          const { applied, owner } = replica.position()
          const copies = replica.role() !== 'FORKED'
          const holds = holdNumber(member, shard)
          const moves = member.moves().number
          const position: NodePosition = { node: self.node, applied, copies, owner, holds, moves }
          message.respond(JSON.stringify(position))
        },
      }),
    )
  return subscriptions
}

const refollowAll = async ({ connection, membership, replicas }: OpenMember): Promise<void> => {
  for await (const { type } of connection.status()) {
    if (type !== 'reconnect') continue
    membership.resumed()
    for (const replica of replicas.values()) replica.refollow()
  }
}

const ownerOf = (member: OpenMember, shard: number): ShardOwner | null => {
  const { membership } = member
  const owner = knownOwner(member, shard)
  if (owner === null || !membership.isAlive(owner)) return null
  const { workers } = membership.node(owner.node)!
  return { node: owner.node, worker: shard % workers }
}

const statusOf = ({ replicas, self, loads }: OpenMember): readonly ShardStatus[] =>
  [...replicas].map(([shard, replica]) => {
    const { epoch, owner, applied } = replica.position()
    return {
      shard,
      role: replica.role(),
      epoch,
      owner: owner?.node ?? null,
      applied,
      lag: isSame(owner, self) ? 0 : replica.lag(),
      kept: applied - replica.base(),
      mayServe: replica.mayServe() || replica.isResting(),
      load: loads.get(shard)?.load() ?? 0,
    }
  })

/** Heartbeats before the first change of server, and between later ones: an election takes seconds. */
const beatsBeforeChange = 2
const beatsBetweenChanges = 16
