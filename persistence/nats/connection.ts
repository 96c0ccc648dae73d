import { readFileSync } from 'node:fs'
import {
  type Authenticator,
  type ConnectionOptions,
  connect,
  credsAuthenticator,
  errors,
  type NatsConnection,
  nkeyAuthenticator,
} from '@nats-io/transport-node'
import { limits } from '../limits.ts'

/** Where NATS is, and how this service is known to it. */
export type NatsSettings = {
  /** `nats://` or `tls://` addresses of any of its servers. */
  readonly servers: readonly string[]
  readonly user: string | null
  readonly password: string | null
  readonly credsFile: string | null
  readonly nkeyFile: string | null
  /** Null allows what the servers want; otherwise nothing is said to a server without TLS. */
  readonly tls: {
    readonly caFile: string | null
    readonly certFile: string | null
    readonly keyFile: string | null
  } | null
}

/**
 * Tries until a server lets the service in, or `signal` ends it; `onRefused` hears why each try failed. Afterwards the
 * connection comes back by itself, without end. The client's defaults are for chat: a server that hangs would be noticed
 * after minutes, and ten failures, or two refusals, would end the connection.
 */
export const connectNats = async (
  settings: NatsSettings,
  name: string,
  signal = new AbortController().signal,
  onRefused: (reason: Error) => void = () => undefined,
): Promise<NatsConnection> => {
  for (;;) {
    try {
      const connection = await connect(connectionOptions(settings, name))
      if (!signal.aborted) return connection
      await connection.close()
    } catch (error) {
      if (!signal.aborted) onRefused(new Error(reasonOf(error, settings)))
    }
    signal.throwIfAborted()
    await new Promise((resolve) => void setTimeout(resolve, limits.natsRetryMs).unref())
  }
}

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
    ignoreAuthErrorAbort: true,
    reconnectTimeWait: 150,
    reconnectJitter: 50,
    inboxPrefix: '_INBOX.pay',
    // A stack trace for each request costs more than the request.
    noAsyncTraces: true,
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

/** Files are read at each connection, as those of TLS are: a new one takes effect without a restart. */
const authenticatorsOf = ({ credsFile, nkeyFile }: NatsSettings): Authenticator[] => [
  ...(credsFile === null ? [] : [credsAuthenticator(() => readFileSync(credsFile))]),
  ...(nkeyFile === null ? [] : [nkeyAuthenticator(() => seedIn(nkeyFile))]),
]

const seedIn = (nkeyFile: string): Uint8Array => Buffer.from(readFileSync(nkeyFile, 'utf8').trim())

/** In the words of the settings; no secret is in it. */
const reasonOf = (error: unknown, settings: NatsSettings): string => {
  if (error instanceof errors.AuthorizationError) return `it refuses ${identityOf(settings)}`
  const reason = error instanceof Error ? error.message : String(error)
  return `${settings.servers.join(', ')}: ${reason}`
}

const identityOf = ({ user, credsFile, nkeyFile }: NatsSettings): string => {
  if (credsFile !== null) return 'the credentials of NATS_CREDS_FILE'
  if (nkeyFile !== null) return 'the nkey of NATS_NKEY_FILE'
  return user !== null ? 'NATS_USER with NATS_PASSWORD' : 'a service without NATS_USER'
}
