import type { Listed, Paging, Question } from '../kernel/query.ts'
import type { ConversionId, WalletId } from '../shared/ids.ts'
import type { Conversion, ConversionStatus } from './conversion.ts'
import type { CryptoDeposit, DepositStatus } from './deposit.ts'
import type { Wallet } from './wallet.ts'

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
  }
}

export type CryptoQuery = ListCryptoDeposits | FindConversion | ListConversions | FindWallet | ListWallets

/** Without statuses all of them, as in the other lists. */
export type ListCryptoDeposits = Question<'ListCryptoDeposits'> &
  Paging & { readonly statuses: readonly DepositStatus[] }

export type FindConversion = Question<'FindConversion'> & { readonly conversionId: ConversionId }

export type ListConversions = Question<'ListConversions'> &
  Paging & { readonly statuses: readonly ConversionStatus[] }

export type FindWallet = Question<'FindWallet'> & { readonly walletId: WalletId }

export type ListWallets = Question<'ListWallets'> & Paging & { readonly isActive: boolean | null }
