import type { NatsConnection } from '@nats-io/transport-node'
import { directoryStream, shardLogStream } from '../cluster/names.ts'
import { managerOf } from '../nats/manager.ts'
import type { LogEnds } from './backup.ts'

/**
 * Where a cluster's logs end according to the servers: everything acknowledged by now comes before. Rejects when
 * the servers are away.
 */
export const logEndsOf = async (
  connection: NatsConnection,
  cluster: string,
  shards: number,
): Promise<LogEnds> => {
  const manager = await managerOf(connection)
  const endOf = async (stream: string): Promise<number> => (await manager.streams.info(stream)).state.last_seq
  const [directory, ...ends] = await Promise.all(
    [
      directoryStream(cluster),
      ...Array.from({ length: shards }, (_, shard) => shardLogStream(cluster, shard)),
    ].map(endOf),
  )
  return { directory: directory!, shards: ends }
}
