import type { ProviderOffer } from '../kernel/context.ts'
import type { ConnectionId } from '../shared/ids.ts'
import type { Rail } from '../shared/rail.ts'
import type { ConnectionTerms } from './terms.ts'

/** A connection that the account knows of. A retired one still serves refunds and inquiries of its own transactions. */
export type RailConnection = {
  readonly connectionId: ConnectionId
  /** The name of the provider, which charges store as their `providerId`. */
  readonly provider: string
  readonly rails: readonly Rail[]
  readonly role: ConnectionRole
  readonly state: RailState
  /** What its provider has that others of the rail may not have. */
  readonly offers: readonly ProviderOffer[]
  /** The key that payers pay to; null where the rail has none. */
  readonly pixKey: string | null
  /** What the bank takes of each movement; null where nothing is known of it. */
  readonly terms: ConnectionTerms | null
  /** Grows with every change in the directory, so that an older one that arrives late changes nothing. */
  readonly revision: number
  /** The revision by which its credentials came; absent while it has its first ones. */
  readonly credentialsRevision?: number
}

/** What is new goes by the primary one, and by the fallback only while that is not active. */
export const connectionRoles = ['PRIMARY', 'FALLBACK'] as const
export type ConnectionRole = (typeof connectionRoles)[number]

/** What an account may do with a connection: `ACTIVE` takes what is new, and the others only finish what is theirs. */
export type RailState = 'ACTIVE' | 'SUSPENDED' | 'RETIRED'

/** The members of an account that say which connections it has. */
export type Railed = { readonly rails?: readonly RailConnection[] }

/** The connection for something new on this rail: the active primary one, else the active fallback; null if there is none. */
export const railConnectionOf = (account: Railed, rail: Rail): RailConnection | null =>
  activeConnections(account, rail)[0] ?? null

/** The active connections for a rail: the primary one, then the fallback. */
export const activeConnections = ({ rails = [] }: Railed, rail: Rail): readonly RailConnection[] =>
  connectionRoles.flatMap((role) => newestOn(rails, rail, role, 'ACTIVE') ?? [])

/** The suspended connection for a rail, the primary one first: what may wait, waits until it is active once more. Null if there is none. */
export const suspendedConnection = ({ rails = [] }: Railed, rail: Rail): RailConnection | null =>
  connectionRoles.flatMap((role) => newestOn(rails, rail, role, 'SUSPENDED') ?? [])[0] ?? null

/** The rails with an active connection. */
export const activeRails = ({ rails = [] }: Railed): readonly Rail[] => [
  ...new Set(rails.flatMap(({ state, rails }) => (state === 'ACTIVE' ? rails : []))),
]

/** The connection with this id, in whatever state; null if the account never had it. */
export const knownConnection = ({ rails = [] }: Railed, id: string): RailConnection | null =>
  rails.find(({ connectionId }) => connectionId === id) ?? null

/** The newest counts: it may have been connected before the one that it replaces was retired. */
const newestOn = (
  connections: readonly RailConnection[],
  rail: Rail,
  wanted: ConnectionRole,
  wantedState: RailState,
): RailConnection | undefined =>
  connections.findLast(
    ({ rails, role, state }) => state === wantedState && role === wanted && rails.includes(rail),
  )
