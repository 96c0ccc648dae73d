import { startNatsServers } from '../../test/nats/servers.ts'
import type { Cleanup } from '../cleanup.ts'

/** NATS servers that write to the disk before they acknowledge, and keep what they have from one start to the next. */
export type BenchServers = {
  /** For NATS_URL. */
  readonly url: string
  /** Each server's own. */
  readonly urls: readonly string[]
  /** Resolves when JetStream answers. */
  readonly start: () => Promise<void>
  readonly stop: () => Promise<void>
  /** The processes that run. */
  readonly pids: () => readonly number[]
}

/** NATS servers that do not run yet. What one sends another arrives `delayMs` later. */
export const openBenchServers = async (
  cleanup: Cleanup,
  size: number,
  delayMs = 0,
): Promise<BenchServers> => {
  const servers = await startNatsServers(
    size,
    delayMs === 0 ? {} : { advertises: false, routeDelayMs: delayMs },
  )
  cleanup.defer(servers.stop)
  const stop = async (): Promise<void> => {
    await Promise.all(servers.urls.map((_, n) => servers.kill(n, 'SIGTERM')))
  }
  await stop()
  return {
    url: servers.url,
    urls: servers.urls,
    start: async () => {
      await Promise.all(servers.urls.map((_, n) => servers.start(n)))
      await servers.ready()
    },
    stop,
    pids: servers.pids,
  }
}
