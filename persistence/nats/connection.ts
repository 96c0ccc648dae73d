import { readFileSync } from 'node:fs'
import { checkServerIdentity, type PeerCertificate, type ConnectionOptions as SecureOptions } from 'node:tls'
import {
  type Authenticator,
  type ConnectionOptions,
  connect,
  credsAuthenticator,
  errors,
  type NatsConnection,
  nkeyAuthenticator,
  type ReconnectToServerHandler,
  type TlsOptions,
} from '@nats-io/transport-node'
import { bounds } from '../base/bounds.ts'

/** Where NATS is, and how this service authenticates. */
export type NatsSettings = {
  /** `nats://` addresses of any of its servers; a `tls://` address requires TLS. */
  readonly servers: readonly string[]
  readonly user: string | null
  readonly password: string | null
  readonly credsFile: string | null
  readonly nkeyFile: string | null
  /** Files require TLS; null leaves it to the servers. */
  readonly tls: {
    readonly caFile: string | null
    readonly certFile: string | null
    readonly keyFile: string | null
  } | null
}

/**
 * Tries until a server accepts the service or `signal` aborts; `onRefused` receives each failure. Afterwards the
 * connection reconnects without end. The client's defaults suit a chat: a server that hangs would be noticed after
 * minutes, and ten failures or two refusals would end the connection.
 */
export const connectNats = async (
  settings: NatsSettings,
  name: string,
  signal: AbortSignal = new AbortController().signal,
  onRefused: (reason: Error) => void = () => undefined,
): Promise<NatsConnection> => {
  for (;;) {
    try {
      const connection = await connect(connectionOptions(settings, name))
      void leaveServersAtOnce(connection)
      if (!signal.aborted) return connection
      await connection.close()
    } catch (error) {
      if (!signal.aborted) onRefused(new Error(reasonOf(error, settings), { cause: error }))
    }
    signal.throwIfAborted()
    await new Promise((resolve) => void setTimeout(resolve, bounds.natsRetryMs).unref())
  }
}

/**
 * Closes the transport to a server as soon as the client leaves that server. By itself the client first waits until
 * everything it wrote has been taken, which may be never (the server hangs, the network drops packets), and dials no
 * other server until then.
 */
const leaveServersAtOnce = async (connection: NatsConnection): Promise<void> => {
  const { protocol } = connection as NatsConnection & ClientParts
  for await (const { type } of connection.status())
    if (type === 'forceReconnect' || type === 'staleConnection')
      await protocol.transport.close(new Error('the server does not answer'))
}

/** A part of the client that its types do not show. */
type ClientParts = {
  readonly protocol: { readonly transport: { readonly close: (error: Error) => Promise<void> } }
}

/**
 * Pauses before a server is dialled again. The client measures its pauses by the wall clock: after that was set back
 * it would dial nothing until it has caught up.
 */
const pausesBetweenDials = (): ReconnectToServerHandler => {
  const dialledAt = new Map<string, number>()
  return ([server]) => {
    if (server === undefined) return null
    const nowMs = performance.now()
    const delay = Math.max(
      0,
      (dialledAt.get(server.listen) ?? Number.NEGATIVE_INFINITY) + bounds.natsDialPauseMs - nowMs,
    )
    dialledAt.set(server.listen, nowMs + delay)
    return { server, delay }
  }
}

/** The client's options for these settings. */
export const connectionOptions = (settings: NatsSettings, name: string): ConnectionOptions => {
  const { user, password, servers } = settings
  const authenticators = authenticatorsOf(settings)
  const tls = tlsOf(settings)
  return {
    name,
    servers: [...servers],
    timeout: 1500,
    pingInterval: 1500,
    maxPingOut: 2,
    maxReconnectAttempts: -1,
    ignoreAuthErrorAbort: true,
    reconnectDelayHandler: () => Number.NEGATIVE_INFINITY, // Leaves pauses to the next option.
    reconnectToServer: pausesBetweenDials(),
    inboxPrefix: '_INBOX.pay',
    // A stack trace for each request costs more than the request.
    noAsyncTraces: true,
    ...(user !== null && { user }),
    ...(password !== null && { pass: password }),
    ...(authenticators.length > 0 && { authenticator: authenticators }),
    ...(tls !== null && { tls }),
  }
}

const tlsOf = ({ servers, tls }: NatsSettings): TlsOptions | null => {
  if (tls === null && !servers.some((server) => server.startsWith('tls://'))) return null
  const { caFile = null, certFile = null, keyFile = null } = tls ?? {}
  // The client passes options that it does not know on to node:tls.
  const options: TlsOptions & ConnectionSecurity = {
    rejectUnauthorized: true, // Explicit, because an environment variable could turn it off.
    checkServerIdentity: identityAmong(servers),
    ...(caFile !== null && { caFile }),
    ...(certFile !== null && { certFile }),
    ...(keyFile !== null && { keyFile }),
  }
  return options
}

type ConnectionSecurity = Pick<SecureOptions, 'rejectUnauthorized' | 'checkServerIdentity'>

/**
 * Accepts a certificate for any address in the settings. The client itself would check `localhost` when the address is
 * an IP.
 */
const identityAmong =
  (servers: readonly string[]) =>
  (_: string, certificate: PeerCertificate): Error | undefined => {
    const errors = servers.map((server) => checkServerIdentity(hostOf(server), certificate))
    return errors.includes(undefined) ? undefined : errors[0]
  }

/** `[::1]` in a URL is `::1` in a certificate. Servers name each other without a scheme. */
const hostOf = (server: string): string =>
  new URL(server.includes('://') ? server : `nats://${server}`).hostname.replace(/^\[|\]$/g, '')

/** Files are read at each connection, as with TLS, so a new one works without a restart. */
const authenticatorsOf = ({ credsFile, nkeyFile }: NatsSettings): Authenticator[] => [
  ...(credsFile === null ? [] : [credsAuthenticator(() => readFileSync(credsFile))]),
  ...(nkeyFile === null ? [] : [nkeyAuthenticator(() => seedIn(nkeyFile))]),
]

const seedIn = (nkeyFile: string): Uint8Array => Buffer.from(readFileSync(nkeyFile, 'utf8').trim())

/** In terms of the settings, without any secret. */
const reasonOf = (error: unknown, settings: NatsSettings): string => {
  if (error instanceof errors.AuthorizationError) return `it refuses ${identityOf(settings)}`
  const reason = error instanceof Error ? error.message : String(error)
  const { tls } = settings
  // The server closes the connection after what it takes for a handshake, and the client knows no more.
  const isNameless = error instanceof errors.TimeoutError && tls !== null && tls.certFile === null
  const hint = isNameless ? ', as of one that wants the certificate of a NATS_CERT_FILE' : ''
  return `${settings.servers.join(', ')}: ${reason}${hint}`
}

const identityOf = ({ user, credsFile, nkeyFile }: NatsSettings): string => {
  if (credsFile !== null) return 'the credentials of NATS_CREDS_FILE'
  if (nkeyFile !== null) return 'the nkey of NATS_NKEY_FILE'
  return user !== null ? 'NATS_USER with NATS_PASSWORD' : 'a service without NATS_USER'
}
