import { randomUUID } from 'node:crypto'
import { rmSync } from 'node:fs'
import { connect, type NatsConnection } from '@nats-io/transport-node'
import { bounds } from '../base/bounds.ts'
import { codecVersion, plainVersion, text } from '../codec/layout.ts'
import { Damaged } from '../disk/damage.ts'
import { hasEnvironment } from '../disk/environment.ts'
import { setAside } from '../disk/set-aside.ts'
import { type ClaimedDirectory, claimDataDirectory, type DataDirectory } from '../home/data-directory.ts'
import { clusterId, DataDirectoryRefusal } from '../home/manifest.ts'
import { makeMasterKey, masterKeyCheck, readMasterKey } from '../home/master-key.ts'
import type { DirectoryLog } from '../journal/directory-log.ts'
import { openJournal } from '../journal/journal.ts'
import type { SessionLog } from '../journal/session-log.ts'
import { connectionOptions, connectNats, type NatsSettings } from '../nats/connection.ts'
import { StreamMismatch } from '../nats/require-stream.ts'
import { openControlChannel } from './control-channel.ts'
import { openReplicatedDirectory } from './directory-log.ts'
import { type DirectoryRecord, readRecord } from './directory-record.ts'
import { tellDurability } from './durability.ts'
import { clusterFormat, findFormed, formCluster, requireFormed } from './formation.ts'
import type { ClusterLog } from './log.ts'
import { requireReadable } from './open-directory.ts'
import { ClusterRefusal } from './refusal.ts'
import { requireServers, watchServers } from './servers.ts'
import { openReplicatedSessions } from './session-log.ts'
import { requireDirectoryStream, requireSessionStream, requireShardStreams } from './streams.ts'

export type JoinOptions = {
  readonly cluster: string
  readonly node: string
  readonly replicas: number
  readonly leaseMs: number
  readonly allowsUnsafeServers: boolean
  readonly nats: NatsSettings
  readonly monitorUrls: readonly string[]
  readonly dataDir: string
  readonly masterKeyFile: string
  /** Null takes the number that the cluster was formed with. */
  readonly shards: number | null
  readonly log: ClusterLog
  /** The directory on this node's disk is not the cluster's, or the cluster writes a version that this node does not read. */
  readonly onFork: (error: ClusterRefusal) => void
}

/** The resources that a node of a cluster runs on. */
export type JoinedNode = {
  readonly connection: NatsConnection
  readonly data: DataDirectory
  readonly masterKey: Buffer
  readonly directory: DirectoryLog
  readonly sessions: SessionLog
  /** Whether this start formed the cluster. */
  readonly hasFormed: boolean
  readonly close: () => Promise<void>
}

/**
 * Joins this node to its cluster: checks servers and streams, forms or finds the cluster, and follows the directory
 * until this node knows what the others know. Waits while NATS is away. Throws `ClusterRefusal`, `StreamMismatch` or
 * `DataDirectoryRefusal` when waiting would not help.
 */
export const joinCluster = async (options: JoinOptions): Promise<JoinedNode> => {
  const { cluster, node, log, nats, replicas } = options
  const claimed = await claimDataDirectory(options.dataDir, { cluster, node })
  let connection: NatsConnection | null = null
  try {
    const connected = await patiently(log, () => connectedTo(nats, `payments-${cluster}-${node}`))
    connection = connected
    await requireNoTwin(connected, options)
    const servers = await patiently(log, () => requireServers({ ...options, connection: connected }))
    await patiently(log, () => requireDirectoryStream(connected, { cluster, replicas }))
    const { first, end, masterKey, hasFormed } = await firstRecord(connected, claimed, options)
    await patiently(log, () => requireReadable(connected, cluster, end))
    const checkKey = (id: string): string => masterKeyCheck(masterKey, id)
    const own = { cluster, shards: options.shards, masterKeyCheck: checkKey(clusterId(cluster)) }
    const { shards } = requireFormed(first, own)
    const data = await claimed.settle(shards, shards, checkKey)
    for (const path of data.fetched)
      log.warn({ path }, 'a log of this node was missing: it is fetched again from the cluster')
    await patiently(log, () => requireShardStreams(connected, { cluster, replicas }, shards))
    await patiently(log, () => requireSessionStream(connected, { cluster, replicas }))
    const directory = await openReplicatedDirectory({
      connection,
      cluster,
      node,
      leaseMs: options.leaseMs,
      openJournal: () => openTexts(claimed.directoryPath),
      setAside: () => setAside(claimed.directoryPath),
      newRecordId: randomUUID,
      log,
      onFork: options.onFork,
    })
    const sessions = await openReplicatedSessions({
      connection,
      cluster,
      realNow: Date.now,
      writtenVersion: directory.writtenVersion,
      log,
    })
    void watchServers(connection, log)
    void tellDurability(options.monitorUrls, servers, log)
    const close = async (): Promise<void> => {
      await sessions.close()
      await directory.close()
      await connected.close()
      await data.release()
    }
    return { connection, data, masterKey, directory, sessions, hasFormed, close }
  } catch (error) {
    await connection?.close()
    await claimed.release()
    throw error
  }
}

