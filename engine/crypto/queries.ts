import type { Listed, Paging, Question } from '../kernel/query.ts'
import type { ConversionId } from '../shared/ids.ts'
import type { Conversion, ConversionStatus } from './conversion.ts'
import type { CryptoDeposit, DepositStatus } from './deposit.ts'

declare module '../kernel/registry.ts' {
  interface FolderQueries {
    readonly crypto: CryptoQuery
  }
  interface Answers {
    readonly ListCryptoDeposits: Listed<CryptoDeposit>
    readonly FindConversion: Conversion | null
    readonly ListConversions: Listed<Conversion>
  }
}

export type CryptoQuery = ListCryptoDeposits | FindConversion | ListConversions

/** An empty list of statuses means all, as in the other lists. */
export type ListCryptoDeposits = Question<'ListCryptoDeposits'> &
  Paging & { readonly statuses: readonly DepositStatus[] }

export type FindConversion = Question<'FindConversion'> & { readonly conversionId: ConversionId }

export type ListConversions = Question<'ListConversions'> &
  Paging & { readonly statuses: readonly ConversionStatus[] }
