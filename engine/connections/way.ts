import type { Institution, ProviderOffer } from '../kernel/context.ts'
import { type AccountId, type ConnectionId, environmentOf } from '../shared/ids.ts'
import type { Rail } from '../shared/rail.ts'
import { activeConnections, type Railed, suspendedConnection } from './rail-connection.ts'

/** Where something new of an account goes. */
export type Way = {
  /** The name of the provider. */
  readonly providerId: string
  /** Null for the provider that is there for all accounts of the environment: that of the Sandbox. */
  readonly connectionId: ConnectionId | null
  /** What the connection has that others may not have; null where the provider for all accounts says so itself. */
  readonly offers: readonly ProviderOffer[] | null
}

type Holder = Railed & { readonly id: AccountId }

/**
 * The way for something new on this rail; null where no provider is connected. In Production an account goes by its own connections and by
 * no one else's: by the fallback, too, while the primary one answers nothing.
 */
export const wayOf = (
  { providers, unreachableSeconds }: Pick<Institution, 'providers' | 'unreachableSeconds'>,
  account: Holder,
  rail: Rail,
): Way | null => {
  const own = account.rails === undefined ? [] : activeConnections(account, rail)
  if (own.length > 0) {
    const isReachable = ({ connectionId }: { readonly connectionId: ConnectionId }): boolean =>
      unreachableSeconds(account.id, rail, connectionId) === null
    const { provider: providerId, connectionId, offers } = own.find(isReachable) ?? own[0]!
    return { providerId, connectionId, offers }
  }
  const providerId = providers[environmentOf(account.id)][rail]
  return providerId === undefined ? null : { providerId, connectionId: null, offers: null }
}

/**
 * The way by which something that may wait goes in the end: the one for what is new, or else that of a suspended connection, which it waits
 * for; null where the account has none.
 */
export const wayInTheEnd = (
  institution: Parameters<typeof wayOf>[0],
  account: Holder,
  rail: Rail,
): Way | null => {
  const open = wayOf(institution, account, rail)
  if (open !== null) return open
  const suspended = suspendedConnection(account, rail)
  if (suspended === null) return null
  const { provider: providerId, connectionId, offers } = suspended
  return { providerId, connectionId, offers }
}

/** Whether the provider of a way has what only some have. */
export const doesWayOffer = (
  institution: Pick<Institution, 'offers'>,
  accountId: AccountId,
  rail: Rail,
  { offers }: Way,
  offer: ProviderOffer,
): boolean => (offers === null ? institution.offers(accountId, rail, offer) : offers.includes(offer))
