import { unreachable } from '../shared/assert.ts'
import type { Network } from '../shared/asset.ts'
import { readBase58 } from '../shared/base58.ts'

/**
 * Whether money sent to an address is lost: the zero address, the network's own programs, burn addresses, and the
 * contracts of the stablecoins themselves. All of them are well formed, and people have lost money to them by
 * mistake. An address that merely ends like one of them is fine.
 */
export const isUnspendable = (network: Network, address: string): boolean => {
  switch (network) {
    case 'SOLANA':
      return ofSolana.has(address)
    case 'TRON':
      // Zero, and the small numbers of contracts that are part of the network.
      return (
        ofTron.has(address) ||
        readBase58(address)!
          .subarray(1, 20)
          .every((byte) => byte === 0)
      )
    case 'ETHEREUM':
    case 'POLYGON':
    case 'BASE':
      return ofEthereum.has(address.toLowerCase()) || /^0x0{38}/.test(address)
    default:
      return unreachable(network)
  }
}

/** Blocked on every network of this family: a contract on one of them has no key on any. */
const ofEthereum: ReadonlySet<string> = new Set(
  [
    '0x000000000000000000000000000000000000dEaD',
    '0xdEAD000000000000000042069420694206942069',
    '0xdEaD00000000000000000000000000000000dEaD',
    '0xFFfFfFffFFfffFFfFFfFFFFFffFFFffffFfFFFfF',
    // What stands for the network's own coin where an address of a token is wanted.
    '0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE',
    // USDT on Ethereum and Polygon.
    '0xdAC17F958D2ee523a2206206994597C13D831ec7',
    '0xc2132D05D31c914a87C6611C10748AEb04B58e8F',
    // USDC on Ethereum, Polygon (and the one before it) and Base (and the one before it).
    '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48',
    '0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359',
    '0x2791Bca1f2de4661ED88A30C99A7a9449Aa84174',
    '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
    '0xd9aAEc86B65D86f6A7B5B1b0c42FFA531710b6CA',
  ].map((address) => address.toLowerCase()),
)

const ofTron: ReadonlySet<string> = new Set([
  // The black hole, where the network itself burns coins.
  'TLsV52sRDL79HXGGm9yzwKibb6BeruhUzy',
  // USDT and USDC.
  'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t',
  'TEkxiTehnzSmSe2XqrBj4w32RUN966rdz8',
])

const ofSolana: ReadonlySet<string> = new Set([
  // The system's program, the incinerator, and the programs of tokens.
  '11111111111111111111111111111111',
  '1nc1nerator11111111111111111111111111111111',
  'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA',
  'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb',
  'ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL',
  // USDC and USDT.
  'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v',
  'Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB',
])
