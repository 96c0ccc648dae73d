import type { ActorDefinition } from '../../kernel/actor.ts'
import type { ActorFact } from '../../kernel/fact.ts'
import { assert, unreachable } from '../../shared/assert.ts'
import type { AccountId, WalletId } from '../../shared/ids.ts'
import { payeeKeyOf, type WalletPayee } from './payee.ts'

declare module '../../kernel/registry.ts' {
  interface ActorStates {
    readonly wallet: Wallet
  }
  interface ActorFacts {
    readonly wallet: WalletFact
  }
}

/** An address to which stablecoins may be sent (dashboard, section 3.4). It can be removed, never changed. */
export type Wallet = NewWallet & {
  readonly id: WalletId
  readonly isRemoved: boolean
  readonly createdAtMs: number
}

/** The terms that a wallet is registered with. */
export type NewWallet = WalletPayee & {
  readonly accountId: AccountId
  readonly createdBy: string | null
  /** When it can be used. */
  readonly availableAtMs: number
}

export type WalletFact = (Fact<'WalletRegistered'> & { readonly wallet: NewWallet }) | Fact<'WalletRemoved'>

type Fact<Type extends string> = ActorFact<'wallet', Type>

const evolveWallet = (state: Wallet | undefined, event: WalletFact): Wallet => {
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

export const walletKind: ActorDefinition<Wallet, WalletFact> = {
  prefix: 'wal',
  namedBy: 'walletId',
  evolve: evolveWallet,
  createdAtMs: ({ createdAtMs }) => createdAtMs,
  label: ({ isRemoved }) => (isRemoved ? 'INACTIVE' : 'ACTIVE'),
  lookupKeys: (wallet) => [payeeKeyOf(wallet)],
  auditedFields: ({ isRemoved, name, asset, network, address }) => ({
    isActive: !isRemoved,
    name,
    asset,
    network,
    address,
  }),
}