/**
 * Throws `ClusterRefusal` when a process runs under this node's name. If that process does not answer now, the two
 * meet later, and the one that has lived longer without a break stays (`membership.ts`).
 */
const requireNoTwin = async (connection: NatsConnection, { cluster, node }: JoinOptions): Promise<void> => {
  const twin = await openControlChannel(connection, cluster, node).askNode(
    node,
    { type: 'status' },
    bounds.twinAnswerMs,
  )
  if (twin !== null)
    throw new ClusterRefusal(
      `node ${node} of cluster ${cluster} is already running: every node needs a NODE_ID of its own`,
    )
}

type Begun = {
  readonly first: DirectoryRecord
  /** How many records are on disk. */
  readonly end: number
  readonly masterKey: Buffer
  readonly hasFormed: boolean
}

/** The cluster's first record (from disk, from the log, or made now) with this node's master key. */
const firstRecord = async (
  connection: NatsConnection,
  claimed: ClaimedDirectory,
  { cluster, node, shards, masterKeyFile, log }: JoinOptions,
): Promise<Begun> => {
  const noKey = (): ClusterRefusal =>
    new ClusterRefusal(
      `node ${node} has no master key, and cluster ${cluster} has one: copy master.key of another node to ${masterKeyFile}`,
    )
  const own = readMasterKey(masterKeyFile)
  const stored = await firstOnDisk(claimed.directoryPath)
  const end = stored?.end ?? 0
  const found = stored?.first ?? (await patiently(log, () => findFormed(connection, cluster)))
  if (found !== null) {
    if (own === null) throw noKey()
    return { first: found, end, masterKey: own, hasFormed: false }
  }
  const masterKey = own ?? makeMasterKey(masterKeyFile)
  const fact = {
    type: 'ClusterFormed',
    shards: shards ?? claimed.shards ?? bounds.clusterShards,
    masterKeyCheck: masterKeyCheck(masterKey, clusterId(cluster)),
    format: clusterFormat,
    version: codecVersion,
  } as const
  const record = { id: randomUUID(), node, fact }
  const first = await patiently(log, () => formCluster(connection, cluster, record))
  const hasFormed = first.id === record.id
  if (!hasFormed && own === null) {
    // Another node was first. The key just made has sealed nothing, and must not be taken for the cluster's.
    rmSync(masterKeyFile)
    throw noKey()
  }
  if (hasFormed)
    log.info(
      { cluster, shards: fact.shards, masterKeyFile },
      'the cluster is formed; every node needs this master key',
    )
  return { first, end, masterKey, hasFormed }
}

/** The first record on disk, and how many there are; null also for a damaged directory, which is then fetched again. */
const firstOnDisk = async (path: string): Promise<Pick<Begun, 'first' | 'end'> | null> => {
  if (!hasEnvironment(path)) return null
  try {
    const journal = openTexts(path)
    try {
      const end = journal.appended()
      return end === 0 ? null : { first: readRecord(journal.at(1)), end }
    } finally {
      await journal.close()
    }
  } catch (error) {
    if (error instanceof Damaged) return null
    throw error
  }
}

const openTexts = (path: string) =>
  openJournal<string>(path, text(), { commits: 0, entries: 0, bytes: 0 }, () => plainVersion)

/**
 * Tries every server once, to find out why none accepts this service. That connection forgets servers that did not
 * answer, so it is closed and another one is used.
 */
const connectedTo = async (nats: NatsSettings, name: string): Promise<NatsConnection> => {
  const attempt = await connect({ ...connectionOptions(nats, name), waitOnFirstConnect: false })
  await attempt.close()
  return connectNats(nats, name)
}

/** Retries work that can fail while servers start, elect a leader or are away. */
const patiently = async <Value>(log: ClusterLog, work: () => Promise<Value>): Promise<Value> => {
  let lastMessage = ''
  for (;;) {
    try {
      return await work()
    } catch (error) {
      if (refusals.some((refusal) => error instanceof refusal)) throw error
      const { message } = error as Error
      if (message !== lastMessage) log.warn({ err: error }, 'NATS cannot be used yet; this node waits')
      lastMessage = message
    }
    await new Promise((resolve) => setTimeout(resolve, bounds.natsRetryMs))
  }
}

const refusals = [ClusterRefusal, StreamMismatch, DataDirectoryRefusal]
