import { jetstream } from '@nats-io/jetstream'
import type { NatsConnection } from '@nats-io/transport-node'
import type { ClusterFormed } from '../../engine/companies/directory.ts'
import { bounds } from '../base/bounds.ts'
import { managerOf } from '../nats/manager.ts'
import { type DirectoryRecord, readRecord, recordText } from './directory-record.ts'
import { directoryStream, directorySubject } from './names.ts'
import { ClusterRefusal } from './refusal.ts'

/** The record format of a cluster's logs. A cluster with another format is refused; 1 was never released. */
export const clusterFormat = 2

/** The fact that formed the cluster; null when it is not formed yet. */
export const findFormed = async (
  connection: NatsConnection,
  cluster: string,
): Promise<DirectoryRecord | null> => {
  const manager = await managerOf(connection)
  const stored = await manager.streams.getMessage(directoryStream(cluster), { seq: 1 })
  return stored === null ? null : readRecord(stored.string())
}

/**
 * Forms the cluster if its directory log is empty. If several nodes try, one wins. Returns the first record,
 * which may be that of another node.
 */
export const formCluster = async (
  connection: NatsConnection,
  cluster: string,
  record: Pick<DirectoryRecord, 'id' | 'node'> & { readonly fact: ClusterFormed },
): Promise<DirectoryRecord> => {
  let trouble: unknown
  await jetstream(connection, { timeout: bounds.natsTimeoutMs })
    .publish(directorySubject(cluster), recordText(record, null), { expect: { lastSequence: 0 }, retries: 0 })
    // Another node was first, or the answer was lost: the log tells.
    .catch((error: unknown) => {
      trouble = error
    })
  const first = await findFormed(connection, cluster)
  if (first === null) throw trouble
  return first
}

/** The fact that formed the cluster. Throws `ClusterRefusal` if this node cannot be part of it. */
export const requireFormed = (
  { fact }: DirectoryRecord,
  own: { readonly cluster: string; readonly shards: number | null; readonly masterKeyCheck: string },
): ClusterFormed => {
  if (fact.type !== 'ClusterFormed')
    throw new ClusterRefusal(`the log of the directory of cluster ${own.cluster} does not begin as it should`)
  if (fact.format > clusterFormat)
    throw new ClusterRefusal(
      `cluster ${own.cluster} has format ${fact.format}; this version knows ${clusterFormat}: start a newer version of the service`,
    )
  if (fact.format < clusterFormat)
    throw new ClusterRefusal(
      `cluster ${own.cluster} has format ${fact.format}, from before the first release, and this version knows ${clusterFormat}: begin a cluster under another name, with new data directories`,
    )
  if (own.shards !== null && own.shards !== fact.shards)
    throw new ClusterRefusal(
      `cluster ${own.cluster} was formed with SHARDS=${fact.shards}; a start with SHARDS=${own.shards} would lose accounts: leave SHARDS out`,
    )
  if (own.masterKeyCheck !== fact.masterKeyCheck)
    throw new ClusterRefusal(
      `the master key of this node is not the one of cluster ${own.cluster}: copy master.key of another node`,
    )
  return fact
}
