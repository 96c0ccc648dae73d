import type { Institution, ProviderOffer } from '../kernel/context.ts'
import { type AccountId, type ConnectionId, environmentOf } from '../shared/ids.ts'
import type { PaymentRail } from '../shared/rail.ts'
import { activeConnections, type Railed } from './rail-connection.ts'

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
  rail: PaymentRail,
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

/** Whether the provider of a way has what only some have. */
export const doesWayOffer = (
  institution: Pick<Institution, 'offers'>,
  accountId: AccountId,
  rail: PaymentRail,
  { offers }: Way,
  offer: ProviderOffer,
): boolean => (offers === null ? institution.offers(accountId, rail, offer) : offers.includes(offer))
