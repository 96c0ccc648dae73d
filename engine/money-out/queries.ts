import type { Listed, Paging, Question } from '../kernel/query.ts'
import type { BeneficiaryId, TransferId } from '../shared/ids.ts'
import type { Cents } from '../shared/money.ts'
import type { OutgoingKind, OutgoingStatus, OutgoingTransfer } from './money-out.ts'
import type { Beneficiary, BeneficiaryStatus } from './payees/beneficiary.ts'

declare module '../kernel/registry.ts' {
  interface FolderQueries {
    readonly transfers: OutgoingQuery
  }
  interface Answers {
    readonly FindOutgoingTransfer: OutgoingTransfer | null
    readonly ListOutgoingTransfers: Listed<OutgoingTransfer>
    readonly FindBeneficiary: { readonly beneficiary: Beneficiary; readonly nowMs: number } | null
    readonly ListBeneficiaries: Listed<Beneficiary>
  }
}

/** Questions about transfers and beneficiaries. */
export type OutgoingQuery = FindOutgoingTransfer | ListOutgoingTransfers | FindBeneficiary | ListBeneficiaries

export type FindOutgoingTransfer = Question<'FindOutgoingTransfer'> & {
  readonly outgoingTransferId: TransferId
}

/** Every filter is null or empty where it is not wanted. */
export type ListOutgoingTransfers = Question<'ListOutgoingTransfers'> &
  Paging & {
    readonly statuses: readonly OutgoingStatus[]
    readonly kinds: readonly OutgoingKind[]
    readonly beneficiary: string | null
    readonly createdBy: string | null
    readonly search: string | null
    readonly minCents: Cents | null
    readonly maxCents: Cents | null
  }

export type FindBeneficiary = Question<'FindBeneficiary'> & { readonly beneficiaryId: BeneficiaryId }

export type ListBeneficiaries = Question<'ListBeneficiaries'> &
  Paging & {
    readonly statuses: readonly BeneficiaryStatus[]
    readonly kinds: readonly ('PIX' | 'BANK')[]
    readonly search: string | null
  }
