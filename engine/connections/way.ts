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
  readonly offers: (offer: ProviderOffer) => boolean
  /** After how many seconds it may be tried; null for one that takes calls. */
  readonly unreachableSeconds: () => number | null
}

type Holder = Railed & { readonly id: AccountId }

/**
 * The way for something new on this rail; null where no provider is connected. In Production an account goes by its own connections and by
 * no one else's: by the fallback, too, while the primary one answers nothing.
 */
export const wayOf = (
  institution: Pick<Institution, 'providers' | 'offers' | 'unreachableSeconds'>,
  account: Holder,
  rail: PaymentRail,
): Way | null => {
  const ways = activeConnections(account, rail).map(
    ({ provider: providerId, connectionId, offers }): Way => ({
      providerId,
      connectionId,
      offers: (offer) => offers.includes(offer),
      unreachableSeconds: () => institution.unreachableSeconds(account.id, rail, connectionId),
    }),
  )
  if (ways.length > 0) return ways.find((way) => way.unreachableSeconds() === null) ?? ways[0]!
  const providerId = institution.providers[environmentOf(account.id)][rail]
  if (providerId === undefined) return null
  return {
    providerId,
    connectionId: null,
    offers: (offer) => institution.offers(account.id, rail, offer),
    unreachableSeconds: () => institution.unreachableSeconds(account.id, rail, null),
  }
}
