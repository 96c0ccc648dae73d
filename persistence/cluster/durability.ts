import { bounds } from '../base/bounds.ts'
import type { ClusterLog } from './log.ts'
import type { SeenServer } from './servers.ts'

/**
 * Logs whether acknowledged records survive a power loss of all NATS servers: only servers that write to disk before
 * acknowledging (`sync_interval: always`) guarantee it. Clients cannot see that; a server's monitoring page at
 * `monitorUrls` can (https://docs.nats.io/running-a-nats-service/nats_admin/monitoring, `/varz`).
 */
export const tellDurability = async (
  monitorUrls: readonly string[],
  seen: readonly SeenServer[],
  log: ClusterLog,
): Promise<void> => {
  if (monitorUrls.length === 0) {
    log.warn(
      {},
      'whether the logs survive a power loss of all NATS servers is not known: NATS_MONITOR_URLS would tell',
    )
    return
  }
  const servers = await Promise.all(monitorUrls.map(askMonitor))
  for (const { url, error } of servers)
    if (error !== null) log.warn({ url, err: error }, 'a monitoring address of NATS does not answer')
  const silent = seen.filter(
    ({ jetstream, server_name }) => jetstream && !servers.some(({ server }) => server === server_name),
  )
  for (const { server_name: server } of silent)
    log.warn(
      { server },
      `whether the logs of NATS server ${server} survive a power loss of all servers is not known: NATS_MONITOR_URLS does not name it`,
    )
  const lazy = servers.filter(({ error, syncsAlways }) => error === null && !syncsAlways)
  for (const { server, seconds } of lazy)
    log.warn(
      { server },
      `NATS server ${server} writes to its disk every ${seconds} s: when all servers lose power at once, logs lose so much, and nodes put it back from their own disks; sync_interval: always prevents it`,
    )
  if (servers.every(({ syncsAlways }) => syncsAlways) && silent.length === 0)
    log.info({ servers: servers.length }, 'the logs survive a power loss of all NATS servers')
}

type Monitored = {
  readonly url: string
  readonly server: string | null
  readonly syncsAlways: boolean
  readonly seconds: number
  readonly error: unknown
}

/** Durations are in nanoseconds; `sync_always` is absent when false. */
type Varz = {
  readonly server_name?: string
  readonly jetstream?: {
    readonly config?: { readonly sync_always?: boolean; readonly sync_interval?: number }
  }
}

const askMonitor = async (url: string): Promise<Monitored> => {
  try {
    const response = await fetch(new URL('/varz', url), { signal: AbortSignal.timeout(bounds.natsTimeoutMs) })
    const { server_name: server = null, jetstream } = (await response.json()) as Varz
    if (jetstream?.config === undefined) throw new Error('the server has no JetStream')
    const { sync_always: syncsAlways = false, sync_interval = 0 } = jetstream.config
    return { url, server, syncsAlways, seconds: sync_interval / 1e9, error: null }
  } catch (error) {
    return { url, server: null, syncsAlways: false, seconds: 0, error }
  }
}
