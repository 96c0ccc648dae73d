import { unreachable } from '../../../shared/assert.ts'
import type { Network } from '../../../shared/asset.ts'
import { base58 } from '../../../shared/base58.ts'
import type { Entropy } from '../../../shared/ids.ts'

/** The id of a transfer as its network writes it, of 64 bytes: a hash is 32 of them, a signature all. */
export const txHashOf = (network: Network, bytes: Uint8Array): string => {
  switch (network) {
    case 'SOLANA':
      return base58(bytes)
    case 'TRON':
      return hexOf(bytes.subarray(0, 32))
    case 'ETHEREUM':
    case 'POLYGON':
    case 'BASE':
      return `0x${hexOf(bytes.subarray(0, 32))}`
    default:
      return unreachable(network)
  }
}

/** The id of a transfer that no network has seen. */
export const newTxHash = (network: Network, entropy: Entropy): string =>
  txHashOf(
    network,
    Uint8Array.from({ length: 64 }, () => entropy() & 255),
  )

/** Random hexadecimal digits. */
export const randomHex = (digits: number, entropy: Entropy): string =>
  Array.from({ length: digits }, () => (entropy() % 16).toString(16)).join('')

const hexOf = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
