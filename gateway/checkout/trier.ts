import { createHmac, hkdfSync } from 'node:crypto'
import type { CardTrier } from '../../engine/checkout/card-guard.ts'
import { networkOf } from '../base/networks.ts'

/** Who tries a card, by their address and the issuer's digits, at this time. */
export type TrierOf = (address: string, bin: string | null, nowMs: number) => CardTrier

/**
 * Who tries a card: their address and its network, as hashes with a key of the day, so that what is stored tells no address and does not connect
 * one day with the next.
 */
export const openTriers = (masterKey: Uint8Array): TrierOf => {
  let day = -1
  let key = Buffer.alloc(0)
  const hashed = (text: string): string =>
    createHmac('sha256', key).update(text).digest('base64url').slice(0, 12)
  return (address, bin, nowMs) => {
    const today = Math.floor(nowMs / 86_400_000)
    if (today !== day) {
      day = today
      key = Buffer.from(hkdfSync('sha256', masterKey, '', `payments checkout addresses ${day}`, 32))
    }
    return { address: hashed(address), network: hashed(networkOf(address, customer)), bin }
  }
}

// What one customer of a network usually has.
const customer = { ipv4: 24, ipv6: 48 }
