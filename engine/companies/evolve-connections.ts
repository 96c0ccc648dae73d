import { assert, unreachable } from '../shared/assert.ts'
import type { ConnectionId } from '../shared/ids.ts'
import { putEntry } from '../shared/register.ts'
import {
  areCredentialsDoubted,
  type CompanyConnection,
  type CompanyConnections,
  type ConnectionFact,
  type Suspension,
} from './connection.ts'

/** Applies a fact about connections, in place like all of the directory. */
export const evolveConnections = (connections: CompanyConnections, event: ConnectionFact): void => {
  const { byId, applied, unregistered } = connections
  if (event.type === 'ConnectionCreated' || event.type === 'ConnectionRecovered')
    return void putEntry(byId, event.connection)
  if (event.type === 'ConnectionApplied')
    return void (applied as Map<ConnectionId, number>).set(event.id, event.revision)
  if (event.type === 'ConnectionAddressNoted')
    return void note(unregistered as Map<ConnectionId, string>, event)
  const connection = byId.get(event.id)
  assert(connection !== undefined, `${event.id} was created before it is changed`)
  const revision = revisionBefore(connection, event) + 1
  putEntry(byId, {
    ...connection,
    ...changesOf(connection, event),
    ...(bringsCredentials(event) && { credentialsRevision: revision }),
    revision,
    updatedAtMs: event.atMs,
  })
}

const note = (
  unregistered: Map<ConnectionId, string>,
  { id, problem }: Extract<ConnectionFact, { readonly type: 'ConnectionAddressNoted' }>,
): void => {
  if (problem === null) unregistered.delete(id)
  else unregistered.set(id, problem)
}

/** A fact that leaves another connection than there was. */
export type ConnectionChange = Exclude<
  ConnectionFact,
  {
    readonly type:
      | 'ConnectionCreated'
      | 'ConnectionRecovered'
      | 'ConnectionApplied'
      | 'ConnectionAddressNoted'
  }
>

/** Older credentials than the account knew of take a revision of their own, so that they are found to be older once. */
const bringsCredentials = (event: ConnectionChange): boolean =>
  event.type === 'ConnectionRotated' ||
  event.type === 'ConnectionRestored' ||
  (event.type === 'ConnectionOutdated' && event.areCredentialsOlder === true)

const revisionBefore = ({ revision }: CompanyConnection, event: ConnectionChange): number =>
  event.type === 'ConnectionOutdated' ? Math.max(revision, event.knownRevision) : revision

const changesOf = (connection: CompanyConnection, event: ConnectionChange): Partial<CompanyConnection> => {
  const { state, credentials, former, suspension } = connection
  switch (event.type) {
    case 'ConnectionVerified':
      return {
        state: state === 'DRAFT' ? 'VERIFIED' : state,
        credentials: { ...credentials, certificate: event.certificate },
        ...(areCredentialsDoubted(connection) && { suspension: 'DATA_RESTORED' }),
      }
    case 'ConnectionActivationRequested':
      return { requested: { by: event.by, atMs: event.atMs } }
    case 'ConnectionActivated':
      return {
        state: 'ACTIVE',
        requested: null,
        activatedAtMs: connection.activatedAtMs ?? event.atMs,
      }
    case 'ConnectionSuspended':
      return { state: 'SUSPENDED', suspension: event.cause }
    case 'ConnectionResumed':
      return { state: 'ACTIVE', suspension: null }
    case 'ConnectionRotated':
      return {
        credentials: event.credentials,
        former: suspension === 'CREDENTIALS_LOST' ? null : { ...credentials, untilMs: event.formerUntilMs },
        // A new certificate is what it waited for.
        ...(suspension === 'CERTIFICATE_EXPIRED' && { state: 'ACTIVE', suspension: null }),
        // They were tried; whether it takes money once more is for a person to say.
        ...(areCredentialsDoubted(connection) && { suspension: 'DATA_RESTORED' }),
      }
    case 'ConnectionRestored': {
      assert(former !== null, 'credentials are taken back that were there')
      const { untilMs: _, ...restored } = former
      return { credentials: restored, former: null }
    }
    case 'ConnectionRetired':
      return retired
    case 'ConnectionOutdated':
      return event.state === 'RETIRED'
        ? retired
        : {
            state: event.state,
            suspension: event.state === 'SUSPENDED' ? suspensionBy(event, suspension) : null,
            requested: null,
            activatedAtMs: connection.activatedAtMs ?? event.atMs,
            ...(event.state === 'SUSPENDED' && { stoppedAtMs: event.atMs }),
          }
    default:
      return unreachable(event)
  }
}

const suspensionBy = (
  { areCredentialsOlder }: Extract<ConnectionChange, { readonly type: 'ConnectionOutdated' }>,
  before: Suspension | null,
): Suspension => (areCredentialsOlder === true ? 'CREDENTIALS_OUTDATED' : (before ?? 'DATA_RESTORED'))

const retired = { state: 'RETIRED', suspension: null, former: null, requested: null } as const

/** No connections. */
export const newConnections = (): CompanyConnections => ({
  byId: new Map(),
  applied: new Map(),
  unregistered: new Map(),
})
