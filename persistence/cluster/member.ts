import { jetstream } from '@nats-io/jetstream'
import type { NatsConnection, Subscription } from '@nats-io/transport-node'
import { delay } from '../base/delay.ts'
import { limits } from '../base/limits.ts'
import type { JournalMetrics } from '../journal/journal.ts'
import { openLinkWatch } from '../nats/link-watch.ts'
import { managerOf } from '../nats/manager.ts'
import { openClockWatch } from './clock-watch.ts'
import type { ClusterLog } from './log.ts'
import { openLogStream } from './log-stream.ts'
import { type Heartbeat, type Membership, type Node, openMembership } from './membership.ts'
import {
  directoryStream,
  everyHeartbeat,
  heartbeatSubject,
  nodeOf,
  positionSubject,
  shardLogStream,
  shardLogSubject,
} from './names.ts'
import { placement, ranked } from './placement.ts'
import { isSame, type Member } from './record.ts'
import type { Replica, Role } from './replica.ts'
import { openReplicatedLog } from './replicated-log.ts'
import type { ShardLog, ShardLogEvents } from './shard-log.ts'

/** One worker's part in the cluster: the replicas of its shards, and its view of the other nodes. */
export type ClusterMember = {
  /** Opens a shard's log in its folder, at the start and after a failure. */
  readonly openLog: (shard: number, path: string, metrics: JournalMetrics, events: ShardLogEvents) => ShardLog
  /** The living node that owns a shard and the worker hosting it; null if there is none. */
  readonly ownerOf: (shard: number) => { readonly node: string; readonly worker: number } | null
  readonly nodes: () => readonly Node[]
  /** Why this node owns no shards for now; null when it may. */
  readonly unfitness: () => Unfitness | null
  /** Milliseconds by which this node's clock is ahead of the others', and behind when negative. */
  readonly clockAheadMs: () => number
  readonly shards: () => readonly ShardStatus[]
  /** Gives a shard to a node. Resolves to the reason it failed, or null on success. */
  readonly handOver: (shard: number, node: string) => Promise<string | null>
  /** Takes no more shards and gives its own away. Resolves when it owns none, or there is no node to take them. */
  readonly drain: () => Promise<void>
  /** The same, because the node ends. */
  readonly leave: () => Promise<void>
  readonly close: () => Promise<void>
}

export type ShardStatus = {
  readonly shard: number
  readonly role: Role
  readonly epoch: number
  readonly owner: string | null
  /** The newest record on this node's disk. */
  readonly applied: number
  /** Records that this node lacks. */
  readonly lag: number
  readonly mayServe: boolean
}

/** CUT_OFF: NATS does not answer. UNSTABLE: it did not a moment ago. CLOCK: the clock is too far off. */
export type Unfitness = 'CUT_OFF' | 'UNSTABLE' | 'CLOCK'

export type ClusterMemberOptions = {
  readonly connection: NatsConnection
  readonly cluster: string
  readonly leaseMs: number
  readonly self: Member
  readonly version: string
  readonly worker: number
  readonly workers: number
  readonly shards: number
  /** The nodes that operators pinned shards to. */
  readonly pins: () => ReadonlyMap<number, string>
  /** Gives a shard away once nothing of it is in flight. */
  readonly giveAway: (shard: number, to: Member) => Promise<boolean>
  readonly publishedSequence: (shard: number) => number
  readonly onDied: (node: string) => void
  /** Another process runs under this node's name, so this one must end. */
  readonly onTwin: (message: string) => void
  readonly wallNow: () => number
  readonly log: ClusterLog
}

