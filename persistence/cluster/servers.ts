import { connect, type NatsConnection, type ServerInfo } from '@nats-io/transport-node'
import { bounds } from '../base/bounds.ts'
import { connectionOptions, type NatsSettings } from '../nats/connection.ts'
import type { ClusterLog } from './log.ts'
import { ClusterRefusal } from './refusal.ts'

/** The parts of a server's greeting (`INFO`) that are checked. */
export type SeenServer = Pick<ServerInfo, 'server_id' | 'server_name' | 'version' | 'jetstream'>

/**
 * Why a server must not carry a cluster's logs; null if it may. Versions before 2.12 have lost acknowledged writes: 2.9
 * decides a compare-and-set before replicating it, and a paused server makes its logs go backwards.
 */
export const serverProblem = ({ server_name, version }: SeenServer): string | null => {
  const [, major, minor] = /^(\d+)\.(\d+)/.exec(version) ?? []
  const isSafe = Number(major) > 2 || (Number(major) === 2 && Number(minor) >= 12)
  return isSafe
    ? null
    : `NATS server ${server_name} has version ${version}, which may lose writes that it acknowledged: take 2.12 or newer, best the newest 2.x`
}

/**
 * Checks every reachable server. Throws `ClusterRefusal` when one is too old or none has JetStream. Servers that are
 * not reachable now are checked when the connection reaches them (`watchServers`).
 */
export const requireServers = async (options: {
  readonly connection: NatsConnection
  readonly nats: NatsSettings
  readonly replicas: number
  readonly allowsUnsafeServers: boolean
  readonly log: ClusterLog
}): Promise<readonly SeenServer[]> => {
  const { allowsUnsafeServers, log, replicas } = options
  const servers = await seenServers(options.connection, options.nats)
  for (const server of servers) {
    const problem = serverProblem(server)
    if (problem === null) continue
    if (!allowsUnsafeServers)
      throw new ClusterRefusal(`${problem}; CLUSTER_UNSAFE_NATS=true starts with it all the same`)
    log.warn({ server: server.server_name }, `${problem}; it is used because of CLUSTER_UNSAFE_NATS`)
  }
  const withJetStream = servers.filter(({ jetstream }) => jetstream).length
  if (withJetStream === 0)
    throw new ClusterRefusal(
      'JetStream is enabled on none of the NATS servers: add jetstream { store_dir: … } to their configuration',
    )
  if (withJetStream < replicas)
    log.warn({ withJetStream, replicas }, 'fewer NATS servers with JetStream are seen than CLUSTER_REPLICAS')
  return servers
}

/** Checks every server that the connection reaches later, and logs an error when one is too old. */
export const watchServers = async (connection: NatsConnection, log: ClusterLog): Promise<void> => {
  for await (const { type } of connection.status()) {
    if (type !== 'reconnect' || connection.info === undefined) continue
    const problem = serverProblem(connection.info)
    if (problem !== null) log.error({ server: connection.info.server_name }, problem)
  }
}

/** The connected server, and the responding ones that the settings or that server name. */
const seenServers = async (
  connection: NatsConnection,
  nats: NatsSettings,
): Promise<readonly SeenServer[]> => {
  const own = connection.info!
  const addresses = new Set([...nats.servers, ...(own.connect_urls ?? [])])
  const infos = await Promise.all([...addresses].map((address) => infoOf(address, nats)))
  const seen = [own, ...infos.filter((info) => info !== null)]
  return [...new Map(seen.map((info) => [info.server_id, info])).values()]
}

const infoOf = async (address: string, nats: NatsSettings): Promise<ServerInfo | null> => {
  try {
    const connection = await connect({
      ...connectionOptions({ ...nats, servers: [address] }, 'payments-survey'),
      timeout: bounds.natsTimeoutMs,
      reconnect: false,
      waitOnFirstConnect: false,
      ignoreClusterUpdates: true,
    })
    const { info } = connection
    await connection.close()
    return info ?? null
  } catch {
    return null
  }
}
