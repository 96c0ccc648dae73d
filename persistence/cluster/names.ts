/**
 * Streams and subjects of a cluster, so that several clusters can share NATS servers. Cluster and node names are
 * `[a-z0-9-]{1,32}`, without dots or wildcards, so each is a single subject token.
 *
 * The streams are `PAY_LOG_<cluster>_<nn>` per shard, `PAY_DIRECTORY_<cluster>` and `PAY_SESSIONS_<cluster>`; all subjects begin with
 * `pay.cluster.<cluster>`.
 */
const clusterRoot = (cluster: string): string => `pay.cluster.${cluster}`

/** The replicated log of one shard. */
export const shardLogStream = (cluster: string, shard: number): string =>
  `PAY_LOG_${cluster}_${twoDigits(shard)}`
/** The subject of a shard's log. */
export const shardLogSubject = (cluster: string, shard: number): string =>
  `${clusterRoot(cluster)}.log.${twoDigits(shard)}`

/** The log of companies, keys and endpoints, and of facts about the cluster itself. */
export const directoryStream = (cluster: string): string => `PAY_DIRECTORY_${cluster}`
/** The subject of the directory's log. */
export const directorySubject = (cluster: string): string => `${clusterRoot(cluster)}.directory`

/** Facts about signing in; the stream keeps those of the last two days. */
export const sessionStream = (cluster: string): string => `PAY_SESSIONS_${cluster}`
/** The subject of facts about signing in. */
export const sessionSubject = (cluster: string): string => `${clusterRoot(cluster)}.sessions`

/** Where a node publishes its heartbeats. */
export const heartbeatSubject = (cluster: string, node: string): string =>
  `${clusterRoot(cluster)}.hb.${node}`
/** The heartbeats of all nodes. */
export const everyHeartbeat = (cluster: string): string => heartbeatSubject(cluster, '*')

/** Where nodes answer with their position in a shard's log. */
export const positionSubject = (cluster: string, shard: number): string =>
  `${clusterRoot(cluster)}.pos.${twoDigits(shard)}`

/** Where nodes report how far they have applied the directory. */
export const directoryPositionSubject = (cluster: string): string => `${clusterRoot(cluster)}.pos.directory`

/** Calls, and results of calls, for one worker of a node. */
export const callSubject = (cluster: string, node: string, worker: number): string =>
  `${clusterRoot(cluster)}.call.${node}.${worker}`

/**
 * Where a worker reports to all others that its connection was lost, and answers with it. It has as many tokens as
 * {@link callSubject}, whose permission covers it; no node name is in capitals.
 */
export const lostAnswersSubject = (cluster: string): string => `${clusterRoot(cluster)}.call.ALL.LOST`

/**
 * Where a node gives copies of a shard to nodes that lack it. It has as many tokens as {@link callSubject}, whose permission covers it; no
 * worker is called so.
 */
export const copySubject = (cluster: string, node: string, shard: number): string =>
  `${clusterRoot(cluster)}.call.${node}.COPY_${twoDigits(shard)}`

/**
 * Where owners say which shards they own, for nodes without a copy. It has as many tokens as {@link callSubject}, whose permission covers
 * it; no node name is in capitals.
 */
export const ownersSubject = (cluster: string): string => `${clusterRoot(cluster)}.call.ALL.OWNERS`

/** Operators' requests to one node, or to all at once: no node name is in capitals. */
export const controlSubject = (cluster: string, node: string): string => `${clusterRoot(cluster)}.ctl.${node}`
/** Operators' requests to all nodes. */
export const controlOfEveryNode = (cluster: string): string => controlSubject(cluster, 'ALL')

/** The node named in a heartbeat, call or control subject. */
export const nodeOf = (cluster: string, subject: string): string =>
  subject.slice(clusterRoot(cluster).length + 1).split('.')[1] ?? ''

const twoDigits = (shard: number): string => String(shard).padStart(2, '0')