/** Starts this worker's part in the cluster: heartbeats, replicas and rebalancing. */
export const openClusterMember = async (options: ClusterMemberOptions): Promise<ClusterMember> => {
  const { connection, cluster, leaseMs, self, shards, log, pins } = options
  const now = (): number => performance.now()
  const client = jetstream(connection, { timeout: limits.natsTimeoutMs })
  const manager = await managerOf(connection)
  const replicas = new Map<number, Replica>()
  const subscriptions: Subscription[] = []
  let lostAt = Number.NEGATIVE_INFINITY
  let askedClockAt = Number.NEGATIVE_INFINITY
  let isLeaving = false
  let isDraining = false
  let diedAt = Number.NEGATIVE_INFINITY
  let handedAt = Number.NEGATIVE_INFINITY
  let isHanding = false

  const deadMs = (leaseMs * 3) / 4
  const clocks = openClockWatch(options.wallNow)
  const link = openLinkWatch({
    ask: () => connection.flush(),
    received: () => connection.stats().inMsgs,
    beatsMax: Math.ceil(deadMs / 2 / limits.heartbeatMs),
    onLost: () => changeServer('NATS gives this node no answer'),
  })
  /** The server here hears or speaks no more, or does not reach the leader of a log. Another one may. */
  function changeServer(why: string): void {
    log.warn({ forMs: limits.stableNodeMs }, `${why}: it changes the server, and takes no shards for a while`)
    lostAt = now()
    void connection.reconnect().catch(() => undefined)
  }

  let stuckBeats = 0
  /** An owner that cannot renew its lease is in the way of the others, who hear that it is alive. */
  const leaveServerWhenStuck = (): void => {
    const isStuck = [...replicas.values()].some(
      (replica) => replica.role() === 'OWNER' && !replica.mayServe() && !replica.isResting(),
    )
    stuckBeats = isStuck ? stuckBeats + 1 : 0
    if (stuckBeats % beatsBetweenChanges === beatsBeforeChange)
      changeServer('this node cannot renew the lease of a shard')
  }

  const unfitness = (): Unfitness | null => {
    if (link.isLost()) return 'CUT_OFF'
    if (now() - lostAt < limits.stableNodeMs) return 'UNSTABLE'
    return Math.abs(clocks.aheadMs()) > limits.clockOffMsMax ? 'CLOCK' : null
  }
  const say = (): Heartbeat => ({
    incarnation: self.incarnation,
    workers: options.workers,
    version: options.version,
    isLeaving,
    isDraining,
    isUnfit: unfitness() !== null,
    upMs: now() - membership.resumedAt(),
    clockMs: options.wallNow(),
  })
  const membership: Membership = openMembership({
    self,
    say,
    now,
    heartbeatMs: limits.heartbeatMs,
    deadMs,
    onDied: (node) => {
      diedAt = now()
      if (options.worker === 0) log.warn({ node }, 'a node is not heard any more')
      clocks.forget(node)
      options.onDied(node)
    },
    onTwin: (incarnation, hasToEnd) => {
      if (hasToEnd === 'THIS')
        options.onTwin(`another process has run as node ${self.node} for longer (${incarnation})`)
    },
    onResumed: clocks.resumed,
  })

  /** Nodes that may own shards; where none is fit, any that stays. */
  const takers = (): readonly string[] => {
    const staying = membership.nodes().filter((node) => !node.isLeaving && !node.isDraining)
    const fit = staying.filter((node) => !node.isUnfit)
    return (fit.length > 0 ? fit : staying).map(({ node }) => node)
  }

  let placed: { readonly for: string; readonly nodes: readonly (string | null)[] } = { for: '', nodes: [] }
  const preferred = (shard: number): string | null => {
    const nodes = takers()
    const key = JSON.stringify([nodes, ...pins()])
    if (placed.for !== key) placed = { for: key, nodes: placement(shards, nodes, pins()) }
    return placed.nodes[shard] ?? null
  }

  const rankOf = (shard: number): number | null => {
    const nodes = takers()
    if (nodes.length === 0) return 0
    if (!nodes.includes(self.node)) return null
    const first = preferred(shard)
    return [first, ...ranked(shard, nodes).filter((node) => node !== first)].indexOf(self.node)
  }

  const positionsOf = async (shard: number): Promise<readonly Position[]> => {
    const answers = await connection.requestMany(positionSubject(cluster, shard), '', {
      strategy: 'timer',
      maxWait: limits.positionsWaitMs,
    })
    const positions: Position[] = []
    for await (const answer of answers) positions.push(answer.json<Position>())
    return positions.filter(({ node }) => node !== self.node)
  }

  const openLog: ClusterMember['openLog'] = (shard, path, metrics, events) => {
    const names = { stream: shardLogStream(cluster, shard), subject: shardLogSubject(cluster, shard) }
    const trouble = (message: string, error: unknown): void => log.warn({ shard, err: error }, message)
    let since = now()
    const opened = openReplicatedLog(
      {
        path,
        metrics,
        self,
        leaseMs,
        now,
        pause: delay,
        stream: openLogStream(client, manager, names, (error) =>
          trouble('the log of a shard is not followed for now', error),
        ),
        publishedSequence: () => options.publishedSequence(shard),
        isFit: membership.isFit,
        resumedAt: membership.resumedAt,
        rank: () => rankOf(shard),
        positions: async () => (await positionsOf(shard)).map(({ applied }) => applied),
        on: {
          owner: ({ epoch, reason }) => {
            log.info({ shard, epoch, reason, afterMs: Math.round(now() - since) }, 'this node owns the shard')
            since = now()
          },
          lost: (reason) => {
            log.info(
              { shard, reason, afterMs: Math.round(now() - since) },
              'this node owns the shard no more',
            )
            since = now()
          },
          forked: (reason) =>
            log.error(
              { shard, reason },
              'the log is not the one that this node has on disk: its replica stops',
            ),
          trouble,
        },
      },
      events,
    )
    replicas.set(shard, opened.replica!)
    return opened
  }

  const ownerOf: ClusterMember['ownerOf'] = (shard) => {
    const owner = replicas.get(shard)?.position().owner ?? null
    if (owner === null || !membership.isAlive(owner)) return null
    const { workers } = membership.node(owner.node)!
    return { node: owner.node, worker: shard % workers }
  }

  const owned = (): readonly number[] =>
    [...replicas].filter(([, replica]) => replica.role() === 'OWNER').map(([shard]) => shard)

  /** Moves one shard at a time to its preferred node. */
  const rebalance = async (): Promise<void> => {
    if (isHanding || now() - handedAt < limits.betweenHandoversMs) return
    const why = unfitness()
    // Nothing can be given away then, or it would come back in a moment.
    if (why === 'CUT_OFF' || why === 'UNSTABLE') return
    const mustGive = isLeaving || isDraining || why === 'CLOCK'
    if (!mustGive && now() - diedAt < limits.restAfterDeathMs) return
    for (const shard of owned()) {
      const node = preferred(shard)
      if (node === null || node === self.node || !isStable(node, mustGive)) continue
      const problem = await handOver(shard, node)
      if (problem === null) return
      if (mustGive) log.warn({ shard, node, problem }, 'the shard is not given away yet')
    }
  }

  const isStable = (name: string, mustGive: boolean): boolean => {
    const node = membership.node(name)
    return node !== null && (mustGive || now() - node.since >= limits.stableNodeMs)
  }

  const handOver = async (shard: number, name: string): Promise<string | null> => {
    const replica = replicas.get(shard)
    const node = membership.node(name)
    if (replica?.role() !== 'OWNER') return 'this node does not own the shard'
    if (node === null) return `${name} is not alive`
    if (name === self.node) return null
    if (isHanding) return 'another shard is being given away'
    isHanding = true
    try {
      const position = (await positionsOf(shard)).find((answer) => answer.node === name)
      if (position === undefined) return `${name} does not answer`
      const lag = replica.position().applied - position.applied
      if (lag > limits.handoverLagMax) return `${name} lacks ${lag} records`
      const given = await options.giveAway(shard, { node: name, incarnation: node.incarnation })
      return given ? null : 'the log did not take it'
    } finally {
      isHanding = false
      handedAt = now()
    }
  }

  /** The leader of any log says what time it is: a witness where nodes disagree. */
  const askServersClock = (): void => {
    if (now() - askedClockAt < limits.natsLookMs) return
    askedClockAt = now()
    manager.streams.info(directoryStream(cluster)).then(
      ({ ts }) => ts !== undefined && clocks.hear('NATS', Date.parse(ts)),
      () => clocks.forget('NATS'),
    )
  }

  let toldClock: 'RIGHT' | 'OFF' | 'WRONG' = 'RIGHT'
  const tellClock = (): void => {
    const aheadMs = clocks.aheadMs()
    const offMs = Math.abs(aheadMs)
    const found = offMs > limits.clockOffMsMax ? 'WRONG' : offMs > limits.clockOffMsTold ? 'OFF' : 'RIGHT'
    if (found === toldClock || options.worker !== 0) return
    toldClock = found
    const differs = `the clock of this node is ${Math.round(offMs / 100) / 10} s ${aheadMs > 0 ? 'ahead of' : 'behind'} those of the other nodes and the NATS servers`
    if (found === 'WRONG') log.error({ aheadMs }, `${differs}: it owns no shards until the clock is right`)
    else if (found === 'OFF') log.warn({ aheadMs }, `${differs}: let NTP set it`)
    else log.info({ aheadMs }, 'the clock of this node is right again')
  }

  const beat = (): void => {
    membership.tick()
    link.beat()
    leaveServerWhenStuck()
    askServersClock()
    tellClock()
    if (options.worker === 0) connection.publish(heartbeatSubject(cluster, self.node), JSON.stringify(say()))
    for (const replica of replicas.values()) replica.tick()
    void rebalance().catch((error) => log.warn({ err: error }, 'shards are not moved for now'))
  }

  subscriptions.push(
    connection.subscribe(everyHeartbeat(cluster), {
      callback: (error, message) => {
        if (error !== null) return
        const node = nodeOf(cluster, message.subject)
        const heartbeat = message.json<Heartbeat>()
        if (node !== self.node) clocks.hear(node, heartbeat.clockMs)
        membership.hear(node, heartbeat)
      },
    }),
  )
  for (let shard = options.worker; shard < shards; shard += options.workers)
    subscriptions.push(
      connection.subscribe(positionSubject(cluster, shard), {
        callback: (error, message) => {
          const replica = replicas.get(shard)
          if (error !== null || replica === undefined) return
          const position: Position = { node: self.node, applied: replica.position().applied }
          message.respond(JSON.stringify(position))
        },
      }),
    )
  void (async () => {
    for await (const { type } of connection.status()) {
      if (type !== 'reconnect') continue
      membership.resumed()
      for (const replica of replicas.values()) replica.refollow()
    }
  })()
  const beating = setInterval(beat, limits.heartbeatMs)

  return {
    openLog,
    ownerOf,
    nodes: membership.nodes,
    unfitness,
    clockAheadMs: clocks.aheadMs,
    shards: () =>
      [...replicas].map(([shard, replica]) => {
        const { epoch, owner, applied } = replica.position()
        return {
          shard,
          role: replica.role(),
          epoch,
          owner: owner?.node ?? null,
          applied,
          lag: isSame(owner, self) ? 0 : replica.lag(),
          mayServe: replica.mayServe() || replica.isResting(),
        }
      }),
    handOver,
    drain: () => {
      isDraining = true
      return giveAll()
    },
    leave: () => {
      isLeaving = true
      return giveAll()
    },
    close: async () => {
      clearInterval(beating)
      for (const subscription of subscriptions) subscription.unsubscribe()
    },
  }

  async function giveAll(): Promise<void> {
    beat()
    const end = delay(limits.leaveMs).then(() => 'over')
    // A handover under way is waited for, whichever caller started it.
    while (isHanding || (owned().length > 0 && takers().length > 0)) {
      handedAt = Number.NEGATIVE_INFINITY
      const given = Promise.all([rebalance(), delay(limits.leavePauseMs)])
      if ((await Promise.race([given, end])) === 'over') return
    }
  }
}

/** After so many beats a server is changed for the first time, and how many later again: an election takes seconds. */
const beatsBeforeChange = 2
const beatsBetweenChanges = 16

type Position = { readonly node: string; readonly applied: number }
