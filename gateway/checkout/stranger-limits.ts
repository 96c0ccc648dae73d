import { fnv1a } from '../../engine/shared/hash.ts'
import { household, networkOf } from '../base/networks.ts'
import type { RateLimit } from '../identity/rate-limit.ts'

/** How often strangers may do what costs (checkout, section 5), by their address or IPv6 network and over all workers of a node. */
export type StrangerLimits = {
  /** Takes one of what the address may do; the seconds to wait where nothing is left, else null. */
  readonly take: (what: StrangerAct, address: string, nowMs: number) => number | null
}

/** A token that is none; a charge that is made; a mail that is asked for. */
export type StrangerAct = 'badTokens' | 'payments' | 'portalMails'

/** The limits of strangers over these rate limits; null limits nothing. */
export const strangerLimits = (limits: Readonly<Record<StrangerAct, RateLimit | null>>): StrangerLimits => ({
  take: (what, address, nowMs) => {
    // Addresses that share a place share what it may do, which is one in a million.
    const allowance = limits[what]?.take(
      (fnv1a(`${what} ${networkOf(address, household)}`) >>> 0) % places,
      nowMs,
    )
    return allowance === undefined || allowance.allowed ? null : allowance.resetSeconds
  },
})

const places = 1 << 20
