import type { ClusterLog } from '../../persistence/cluster/log.ts'
import type { NatsSettings } from '../../persistence/nats/connection.ts'

/** How a test is known to the nats-servers that it started: not at all. */
export const natsSettings = (url: string): NatsSettings => ({
  servers: url.split(','),
  user: null,
  password: null,
  credsFile: null,
  nkeyFile: null,
  tls: null,
})

/** A log that is looked at afterwards. */
export const keptLog = (): ClusterLog & { readonly lines: string[] } => {
  const lines: string[] = []
  const line = (level: string) => (_: object, message: string) => void lines.push(`${level}: ${message}`)
  return { lines, info: line('info'), warn: line('warn'), error: line('error') }
}
