import type { ActorFact } from '../kernel/fact.ts'
import { assert, unreachable } from '../shared/assert.ts'
import { type CardLimits, cardLimitOf } from '../shared/card-limits.ts'
import type { AccountId, CardGuardId, CheckoutSessionId, PaymentLinkId } from '../shared/ids.ts'

declare module '../kernel/registry.ts' {
  interface ActorStates {
    readonly cardGuard: CardGuard
  }
  interface ActorFacts {
    readonly cardGuard: CardGuardFact
  }
}

/**
 * The watch over cards that strangers try at the pages of an account, so that they do not find out which stolen cards work (checkout,
 * section 5). An account has one: for all its links, each by itself, and for the account as a whole.
 */
export type CardGuard = {
  readonly id: CardGuardId
  readonly accountId: AccountId
  /** The tries of the last hour, oldest first, at most `triesKept`. */
  readonly tries: readonly CardTry[]
  /** When links met a limit, within the last ten minutes. */
  readonly trips: readonly { readonly linkId: PaymentLinkId; readonly atMs: number }[]
  /** The links that were attacked, and until when their cards are refused. */
  readonly attacks: readonly { readonly linkId: PaymentLinkId; readonly untilMs: number }[]
  readonly createdAtMs: number
}

/** A card that a payer tried. Addresses and cards are known only by hashes of the day. */
export type CardTry = CardTrier & {
  readonly sessionId: CheckoutSessionId
  readonly linkId: PaymentLinkId | null
  readonly atMs: number
  /** Null until the acquirer has answered. */
  readonly isDeclined: boolean | null
}

/** Who tries a card, as far as a server can know. */
export type CardTrier = {
  readonly address: string
  /** The /24 of an IPv4 address, the /48 of an IPv6 address. */
  readonly network: string
  /** The issuer's digits; null where the tokenizer does not tell them. */
  readonly bin: string | null
}

/** The limits of cards at pages, by the name that metrics and refusals say. */
export type CardLimit = 'SESSION' | 'ADDRESS' | 'NETWORK' | 'BIN' | 'COMPANY' | 'ATTACK'

export type CardGuardFact =
  | (Fact<'GuardPosted'> & { readonly accountId: AccountId })
  | (Fact<'CardTried'> & { readonly tried: Omit<CardTry, 'atMs' | 'isDeclined'> })
  | (Fact<'CardJudged'> & { readonly sessionId: CheckoutSessionId; readonly isDeclined: boolean })
  | (Fact<'LimitMet'> & { readonly linkId: PaymentLinkId | null; readonly limit: CardLimit })
  | (Fact<'AttackBegan'> & { readonly linkId: PaymentLinkId; readonly untilMs: number })
  /** So many cards are declined that the account's pages take none for a while. */
  | (Fact<'CardsClosed'> & { readonly declines: number })

type Fact<Type extends string> = ActorFact<'cardGuard', Type>

const hourMs = 3_600_000
const triesKept = 5000
const attacksKept = 1000
const recentTries = 50
/** More declines than these among the last fifty tries stop all cards of the account. */
const recentDeclinesMax = 30

/** A link that meets so many limits within ten minutes is being attacked. */
const tripsMax = 3
const tripsWithinMs = 600_000
export const attackMs = hourMs

/** The limit that a try would meet; null if it may go to the acquirer. Tries without an answer count as declined: an attack is faster than acquirers. */
export const cardLimitFor = (
  guard: CardGuard,
  linkId: PaymentLinkId | null,
  { address, network, bin }: CardTrier,
  own: CardLimits | undefined,
  nowMs: number,
): CardLimit | null => {
  if (isAttacked(guard, linkId, nowMs)) return 'ATTACK'
  if (areCardsClosed(guard, own, nowMs)) return 'COMPANY'
  if (linkId === null) return null
  let [byAddress, byNetwork, declinedOfBin] = [0, 0, 0]
  for (const one of guard.tries) {
    if (one.linkId !== linkId || one.atMs <= nowMs - hourMs) continue
    if (one.address === address) byAddress += 1
    if (one.network === network) byNetwork += 1
    if (bin !== null && one.bin === bin && one.isDeclined !== false) declinedOfBin += 1
  }
  if (byAddress >= cardLimitOf(own, 'perAddress')) return 'ADDRESS'
  if (byNetwork >= cardLimitOf(own, 'perNetwork')) return 'NETWORK'
  return declinedOfBin >= cardLimitOf(own, 'perBin') ? 'BIN' : null
}

/** Whether a link is being attacked: its pages take no cards, and ask browsers for work before they make anything else. */
export const isAttacked = ({ attacks }: CardGuard, linkId: PaymentLinkId | null, nowMs: number): boolean =>
  linkId !== null && attacks.some((attack) => attack.linkId === linkId && attack.untilMs > nowMs)

/** Whether so many cards were declined that the account's pages take none: as many as an hour may have, or most of the last fifty. */
export const areCardsClosed = ({ tries }: CardGuard, own: CardLimits | undefined, nowMs: number): boolean => {
  const recent = tries.filter(({ atMs }) => atMs > nowMs - hourMs)
  const declined = recent.filter(({ isDeclined }) => isDeclined !== false).length
  if (declined >= cardLimitOf(own, 'declinesPerHour')) return true
  const last = recent.slice(-recentTries)
  return (
    last.length === recentTries &&
    last.filter(({ isDeclined }) => isDeclined !== false).length > recentDeclinesMax
  )
}

/** Whether one more limit makes it an attack. */
export const isOneTooMany = ({ trips, attacks }: CardGuard, linkId: PaymentLinkId, nowMs: number): boolean =>
  !attacks.some((attack) => attack.linkId === linkId && attack.untilMs > nowMs) &&
  trips.filter((trip) => trip.linkId === linkId && trip.atMs > nowMs - tripsWithinMs).length + 1 >= tripsMax

/** Applies a fact to the guard of an account. */
export const evolveCardGuard = (guard: CardGuard | undefined, event: CardGuardFact): CardGuard => {
  const { atMs } = event
  if (event.type === 'GuardPosted') {
    assert(guard === undefined, 'an account has one guard')
    return { id: event.id, accountId: event.accountId, tries: [], trips: [], attacks: [], createdAtMs: atMs }
  }
  assert(guard !== undefined, `${event.type} follows GuardPosted`)
  switch (event.type) {
    case 'CardTried': {
      const kept = guard.tries.filter((one) => one.atMs > atMs - hourMs).slice(1 - triesKept)
      return { ...guard, tries: [...kept, { ...event.tried, atMs, isDeclined: null }] }
    }
    case 'CardJudged': {
      const at = guard.tries.findLastIndex(({ sessionId }) => sessionId === event.sessionId)
      if (at === -1) return guard
      return { ...guard, tries: guard.tries.with(at, { ...guard.tries[at]!, isDeclined: event.isDeclined }) }
    }
    case 'LimitMet': {
      const trips = guard.trips.filter((trip) => trip.atMs > atMs - tripsWithinMs).slice(1 - triesKept)
      const { linkId } = event
      return { ...guard, trips: linkId === null ? trips : [...trips, { linkId, atMs }] }
    }
    case 'AttackBegan': {
      // Those that are over are kept: the link takes cards with an answer of their bank alone from then on.
      const others = guard.attacks.filter(({ linkId }) => linkId !== event.linkId).slice(1 - attacksKept)
      return { ...guard, attacks: [...others, { linkId: event.linkId, untilMs: event.untilMs }] }
    }
    case 'CardsClosed':
      return guard
    default:
      return unreachable(event)
  }
}
