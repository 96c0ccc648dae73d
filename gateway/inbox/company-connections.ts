import { accountOfConnection, type CompanyConnection, isInUse } from '../../engine/companies/connection.ts'
import type { Directory } from '../../engine/companies/directory.ts'
import type { AccountId, ConnectionId } from '../../engine/shared/ids.ts'
import type { ConnectedProvider } from '../providers/connected.ts'
import { hookTokenOf } from '../providers/connection-settings.ts'
import { hookAddressOf, hookTokenHash } from './hook-address.ts'
import type { HookTarget, HookTargets, PeerPin } from './hook-target.ts'
import type { Reporting } from './reporting.ts'

/** What a thread's copy of the directory says of the connections whose banks report. */
export type InboxConnections = {
  readonly targets: HookTargets
  /** The connections in use: a retired one still has money that comes in late, and returns. */
  readonly inUse: () => Iterable<{ readonly connectionId: ConnectionId; readonly accountId: AccountId }>
  /** Opens one for what it reports; null where it cannot be opened now. */
  readonly open: (id: ConnectionId) => Reporting | null
}

export type InboxConnectionsOptions = {
  readonly directory: Pick<Directory, 'connections'>
  readonly masterKey: Buffer
  /** Where banks reach the port for notices; null where they are given their addresses by hand. */
  readonly origin: string | null
  readonly byConnection: (id: string) => ConnectedProvider | null
  readonly onFault: (error: unknown, id: ConnectionId) => void
}

/** Reads the directory as it is at each call. */
export const inboxConnections = (options: InboxConnectionsOptions): InboxConnections => {
  const { directory, masterKey, origin, byConnection, onFault } = options
  /** A connection that changes is another object. */
  const known = new WeakMap<CompanyConnection, HookTarget | null>()

  const targetOf = (connection: CompanyConnection): HookTarget | null => {
    let target = known.get(connection)
    if (target === undefined) {
      target = readTarget(connection)
      known.set(connection, target)
    }
    return target
  }

  const readTarget = (connection: CompanyConnection): HookTarget | null => {
    const peer = peerOf(connection)
    if (!isInUse(connection.state) || peer === 'UNKNOWN') return null
    try {
      const tokenHash = hookTokenHash(hookTokenOf(connection, masterKey))
      return {
        connectionId: connection.id,
        accountId: accountOfConnection(connection),
        tokenHash,
        peer,
      }
    } catch (error) {
      onFault(error, connection.id)
      return null
    }
  }

  const inUse = function* () {
    for (const connection of directory.connections.byId.values())
      if (isInUse(connection.state))
        yield { connectionId: connection.id, accountId: accountOfConnection(connection) }
  }

  return {
    targets: {
      find: (id) => {
        const connection = directory.connections.byId.get(id as ConnectionId)
        return connection === undefined ? null : targetOf(connection)
      },
      all: function* () {
        for (const connection of directory.connections.byId.values()) {
          const target = targetOf(connection)
          if (target !== null) yield target
        }
      },
    },
    inUse,
    open: (id) => {
      const connection = directory.connections.byId.get(id)
      const connected = byConnection(id)
      if (connection === undefined || connected === null) return null
      const isRegistered = origin !== null && connection.state !== 'RETIRED' && targetOf(connection) !== null
      return {
        connectionId: id,
        accountId: accountOfConnection(connection),
        provider: connection.provider,
        sinceMs: connection.activatedAtMs ?? connection.createdAtMs,
        retiredAtMs: connection.state === 'RETIRED' ? connection.updatedAtMs : null,
        instance: connected.instance,
        hookAddress: isRegistered ? hookAddressOf(origin, id, hookTokenOf(connection, masterKey)) : null,
      }
    },
  }
}

/**
 * Who may report, as the settings of a connection say. Where they do not, no one may, and polls find what comes in; only at a bank's own host for
 * tests, where no money moves, the token alone will do.
 */
const peerOf = ({ credentials: { settings } }: CompanyConnection): PeerPin | null | 'UNKNOWN' => {
  const { noticeAuthority, noticeIssuer, noticeSubject, host } = settings
  if (
    typeof noticeAuthority === 'string' &&
    typeof noticeIssuer === 'string' &&
    typeof noticeSubject === 'string'
  )
    return { authorities: [noticeAuthority], issuer: noticeIssuer, subject: noticeSubject }
  return host === 'TEST' ? null : 'UNKNOWN'
}
