// The operations of people: signing in, factors, passwords, the team and its invitations. Facts about people are
// in the directory, those about sessions in a log of their own.
import { household, networkOf } from '../../base/networks.ts'
import { tooManyAttempts } from './second-factor.ts'

/** Allows strangers twenty tries a minute by address or IPv6 network (dashboard, section 1.4). */
export type AddressThrottle = {
  /** Counts a try; throws `TOO_MANY_ATTEMPTS` beyond the limit. */
  readonly take: (ip: string) => void
}

/** Opens the throttle of this node: in a cluster each node allows the full number. */
export const openAddressThrottle = (realNow: () => number): AddressThrottle => {
  let minute = 0
  let tries = new Map<string, number>()
  return {
    take: (ip) => {
      const nowMs = realNow()
      const thisMinute = Math.floor(nowMs / minuteMs)
      if (thisMinute !== minute) {
        minute = thisMinute
        tries = new Map()
      }
      const network = networkOf(ip, household)
      const count = (tries.get(network) ?? 0) + 1
      tries.set(network, count)
      if (count > triesMax) throw tooManyAttempts(Math.ceil(((minute + 1) * minuteMs - nowMs) / 1000))
    },
  }
}

const minuteMs = 60_000
const triesMax = 20
