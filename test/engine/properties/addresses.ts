import { tronAddress } from '../../../engine/crypto/address.ts'
import type { Network } from '../../../engine/shared/asset.ts'
import { base58 } from '../../../engine/shared/base58.ts'

/** Whose end says what becomes of what is sent there. */
export type AddressEnd = 'cafe' | 'dead' | 'beef'

/** A well-formed address of a network. Those of Ethereum and its kin can have any end. */
export const addressIn = (network: Network, end: AddressEnd = 'cafe'): string => {
  if (network === 'TRON') return tronAddress(new Uint8Array(20).fill(1))
  return network === 'SOLANA' ? base58(new Uint8Array(32).fill(1)) : `0x${end.padStart(40, '1')}`
}
