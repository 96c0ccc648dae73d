import { unreachable } from '../shared/assert.ts'
import type { Network } from '../shared/asset.ts'
import { base58, readBase58 } from '../shared/base58.ts'
import { sha256Bytes } from '../shared/sha256.ts'
import { keccak256 } from './keccak.ts'
import { isUnspendable } from './unspendable.ts'

/** Whether a text is an address of the network, with its checksum where it has one (dashboard, section 3.4). */
export const isAddressOf = (network: Network, address: string): boolean => {
  switch (network) {
    case 'TRON':
      return isTronAddress(address)
    case 'SOLANA':
      return address.length <= longestBase58 && readBase58(address)?.length === 32
    case 'ETHEREUM':
    case 'POLYGON':
    case 'BASE':
      return isEthereumAddress(address)
    default:
      return unreachable(network)
  }
}

/** Whether money can be sent to an address: it is valid, and its holder can spend what arrives. */
export const isPayableAddress = (network: Network, address: string): boolean =>
  isAddressOf(network, address) && !isUnspendable(network, address)

/** The same text for all spellings of one address. */
export const canonicalAddress = (network: Network, address: string): string =>
  network === 'TRON' || network === 'SOLANA' ? address : address.toLowerCase()

/** An address with the checksum of EIP-55: a digit is a capital where the hash of the small ones has eight or more. */
export const checksummed = (address: string): string => {
  const digits = address.slice(2).toLowerCase()
  const hash = keccak256(digits)
  return `0x${[...digits].map((digit, n) => (hash[n]! >= '8' ? digit.toUpperCase() : digit)).join('')}`
}

/** The address of twenty bytes on TRON, in Base58Check. */
export const tronAddress = (bytes: Uint8Array): string => {
  const payload = Uint8Array.from([tronPrefix, ...bytes])
  return base58(Uint8Array.from([...payload, ...checksumOf(payload)]))
}

const tronPrefix = 0x41
const longestBase58 = 44

const isTronAddress = (address: string): boolean => {
  const bytes = address.length > longestBase58 ? null : readBase58(address)
  if (bytes === null || bytes.length !== 25 || bytes[0] !== tronPrefix) return false
  return checksumOf(bytes.subarray(0, 21)).every((byte, n) => byte === bytes[21 + n])
}

const checksumOf = (payload: Uint8Array): Uint8Array => sha256Bytes(sha256Bytes(payload)).subarray(0, 4)

/** Digits all small or all capital carry no checksum. */
const isEthereumAddress = (address: string): boolean => {
  if (!/^0x[0-9a-fA-F]{40}$/.test(address)) return false
  const digits = address.slice(2)
  const isMixed = digits !== digits.toLowerCase() && digits !== digits.toUpperCase()
  return !isMixed || checksummed(address) === address
}

/** The beginning and the end of an address, as events show it. */
export const maskedAddress = (address: string): string => `${address.slice(0, 4)}…${address.slice(-4)}`
