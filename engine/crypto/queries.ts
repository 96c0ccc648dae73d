import type { Listed, Paging, Question } from '../kernel/query.ts'
import type { Network } from '../shared/asset.ts'
import type { ConversionId, WalletId, WithdrawalId } from '../shared/ids.ts'
import type { Asset } from '../shared/method.ts'
import type { Cents } from '../shared/money.ts'
import type { Conversion, ConversionStatus } from './conversion.ts'
import type { CryptoDeposit, DepositStatus } from './deposit.ts'
import type { Wallet } from './wallet.ts'
import type { CryptoWithdrawal, WithdrawalStatus } from './withdrawal.ts'

declare module '../kernel/registry.ts' {
  interface FolderQueries {
    readonly crypto: CryptoQuery
  }
  interface Answers {
    readonly ListCryptoDeposits: Listed<CryptoDeposit>
    readonly FindConversion: Conversion | null
    readonly ListConversions: Listed<Conversion>
    readonly FindWallet: { readonly wallet: Wallet; readonly nowMs: number } | null
    readonly ListWallets: Listed<Wallet>
    readonly FindWithdrawal: CryptoWithdrawal | null
    readonly ListWithdrawals: Listed<CryptoWithdrawal>
  }
}

export type CryptoQuery =
  | ListCryptoDeposits
  | FindConversion
  | ListConversions
  | FindWallet
  | ListWallets
  | FindWithdrawal
  | ListWithdrawals

/** Without statuses all of them, as in the other lists. */
export type ListCryptoDeposits = Question<'ListCryptoDeposits'> &
  Paging & { readonly statuses: readonly DepositStatus[] }

export type FindConversion = Question<'FindConversion'> & { readonly conversionId: ConversionId }

export type ListConversions = Question<'ListConversions'> &
  Paging & { readonly statuses: readonly ConversionStatus[] }

export type FindWallet = Question<'FindWallet'> & { readonly walletId: WalletId }

export type ListWallets = Question<'ListWallets'> & Paging & { readonly isActive: boolean | null }

export type FindWithdrawal = Question<'FindWithdrawal'> & { readonly withdrawalId: WithdrawalId }

/** Every filter is null or empty where it is not wanted. */
export type ListWithdrawals = Question<'ListWithdrawals'> &
  Paging & {
    readonly statuses: readonly WithdrawalStatus[]
    readonly assets: readonly Asset[]
    readonly networks: readonly Network[]
    readonly wallet: string | null
    readonly createdBy: string | null
    readonly search: string | null
    readonly minUnits: Cents | null
    readonly maxUnits: Cents | null
  }
