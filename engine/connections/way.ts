import type { Institution, ProviderOffer } from '../kernel/context.ts'
import { type AccountId, type ConnectionId, environmentOf } from '../shared/ids.ts'
import type { Cents } from '../shared/money.ts'
import type { Rail } from '../shared/rail.ts'
import {
  activeConnections,
  type RailConnection,
  type Railed,
  suspendedConnection,
} from './rail-connection.ts'

/** Where something new of an account goes. */
export type Way = {
  /** The name of the provider. */
  readonly providerId: string
  /** Null for the provider that is there for all accounts of the environment: that of the Sandbox. */
  readonly connectionId: ConnectionId | null
  /** What the connection has that others may not have; null where the provider for all accounts says so itself. */
  readonly offers: readonly ProviderOffer[] | null
}

/** What is known of something new when its way is chosen (rails, section 10.4, P16). Null for what it does not have. */
export type RoutingInput = {
  readonly rail: Rail
  /** The brand of a card, and its first digits where its token says them. */
  readonly brand: string | null
  readonly bin: string | null
  /** Null where it is only asked whether there is a way. */
  readonly amountCents: Cents | null
  /** In how many parts it is paid. */
  readonly installments: number | null
  /** The `origin` of a charge; null for money that leaves. */
  readonly origin: string | null
  /** Which attempt to collect or to send it, from 1. */
  readonly attempt: number
}

/** The ways that something new may take, the first of which takes it, and why they stand in this order. */
export type Routed = { readonly ways: readonly [Way, ...Way[]]; readonly reason: RouteReason }

/**
 * Why a way is the first. ENVIRONMENT: it is there for all accounts. PRIMARY: it is that of the primary connection. FALLBACK: no primary one
 * is active. PRIMARY_SILENT: the primary one answers nothing. NONE_ANSWERS: no connection does, and the primary one has it first when it does.
 */
export const routeReasons = ['ENVIRONMENT', 'PRIMARY', 'FALLBACK', 'PRIMARY_SILENT', 'NONE_ANSWERS'] as const
export type RouteReason = (typeof routeReasons)[number]

/** The way that was chosen, and why. */
export type ChosenWay = Way & { readonly reason: RouteReason }

/** The connection that was chosen for an attempt, and why, as it is journaled with it. */
export type ChosenRoute = {
  readonly connectionId: ConnectionId
  readonly providerId: string
  readonly reason: RouteReason
}

/** What is journaled of a choice; null where nothing was chosen, as in the Sandbox. */
export const routeOfWay = ({ connectionId, providerId, reason }: ChosenWay): ChosenRoute | null =>
  connectionId === null ? null : { connectionId, providerId, reason }

type Holder = Railed & { readonly id: AccountId }
type Choosing = Pick<Institution, 'providers' | 'unreachableSeconds'>

/** Orders the ways of an account for something new; null where no provider is connected. A choice that wants to know more has it in its input. */
export type Routing = (institution: Choosing, account: Holder, input: RoutingInput) => Routed | null

/**
 * The one choice of a way. In Production an account goes by its own connections and by no one else's: by the primary one, and by the fallback
 * where that is not active or answers nothing.
 */
export const routeOf: Routing = ({ providers, unreachableSeconds }, account, { rail }) => {
  const [first, second] = account.rails === undefined ? [] : activeConnections(account, rail)
  if (first === undefined) {
    const providerId = providers[environmentOf(account.id)][rail]
    return providerId === undefined
      ? null
      : { ways: [{ providerId, connectionId: null, offers: null }], reason: 'ENVIRONMENT' }
  }
  const answers = ({ connectionId }: RailConnection): boolean =>
    unreachableSeconds(account.id, rail, connectionId) === null
  const others = second === undefined ? [] : [wayBy(second)]
  if (answers(first))
    return { ways: [wayBy(first), ...others], reason: first.role === 'PRIMARY' ? 'PRIMARY' : 'FALLBACK' }
  if (second === undefined || !answers(second))
    return { ways: [wayBy(first), ...others], reason: 'NONE_ANSWERS' }
  return { ways: [wayBy(second), wayBy(first)], reason: 'PRIMARY_SILENT' }
}

/** The way that is chosen; null where no provider is connected. */
export const chosenWay = (institution: Choosing, account: Holder, known: KnownInput): ChosenWay | null => {
  const route = routeOf(institution, account, inputOf(known))
  if (route === null) return null
  const { providerId, connectionId, offers } = route.ways[0]
  return { providerId, connectionId, offers, reason: route.reason }
}

/** The way for something new on this rail, where no more is known of it; null where no provider is connected. */
export const wayOf = (institution: Choosing, account: Holder, rail: Rail): Way | null => {
  const route = routeOf(institution, account, inputOf({ rail }))
  return route === null ? null : route.ways[0]
}

/**
 * The way by which something that may wait goes in the end: the one for what is new, or else that of a suspended connection, which it waits
 * for; null where the account has none.
 */
export const wayInTheEnd = (institution: Choosing, account: Holder, rail: Rail): Way | null => {
  const open = wayOf(institution, account, rail)
  if (open !== null) return open
  const suspended = suspendedConnection(account, rail)
  return suspended && wayBy(suspended)
}

/** Whether the provider of a way has what only some have. */
export const doesWayOffer = (
  institution: Pick<Institution, 'offers'>,
  accountId: AccountId,
  rail: Rail,
  { offers }: Way,
  offer: ProviderOffer,
): boolean => (offers === null ? institution.offers(accountId, rail, offer) : offers.includes(offer))

const wayBy = ({ provider: providerId, connectionId, offers }: RailConnection): Way => ({
  providerId,
  connectionId,
  offers,
})

type KnownInput = Pick<RoutingInput, 'rail'> & Partial<RoutingInput>

/** Written out: every charge comes this way, and copying objects of many shapes into one another takes microseconds. */
const inputOf = ({
  rail,
  brand = null,
  bin = null,
  amountCents = null,
  installments = null,
  origin = null,
  attempt = 1,
}: KnownInput): RoutingInput => ({ rail, brand, bin, amountCents, installments, origin, attempt })
