import type { ToldStep } from '../audit/told-steps.ts'
import type { Listed, Paging, Question } from '../kernel/query.ts'
import type { BeneficiaryId, WalletId } from '../shared/ids.ts'
import type { Cents } from '../shared/money.ts'
import type { MoneyOutKind } from './asked.ts'
import type { MoneyOut, MoneyOutFact } from './money-out.ts'
import type { Beneficiary } from './payees/beneficiary.ts'
import type { PayeeStatus } from './payees/payee.ts'
import type { Wallet } from './payees/wallet.ts'
import type { MoneyOutTarget } from './target.ts'

declare module '../kernel/registry.ts' {
  interface FolderQueries {
    readonly moneyOut: MoneyOutQuery
  }
  interface Answers {
    readonly FindMoneyOut: ToldMoneyOut | null
    readonly ListMoneyOut: Listed<MoneyOut>
    readonly FindBeneficiary: { readonly beneficiary: Beneficiary; readonly nowMs: number } | null
    readonly ListBeneficiaries: Listed<Beneficiary>
    readonly FindWallet: { readonly wallet: Wallet; readonly nowMs: number } | null
    readonly ListWallets: Listed<Wallet>
  }
}

/** Questions about transfers, withdrawals and payees. */
export type MoneyOutQuery =
  | FindMoneyOut
  | ListMoneyOut
  | FindBeneficiary
  | ListBeneficiaries
  | FindWallet
  | ListWallets

export type FindMoneyOut = Question<'FindMoneyOut'> & MoneyOutTarget

/** A transfer or withdrawal with what happened to it. */
export type ToldMoneyOut = {
  readonly out: MoneyOut
  readonly steps: readonly ToldStep<MoneyOutFact>[]
}

/** Lists transfers or withdrawals. A filter that is null or empty matches all. */
export type ListMoneyOut = Question<'ListMoneyOut'> &
  Paging & {
    readonly kind: MoneyOutKind
    /** The wanted values of each part of the label: statuses, then methods, or assets and networks. */
    readonly labels: readonly (readonly string[])[]
    readonly payeeId: string | null
    readonly createdBy: string | null
    readonly search: string | null
    readonly minCents: Cents | null
    readonly maxCents: Cents | null
  }

export type FindBeneficiary = Question<'FindBeneficiary'> & { readonly beneficiaryId: BeneficiaryId }

export type ListBeneficiaries = Question<'ListBeneficiaries'> &
  Paging & {
    readonly statuses: readonly PayeeStatus[]
    readonly kinds: readonly ('PIX' | 'BANK')[]
    readonly search: string | null
  }

export type FindWallet = Question<'FindWallet'> & { readonly walletId: WalletId }

export type ListWallets = Question<'ListWallets'> &
  Paging & {
    readonly isActive: boolean | null
    /** The id or address, or part of a name. */
    readonly search: string | null
  }
