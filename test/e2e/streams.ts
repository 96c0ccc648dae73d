import type { Test } from 'tap'
import { startNatsServers } from '../nats/servers.ts'

/** The settings with which each event stream is used: in process, and JetStream on a nats-server of the test's own. */
export const streams: readonly (readonly [
  name: string,
  env: (t: Test) => Promise<Record<string, string>>,
])[] = [
  ['in process', async () => ({})],
  [
    'over JetStream',
    async (t) => {
      const servers = await startNatsServers(1)
      t.teardown(servers.stop)
      return { NATS_URL: servers.url }
    },
  ],
]
