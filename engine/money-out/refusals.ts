import type { WalletId } from '../shared/ids.ts'
import type { LimitRefusal } from './limits.ts'
import type { PayeeStatus } from './payees/payee.ts'

declare module '../kernel/registry.ts' {
  interface FolderRefusals {
    readonly moneyOut: MoneyOutRefusal
  }
}

/** Why look-ups, payees, transfers and withdrawals refuse. */
export type MoneyOutRefusal =
  | LimitRefusal
  /** The same amount was sent to the same payee a few minutes ago. */
  | { readonly reason: 'POSSIBLE_DUPLICATE'; readonly existingId: string }
  /** Too many keys were looked up without paying their owners. */
  | { readonly reason: 'LOOKUP_QUOTA'; readonly tokens: number; readonly retryAfterSeconds: number }
  /** Too old, used before, or another person's. */
  | { readonly reason: 'LOOKUP_EXPIRED' }
  | { readonly reason: 'BENEFICIARY_INACTIVE' }
  /** A TED goes to a bank account, not to a key. */
  | { readonly reason: 'TED_TO_KEY' }
  | { readonly reason: 'SCHEDULED_IN_THE_PAST' }
  | { readonly reason: 'SCHEDULED_TOO_FAR'; readonly days: number }
  | { readonly reason: 'WALLET_EXISTS'; readonly walletId: WalletId }
  | {
      readonly reason: 'WALLET_NOT_ACTIVE'
      readonly status: PayeeStatus
      readonly availableAtMs: number
    }
