import { findNatsServer } from '../../gateway/local-cluster/nats-server.ts'
import { startNatsServers } from '../../test/nats/servers.ts'
import type { Cleanup } from '../cleanup.ts'

/** A stream that events go through. */
export type BenchStream = {
  readonly name: string
  /** Starts the servers that it needs; resolves to settings of the service. */
  readonly start: () => Promise<{
    readonly settings: Readonly<Record<string, string>>
    readonly stop: () => Promise<void>
  }>
}

/** In process, and JetStream where a nats-server is found: one server, which flushes before it acknowledges. */
export const benchStreams = (cleanup: Cleanup): readonly BenchStream[] => {
  const inProcess: BenchStream = {
    name: 'in process',
    start: async () => ({ settings: {}, stop: async () => undefined }),
  }
  if (findNatsServer() === null) {
    console.log('no nats-server of 2.12 or later is found: the stream in process alone')
    return [inProcess]
  }
  const nats: BenchStream = {
    name: 'NATS',
    start: async () => {
      const servers = await startNatsServers(1)
      return { settings: { NATS_URL: servers.url }, stop: cleanup.defer(servers.stop) }
    },
  }
  return [inProcess, nats]
}
