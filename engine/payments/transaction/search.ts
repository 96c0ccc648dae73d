import type { PackedStates } from '../../kernel/ports.ts'
import type { ActorStates } from '../../kernel/registry.ts'
import type { Work } from '../../kernel/work.ts'
import type { CalendarDate } from '../../shared/calendar.ts'
import type { AccountId } from '../../shared/ids.ts'
import type { PartyIdName, TransactionGroup } from './row.ts'

declare module '../../kernel/ports.ts' {
  interface Memory {
    /** Transactions by their attributes, from columns; only the states on the page are loaded. */
    readonly transactions: (
      accountId: AccountId,
      filter: TransactionFilter,
      page: TransactionPage,
    ) => Work<FoundTransactions>
    /** Figures of the transactions created, or approved, from each of these instants to the next, from columns. */
    readonly periodFigures: (
      accountId: AccountId,
      instants: readonly number[],
      dateField: InstantField,
    ) => Work<readonly PeriodFigures[]>
    /** How many transactions are in a chargeback (`cbk`) or MED (`med`) that is not decided. */
    readonly openDisputes: (accountId: AccountId, prefix: 'cbk' | 'med') => number
    /** Figures of the PIX that arrived in [fromMs, toMs). */
    readonly receivedFigures: (accountId: AccountId, fromMs: number, toMs: number) => Work<ReceivedFigures>
  }
}

/** The instants of a transaction that a period can be about: that of creation, or the one at which the payment was confirmed. */
export const instantFields = ['createdAt', 'approvedAt'] as const
export type InstantField = (typeof instantFields)[number]

/** The same, or the days on which its money settles: several where it was paid in instalments. */
export const dateFields = [...instantFields, 'settledOn'] as const
export type DateField = (typeof dateFields)[number]

/** When a transaction was created, was approved or settles, by `dateField`; null leaves a condition out. */
export type DatedIn = {
  /** Hides what was created after this sequence. */
  readonly asOf: number | null
  readonly fromMs: number | null
  /** Exclusive. */
  readonly toMs: number | null
  /** The same as days, for what is planned for a day. */
  readonly from: CalendarDate | null
  readonly to: CalendarDate | null
}

/** All conditions must hold; null leaves one out. */
export type TransactionFilter = DatedIn &
  TransactionTerms & { readonly fits: (group: TransactionGroup) => boolean }

/** Conditions on a transaction's own values; null, or an empty list, for any. */
export type TransactionTerms = {
  readonly dateField: DateField
  readonly minAmountCents: number | null
  /** Inclusive. */
  readonly maxAmountCents: number | null
  readonly ids: readonly string[]
  readonly externalIds: readonly string[]
  /** Ids at other parties, each of which it must have. */
  readonly partyIds: Readonly<Partial<Record<PartyIdName, string>>>
  readonly customerId: string | null
  /** Contained in the payer's name, or equal to their document or e-mail. */
  readonly customer: string | null
  /** Equal to the id, the external id, a key or the payer's document, or contained in the payer's name or e-mail. */
  readonly search: string | null
}

/** Ids break ties: by creation in the same direction, by amount always newest first. */
export type TransactionOrder = { readonly by: 'createdAt' | 'amount'; readonly isDescending: boolean }

/** A place in an order: the value ordered by, and the id of the transaction there. */
export type TransactionPosition = { readonly at: number; readonly id: string }

/** Which of the matching transactions are returned, and what is counted over all of them. */
export type TransactionPage = {
  readonly order: TransactionOrder
  /** How many to skip, or the position after which the page begins. */
  readonly start: { readonly offset: number } | { readonly after: TransactionPosition }
  readonly limit: number
  /** Whether found transactions are packed instead of loaded. A packed page may end early. */
  readonly packs?: boolean
  /** `figures` counts and sums by group, `total` only counts; `nothing` ends the scan with the page. */
  readonly tells: 'figures' | 'total' | 'nothing'
}

export type FoundTransactions = {
  readonly states: readonly ActorStates['transaction'][]
  /** The found transactions, if they were to be packed. */
  readonly packed: PackedStates | null
  /** Where the next page begins; null when this one was not filled. */
  readonly next: TransactionPosition | null
  /** 0 when not requested. */
  readonly total: number
  /** Empty unless figures were requested. */
  readonly groups: readonly GroupFigures[]
}

/** Sums are exact for any number of rows. */
export type GroupFigures = TransactionGroup & {
  readonly count: number
  readonly amountCents: bigint
  readonly paidCents: bigint
  readonly feeCents: bigint
  readonly refundedCents: bigint
  readonly disputedCents: bigint
}

/** One group in one of the periods, which are counted from 0. */
export type PeriodFigures = Pick<GroupFigures, 'count' | 'amountCents' | 'paidCents'> & {
  readonly period: number
  readonly group: TransactionGroup
}

export type ReceivedFigures = {
  /** Kept payments. */
  readonly received: Tally
  /** Kept payments that became deposits. */
  readonly deposits: Tally
  readonly returned: Tally
  readonly feeCents: bigint
}

/** A count and its sum in centavos. */
export type Tally = { readonly count: number; readonly cents: bigint }
