import type { ActorDefinition } from '../kernel/actor.ts'
import type { ActorFact } from '../kernel/fact.ts'
import { assert, unreachable } from '../shared/assert.ts'
import type { Network } from '../shared/asset.ts'
import type { AccountId, WalletId } from '../shared/ids.ts'
import type { Asset } from '../shared/method.ts'
import { canonicalAddress } from './address.ts'

declare module '../kernel/registry.ts' {
  interface ActorStates {
    readonly wallet: Wallet
  }
  interface ActorFacts {
    readonly wallet: WalletEvent
  }
}

export const walletStatuses = ['COOLING_OFF', 'ACTIVE', 'INACTIVE'] as const
export type WalletStatus = (typeof walletStatuses)[number]
export const walletOwnerships = ['SELF_CUSTODY', 'PROVIDER'] as const

/** An address to which stablecoins may be sent (dashboard, section 3.4). Nothing of it ever changes. */
export type Wallet = NewWallet & {
  readonly id: WalletId
  readonly isRemoved: boolean
  readonly createdAtMs: number
}

/** What a wallet is registered with. */
export type NewWallet = {
  readonly accountId: AccountId
  readonly name: string
  readonly asset: Asset
  readonly network: Network
  readonly address: string
  /** Whether its holder keeps the keys, or a provider does. */
  readonly ownership: (typeof walletOwnerships)[number]
  readonly holderName: string
  readonly holderDocument: string
  readonly providerName: string | null
  readonly createdBy: string | null
  /** From when on it can be used. */
  readonly availableAtMs: number
}

export type WalletEvent = (Fact<'WalletRegistered'> & { readonly wallet: NewWallet }) | Fact<'WalletRemoved'>

type Fact<Type extends string> = ActorFact<'wallet', Type>

/** The status of a wallet at a time of its environment: only the clock moves it. */
export const walletStatusAt = ({ isRemoved, availableAtMs }: Wallet, nowMs: number): WalletStatus => {
  if (isRemoved) return 'INACTIVE'
  return nowMs < availableAtMs ? 'COOLING_OFF' : 'ACTIVE'
}

const evolveWallet = (state: Wallet | undefined, event: WalletEvent): Wallet => {
  if (event.type === 'WalletRegistered') {
    assert(state === undefined, 'a wallet is registered once')
    return { id: event.id, isRemoved: false, createdAtMs: event.atMs, ...event.wallet }
  }
  assert(state !== undefined, `${event.type} follows WalletRegistered`)
  switch (event.type) {
    case 'WalletRemoved':
      return { ...state, isRemoved: true }
    default:
      return unreachable(event)
  }
}

export const walletKind: ActorDefinition<Wallet, WalletEvent> = {
  prefix: 'wal',
  namedBy: 'walletId',
  evolve: evolveWallet,
  createdAtMs: ({ createdAtMs }) => createdAtMs,
  label: ({ isRemoved }) => (isRemoved ? 'INACTIVE' : 'ACTIVE'),
  lookupKeys: (wallet) => [walletKeyOf(wallet)],
  auditedFields: ({ isRemoved, name, asset, network, address }) => ({
    isActive: !isRemoved,
    name,
    asset,
    network,
    address,
  }),
}

/** Finds the wallets of one address for an asset. */
export const walletKeyOf = ({
  asset,
  network,
  address,
}: Pick<Wallet, 'asset' | 'network' | 'address'>): string =>
  `${asset} ${network} ${canonicalAddress(network, address)}`
