/**
 * Streams and subjects of a cluster, so that several can share the same NATS servers. Names of clusters and of nodes are
 * `[a-z0-9-]{1,32}`: no dot, no wildcard, so each is one token of a subject.
 *
 * The streams are `PAY_LOG_<cluster>_<nn>` for each shard and `PAY_DIRECTORY_<cluster>`; all subjects begin with
 * `pay.cluster.<cluster>`.
 */
export const clusterRoot = (cluster: string): string => `pay.cluster.${cluster}`

/** The replicated log of one shard. */
export const shardLogStream = (cluster: string, shard: number): string =>
  `PAY_LOG_${cluster}_${twoDigits(shard)}`
export const shardLogSubject = (cluster: string, shard: number): string =>
  `${clusterRoot(cluster)}.log.${twoDigits(shard)}`

/** The log of companies, keys and endpoints, and of what concerns the cluster itself. */
export const directoryStream = (cluster: string): string => `PAY_DIRECTORY_${cluster}`
export const directorySubject = (cluster: string): string => `${clusterRoot(cluster)}.directory`

/** Where a node says that it lives. */
export const heartbeatSubject = (cluster: string, node: string): string =>
  `${clusterRoot(cluster)}.hb.${node}`
export const everyHeartbeat = (cluster: string): string => heartbeatSubject(cluster, '*')

/** Where nodes are asked how far they have come in the log of a shard. */
export const positionSubject = (cluster: string, shard: number): string =>
  `${clusterRoot(cluster)}.pos.${twoDigits(shard)}`

/** Calls, and results of calls, for one worker of a node. */
export const callSubject = (cluster: string, node: string, worker: number): string =>
  `${clusterRoot(cluster)}.call.${node}.${worker}`

/** Where a worker says that its connection was lost, and answers with it: no node can have a name in capitals. */
export const lostAnswersSubject = (cluster: string): string => `${clusterRoot(cluster)}.call.LOST`

/** What operators ask of one node, and of all at once: no node can have a name in capitals. */
export const controlSubject = (cluster: string, node: string): string => `${clusterRoot(cluster)}.ctl.${node}`
export const controlOfEveryNode = (cluster: string): string => controlSubject(cluster, 'ALL')

/** The node that a heartbeat, call or control subject names. */
export const nodeOf = (cluster: string, subject: string): string =>
  subject.slice(clusterRoot(cluster).length + 1).split('.')[1] ?? ''

const twoDigits = (shard: number): string => String(shard).padStart(2, '0')
