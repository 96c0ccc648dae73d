import { readFileSync } from 'node:fs'
import {
  type Authenticator,
  type ConnectionOptions,
  connect,
  credsAuthenticator,
  type NatsConnection,
  nkeyAuthenticator,
} from '@nats-io/transport-node'

/** Where NATS is, and how this service is known to it. */
export type NatsSettings = {
  /** `nats://` or `tls://` addresses of any of its servers. */
  readonly servers: readonly string[]
  readonly user: string | null
  readonly password: string | null
  readonly credsFile: string | null
  readonly nkeyFile: string | null
  readonly tls: {
    readonly caFile: string | null
    readonly certFile: string | null
    readonly keyFile: string | null
  } | null
}

/**
 * Connects now or, while no server answers, as soon as one does; afterwards it reconnects without end. The client's
 * defaults are for chat: a server that hangs would be noticed after minutes, and ten failures would end the connection.
 */
export const connectNats = (settings: NatsSettings, name: string): Promise<NatsConnection> =>
  connect(connectionOptions(settings, name))

export const connectionOptions = (settings: NatsSettings, name: string): ConnectionOptions => {
  const { user, password, tls } = settings
  const authenticators = authenticatorsOf(settings)
  return {
    name,
    servers: [...settings.servers],
    timeout: 1500,
    pingInterval: 1500,
    maxPingOut: 2,
    maxReconnectAttempts: -1,
    reconnectTimeWait: 150,
    reconnectJitter: 50,
    waitOnFirstConnect: true,
    inboxPrefix: '_INBOX.pay',
    ...(user !== null && { user }),
    ...(password !== null && { pass: password }),
    ...(authenticators.length > 0 && { authenticator: authenticators }),
    ...(tls !== null && {
      tls: {
        ...(tls.caFile !== null && { caFile: tls.caFile }),
        ...(tls.certFile !== null && { certFile: tls.certFile }),
        ...(tls.keyFile !== null && { keyFile: tls.keyFile }),
      },
    }),
  }
}

const authenticatorsOf = ({ credsFile, nkeyFile }: NatsSettings): Authenticator[] => [
  ...(credsFile === null ? [] : [credsAuthenticator(readFileSync(credsFile))]),
  ...(nkeyFile === null ? [] : [nkeyAuthenticator(Buffer.from(readFileSync(nkeyFile, 'utf8').trim()))]),
]
