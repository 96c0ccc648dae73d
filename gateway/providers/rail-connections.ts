import { accountOfConnection, type CompanyConnection, isInUse } from '../../engine/companies/connection.ts'
import type { Directory } from '../../engine/companies/directory.ts'
import type { ConnectionId } from '../../engine/shared/ids.ts'
import { type ConnectedProvider, connect } from './connected.ts'
import { openedSettings, withoutSecrets } from './connection-settings.ts'
import type { ProviderHealth, ProviderIo, ProviderModule } from './port.ts'

/** The connections of accounts, opened on this thread: each when it is first asked for, from the thread's copy of the directory. */
export type RailConnections = {
  /** The open connection; null where it is not in use, or cannot be opened. One that has changed is opened anew. */
  readonly byConnection: (id: string) => ConnectedProvider | null
  /** Whether it works, as it says itself and without its secrets; null where it cannot be opened. */
  readonly health: (id: ConnectionId) => Promise<ProviderHealth | null>
  readonly close: () => void
}

export type RailConnectionsOptions = {
  readonly directory: Pick<Directory, 'connections'>
  readonly modules: Readonly<Record<string, ProviderModule>>
  readonly masterKey: Buffer
  readonly realNow: () => number
  readonly timeout: ProviderIo['timeout']
  readonly openHttp: ProviderIo['openHttp']
  readonly onFault: (error: unknown, id: ConnectionId) => void
}

/** Opens nothing yet. */
export const openRailConnections = (options: RailConnectionsOptions): RailConnections => {
  const { directory, realNow } = options
  const places = new Map<string, Place>()
  const byConnection: RailConnections['byConnection'] = (id) => {
    const connection = directory.connections.byId.get(id as ConnectionId)
    const place = places.get(id)
    if (connection === undefined || !isInUse(connection.state) || isLost(connection)) return null
    if (place !== undefined && place.credentials === connection.credentials) {
      if (place.connected !== null || realNow() < place.triedAtMs + retryMs) return place.connected
    }
    if (place?.connected) closeSoon(options, place.connected)
    const connected = opened(options, connection)
    places.set(id, { credentials: connection.credentials, connected, triedAtMs: realNow() })
    return connected
  }
  return {
    byConnection,
    health: async (id) => {
      const connected = byConnection(id)
      if (connected === null) {
        const connection = directory.connections.byId.get(id)
        return connection !== undefined && isLost(connection) ? withoutCredentials : null
      }
      const { credentials } = directory.connections.byId.get(id)!
      const { detail, ...health } = await connected.instance.health()
      return { ...health, detail: detail && withoutSecrets(detail, id, credentials, options.masterKey) }
    },
    close: () => {
      for (const { connected } of places.values()) connected?.instance.close()
      places.clear()
    },
  }
}

/** Nothing can be opened without them: it is not tried every half minute. */
const isLost = ({ suspension }: CompanyConnection): boolean => suspension === 'CREDENTIALS_LOST'

const withoutCredentials: ProviderHealth = {
  works: false,
  detail: 'a restore has lost its credentials: nothing can be asked before they are rotated',
  certificateEndsAtMs: null,
}

type Place = {
  readonly credentials: CompanyConnection['credentials']
  /** Null where it could not be opened. */
  readonly connected: ConnectedProvider | null
  readonly triedAtMs: number
}

/** What cannot be opened stays so until someone mends it, so trying more often only fills the log. */
const retryMs = 30_000

const opened = (
  { modules, masterKey, realNow, timeout, openHttp, onFault }: RailConnectionsOptions,
  connection: CompanyConnection,
): ConnectedProvider | null => {
  const { id, provider, environment, credentials } = connection
  try {
    const module = modules[provider]
    if (module === undefined) throw new Error(`this version has no provider ${provider}`)
    const settings = openedSettings(id, credentials, masterKey)
    const io: ProviderIo = {
      realNow,
      timeout,
      openHttp,
      onFault: (error) => onFault(cleaned(error, connection, masterKey), id),
    }
    return {
      ...connect(module, { id, environment, settings }, io),
      accountId: accountOfConnection(connection),
    }
  } catch (error) {
    onFault(cleaned(error, connection, masterKey), id)
    return null
  }
}

/** An error for the log, without what adapters or libraries repeat of the secrets that they were given. */
const cleaned = (
  error: unknown,
  { id, credentials }: Pick<CompanyConnection, 'id' | 'credentials'>,
  masterKey: Buffer,
): Error => {
  const { name, message } = error instanceof Error ? error : { name: 'Error', message: String(error) }
  try {
    return Object.assign(new Error(withoutSecrets(message, id, credentials, masterKey)), { name })
  } catch {
    // What cannot be unsealed cannot be repeated either.
    return Object.assign(new Error(message), { name })
  }
}

/** What is on its way by the former credentials is waited for: closing at once would leave its outcome unknown. */
const closeSoon = (
  { timeout, onFault }: RailConnectionsOptions,
  { instance, connectionId }: ConnectedProvider,
): void => {
  timeout(closingMs, () => {
    try {
      instance.close()
    } catch (error) {
      onFault(error, connectionId as ConnectionId)
    }
  })
}

/** Longer than any ask (rails, section 1.4). */
const closingMs = 25_000

/** Tries credentials: opens an instance of its own for them, asks whether it works, and closes it. */
export const triedConnection = async (
  { modules, masterKey, realNow, timeout, openHttp, onFault }: Omit<RailConnectionsOptions, 'directory'>,
  { id, provider, environment }: Pick<CompanyConnection, 'id' | 'provider' | 'environment'>,
  credentials: CompanyConnection['credentials'],
): Promise<ProviderHealth> => {
  const module = modules[provider]
  if (module === undefined)
    return { works: false, detail: `this version has no provider ${provider}`, certificateEndsAtMs: null }
  const settings = openedSettings(id, credentials, masterKey)
  let instance: ConnectedProvider['instance'] | null = null
  try {
    const clean = (error: unknown): Error => cleaned(error, { id, credentials }, masterKey)
    const io: ProviderIo = { realNow, timeout, openHttp, onFault: (error) => onFault(clean(error), id) }
    instance = module.open({ id, environment, settings }, io)
    const { detail, ...health } = await instance.health()
    return { ...health, detail: detail && withoutSecrets(detail, id, credentials, masterKey) }
  } catch (error) {
    const { message: detail } = cleaned(error, { id, credentials }, masterKey)
    return { works: false, detail, certificateEndsAtMs: null }
  } finally {
    instance?.close()
  }
}
