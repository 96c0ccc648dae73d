import { DiscardPolicy, JetStreamApiError, RetentionPolicy, StorageType } from '@nats-io/jetstream'
import { type NatsConnection, nanos } from '@nats-io/transport-node'
import { bounds } from '../base/bounds.ts'
import { requireStream, type WantedStream } from '../nats/require-stream.ts'
import {
  directoryStream,
  directorySubject,
  sessionStream,
  sessionSubject,
  shardLogStream,
  shardLogSubject,
} from './names.ts'
import { ClusterRefusal } from './refusal.ts'

/** The streams that hold a cluster's logs. */
export type ClusterStreams = { readonly cluster: string; readonly replicas: number }

/**
 * Checks the directory's log, or creates it if missing. It is never shortened, because joining nodes read it from the
 * first record. Throws `StreamMismatch`, or `ClusterRefusal` when these servers can never keep it.
 */
export const requireDirectoryStream = (connection: NatsConnection, streams: ClusterStreams): Promise<void> =>
  requireLog(connection, {
    ...logConfig(streams),
    name: directoryStream(streams.cluster),
    subjects: [directorySubject(streams.cluster)],
    deny_purge: true,
  })

/** Checks or creates the stream of facts about signing in, which drops them after two days as worthless. */
export const requireSessionStream = (connection: NatsConnection, streams: ClusterStreams): Promise<void> =>
  requireLog(connection, {
    ...logConfig(streams),
    name: sessionStream(streams.cluster),
    subjects: [sessionSubject(streams.cluster)],
    max_age: nanos(bounds.sessionFactsKeptMs),
  })

/** Checks or creates the logs of all shards. */
export const requireShardStreams = async (
  connection: NatsConnection,
  streams: ClusterStreams,
  shards: number,
): Promise<void> => {
  const config = logConfig(streams)
  for (let first = 0; first < shards; first += atOnceMax) {
    const count = Math.min(atOnceMax, shards - first)
    await Promise.all(
      Array.from({ length: count }, (_, n) =>
        requireLog(connection, {
          ...config,
          name: shardLogStream(streams.cluster, first + n),
          subjects: [shardLogSubject(streams.cluster, first + n)],
        }),
      ),
    )
  }
}

/** Each new stream takes an election among the servers: a few at a time are quick, all at once would time out. */
const atOnceMax = 8

/**
 * A log drops nothing by age or count, and refuses new records when full. Repeats are recognised by the expected
 * sequence, so the message id window is as short as possible. Records are read only from the stream's leader, because
 * other replicas may be behind.
 */
const logConfig = ({ replicas }: ClusterStreams) =>
  ({
    retention: RetentionPolicy.Limits,
    storage: StorageType.File,
    num_replicas: replicas,
    discard: DiscardPolicy.New,
    max_age: 0,
    max_msgs: -1,
    max_bytes: -1,
    max_msg_size: recordBytesMax,
    deny_delete: true,
    allow_direct: false,
    duplicate_window: nanos(1000),
  }) satisfies Partial<WantedStream>

const recordBytesMax = 1024 * 1024

const requireLog = async (connection: NatsConnection, wanted: WantedStream): Promise<void> => {
  try {
    await requireStream(connection, wanted)
  } catch (error) {
    if (!(error instanceof JetStreamApiError)) throw error
    const count = wanted.num_replicas
    if (error.code === notClustered)
      throw new ClusterRefusal(
        `CLUSTER_REPLICAS=${count} needs ${count} NATS servers that form a cluster; ${connection.getServer()} is alone`,
      )
    if (error.code === noSuitablePeers)
      throw new Error(
        `CLUSTER_REPLICAS=${count} needs ${count} NATS servers with JetStream; fewer are there: ${error.message}`,
        { cause: error },
      )
    throw error
  }
}

/**
 * "replicas > 1 not supported in non-clustered mode" and "no suitable peers for placement" in the server's error list.
 */
const notClustered = 10074
const noSuitablePeers = 10005
