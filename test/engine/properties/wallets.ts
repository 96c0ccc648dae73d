import type { Command } from '../../../engine/kernel/registry.ts'
import type { AccountId, WalletId } from '../../../engine/shared/ids.ts'
import { addressIn } from './addresses.ts'
import { sender } from './payees.ts'

/**
 * Where stablecoins are sent: to one address of each asset, to one that is refused, to one where nothing is ever confirmed, and to one
 * that was registered when the story began.
 */
const wallets = {
  usdt: { asset: 'USDT', network: 'POLYGON', end: 'cafe' },
  usdc: { asset: 'USDC', network: 'BASE', end: 'cafe' },
  dead: { asset: 'USDT', network: 'POLYGON', end: 'dead' },
  beef: { asset: 'USDC', network: 'POLYGON', end: 'beef' },
  recent: { asset: 'USDT', network: 'TRON', end: 'cafe' },
} as const
export type WalletName = keyof typeof wallets
export const walletNames = Object.keys(wallets) as readonly WalletName[]

export const assetIn = (name: WalletName) => wallets[name].asset
export const walletIdOf = (name: WalletName) =>
  `wal_${String(walletNames.indexOf(name) + 1).padStart(26, '0')}` as WalletId

const register = (accountId: AccountId, name: WalletName): Command => {
  const { asset, network, end } = wallets[name]
  return {
    type: 'RegisterWallet',
    accountId,
    by: sender,
    walletId: walletIdOf(name),
    wallet: {
      name,
      asset,
      network,
      address: addressIn(network, end),
      ownership: 'SELF_CUSTODY',
      holderName: 'Comercial Aurora Ltda',
      holderDocument: '11222333000181',
      providerName: null,
      createdBy: sender.id,
    },
  }
}

/** What is registered a day before a story begins. */
export const knownWalletCommands = (accountId: AccountId): readonly Command[] =>
  walletNames.filter((name) => name !== 'recent').map((name) => register(accountId, name))

/** What is registered as it begins. */
export const recentWalletCommands = (accountId: AccountId): readonly Command[] => [
  register(accountId, 'recent'),
]
